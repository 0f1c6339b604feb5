/// Whether the first answer to a name came from the resolver's cache, as its TTL and its time tell.
///
/// A cache counts an answer's TTL down. The authority's own TTL is not known, but zones are given
/// round ones, which a counted-down TTL looks like once in 60 times.
package enum CacheRule {
    /// TTLs in seconds that zones are given: whole minutes, and a few below.
    package static func isUsual(_ ttl: UInt32) -> Bool {
        [1, 2, 5, 10, 15, 20, 30, 40, 45].contains(ttl) || ttl > 0 && ttl % 60 == 0
    }

    /// Fewest times for a list of names, of which the share is told.
    package static let leastAgain = 20
    /// Fewest for a round of few names, of which only is told by how much the share changes: those
    /// that are called late in error, one in twenty on a poor line, are so before and after alike.
    package static let leastInRound = 5

    /// Whether a resolver counts down: one TTL in ten or more is none that zones are given. TTLs of
    /// 0 say nothing, since no cache keeps such an answer (RFC 1035 §3.2.1).
    package static func countsDown(_ ttls: [UInt32]) -> Bool {
        let kept = ttls.filter { $0 > 0 }
        return !kept.isEmpty && kept.count { !isUsual($0) } * 10 >= kept.count
    }

    /// The time in milliseconds beyond which an answer was fetched: the 90th percentile of `hits`,
    /// such as times of names that were asked a second time, and twice as much as lies between that
    /// and their median, or 2 ms. `nil` for fewer than `least`.
    package static func latestHit(_ hits: [Double], least: Int = leastAgain) -> Double? {
        guard hits.count >= max(1, least) else { return nil }
        let times = hits.sorted()
        let median = times[(times.count - 1) / 2]
        let most = times[(9 * times.count + 9) / 10 - 1]
        return most + max(2, 2 * (most - median))
    }

    /// Whether an answer after `time` milliseconds was a hit; `nil` where that cannot be told.
    ///
    /// An early answer of a resolver that does not count down may be of a cache or of a near
    /// authority, and so may one with a TTL of 0: only a late one tells something. `largest` is the
    /// greatest TTL that any resolver gave for the name; an answer without records has no `ttl`.
    /// Where `latest` is not known, the time tells nothing.
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

    /// Whether two resolvers are one cache, or one forwards to the other: of the names that one
    /// fetched and the other was then asked for, so many of the other's answers expire together
    /// with them.
    package static func isOneCache(fetched: Int, expiringTogether: Int) -> Bool {
        expiringTogether >= 5 && expiringTogether * 100 >= 15 * fetched
    }
}

/// The share of names that a resolver had in its cache.
package struct HitShare: Hashable, Sendable {
    package var hits = 0
    package var misses = 0
    /// Answers of which it cannot be told.
    package var unknown = 0

    package init(hits: Int = 0, misses: Int = 0, unknown: Int = 0) {
        (self.hits, self.misses, self.unknown) = (hits, misses, unknown)
    }

    package var count: Int { hits + misses + unknown }

    /// Whether it cannot be told of any name that it was a hit or a miss.
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

    /// From the share where all unknown are misses to that where they are hits; 0…1 without names.
    package var bounds: ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        return Double(hits) / Double(count)...Double(hits + unknown) / Double(count)
    }

    /// With 1 − α, by Wilson's score interval at either end (Wilson 1927, JASA 22:158).
    package func interval(alpha: Double = 0.05) -> ClosedRange<Double> {
        ProportionInterval.wilson(successes: hits, of: count, alpha: alpha)
            .lowerBound...ProportionInterval.wilson(
                successes: hits + unknown,
                of: count,
                alpha: alpha
            ).upperBound
    }
}
