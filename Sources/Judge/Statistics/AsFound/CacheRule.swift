/// A rule that decides whether the first answer to a name came from the resolver's cache, from its TTL and
/// its time.
///
/// A cache counts an answer's TTL down. The authority's own TTL is unknown, but zones usually have round
/// TTLs. A counted-down TTL looks like a round one once in 60 times.
package enum CacheRule {
    /// Returns whether zones usually have this TTL in seconds: whole minutes, and a few values below a
    /// minute.
    package static func isUsual(_ ttl: UInt32) -> Bool {
        [1, 2, 5, 10, 15, 20, 30, 40, 45].contains(ttl) || ttl > 0 && ttl % 60 == 0
    }

    /// The minimum number of times for a list of names whose share of hits is reported.
    package static let leastAgain = 20
    /// The minimum number of times for a round of few names, from which only changes of the share are
    /// reported. Answers that are late by error (one in twenty on a poor line) are equally frequent before
    /// and after a change.
    package static let leastInRound = 5

    /// Returns whether a resolver counts down: at least one TTL in ten is not a usual one. A TTL of 0 is
    /// ignored, because no cache keeps such an answer (RFC 1035 §3.2.1).
    package static func countsDown(_ ttls: [UInt32]) -> Bool {
        let kept = ttls.filter { $0 > 0 }
        return !kept.isEmpty && kept.count { !isUsual($0) } * 10 >= kept.count
    }

    /// Returns the time in milliseconds beyond which an answer was fetched; `nil` with fewer than `least`
    /// hits.
    ///
    /// The result is the 90th percentile of `hits` plus a tolerance: twice its distance to their median, or
    /// 2 ms if that is more. `hits` are, for example, the times of names that were asked a second time.
    package static func latestHit(_ hits: [Double], least: Int = leastAgain) -> Double? {
        guard hits.count >= max(1, least) else { return nil }
        let times = hits.sorted()
        let median = times[(times.count - 1) / 2]
        let most = times[(9 * times.count + 9) / 10 - 1]
        return most + max(2, 2 * (most - median))
    }

    /// Returns whether an answer after `time` milliseconds was a hit; `nil` if that is unknown.
    ///
    /// An early answer of a resolver that does not count down may come from a cache or from a near authority.
    /// The same applies to a TTL of 0. In both cases only late answers are classified.
    ///
    /// `largest` is the greatest TTL that any resolver returned for the name. `ttl` is `nil` for an answer
    /// without records. If `latest` is `nil`, the time is ignored.
    package static func isHit(
        ttl: UInt32?,
        largest: UInt32?,
        time: Double,
        latest: Double?,
        countsDown: Bool
    ) -> Bool? {
        let isLate = latest.map { time > $0 }
        guard countsDown, ttl != 0 else { return isLate == true ? false : nil }
        guard let ttl else { return isLate.map { !$0 } }
        if !isUsual(ttl) { return true }
        if isLate == true { return false }
        return ttl < largest ?? ttl ? true : nil
    }

    /// Returns whether two resolvers share one cache, or one forwards to the other. `fetched` counts the
    /// names that one resolver fetched before the other was asked. `expiringTogether` counts those whose
    /// answers from both expire at the same time.
    package static func isOneCache(fetched: Int, expiringTogether: Int) -> Bool {
        expiringTogether >= 5 && expiringTogether * 100 >= 15 * fetched
    }
}

/// The share of names that a resolver had in its cache.
package struct HitShare: Hashable, Sendable {
    package var hits = 0
    package var misses = 0
    /// The number of answers that could not be classified.
    package var unknown = 0

    package init(hits: Int = 0, misses: Int = 0, unknown: Int = 0) {
        (self.hits, self.misses, self.unknown) = (hits, misses, unknown)
    }

    package var count: Int { hits + misses + unknown }

    /// Whether no name could be classified as a hit or a miss.
    package var isUnknown: Bool { unknown == count }

    package mutating func note(_ isHit: Bool?) {
        switch isHit {
        case true?: hits += 1
        case false?: misses += 1
        case nil: unknown += 1
        }
    }

    package mutating func merge(_ other: HitShare) {
        hits += other.hits
        misses += other.misses
        unknown += other.unknown
    }

    /// The range of the share, from all unknown answers as misses to all as hits; 0…1 without names.
    package var bounds: ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        return Double(hits) / Double(count)...Double(hits + unknown) / Double(count)
    }

    /// The interval of the share at confidence level 1 − α. Each end is from Wilson's score interval (Wilson
    /// 1927, JASA 22:158).
    package func interval(alpha: Double = 0.05) -> ClosedRange<Double> {
        ProportionInterval.wilson(successes: hits, of: count, alpha: alpha)
            .lowerBound...ProportionInterval.wilson(
                successes: hits + unknown,
                of: count,
                alpha: alpha
            ).upperBound
    }
}
