import DNSWire
package import Samples
import Statistics
import Synchronization

/// The answers of one round's warm-up. The first answer for a name shows whether the resolver had
/// it in its cache.
///
/// The targets with one label or one address are one resolver. After a query for a name to one of
/// them, the name is in the cache for the others.
package final class WarmupAnswers: Sendable {
    private let answers = Mutex<[RoundAnswers.Answer]>([])
    private let targets: [Recording.Target]
    /// For each target, the first target of the same resolver.
    private let resolvers: [Int]

    package init(_ plan: Plan) {
        targets = plan.targets
        resolvers = plan.firstOfResolvers
    }

    private init(_ other: WarmupAnswers) {
        targets = other.targets
        resolvers = other.resolvers
    }

    /// An instance without answers, for another round of the same plan.
    package func ofAnotherRound() -> WarmupAnswers { WarmupAnswers(self) }

    /// Adds the observation of a warm-up query.
    package func note(_ observation: Observation, of probe: Probe) {
        guard let answer = answer(observation, probe.target, probe.question, isWarmup: true)
        else { return }
        answers.withLock { $0.append(answer) }
    }

    /// Stores the result of the warm-up about each resolver's cache in the first sample of each
    /// target of the round.
    package func tell(in round: inout Recording) {
        let measured = round.samples.compactMap { sample in
            let (target, question) = (Int(sample.target), Int(sample.question))
            return answer(sample.observation, target, question, isWarmup: false)
        }
        let tallies = RoundAnswers(answers.withLock { $0 } + measured).tallies
        var told: Set<Int32> = []
        for index in round.samples.indices {
            let target = round.samples[index].target
            guard asksCachedNames(Int(target)), told.insert(target).inserted,
                let tally = tallies[resolvers[Int(target)]]
            else { continue }
            round.samples[index].observation.add(warmup: tally)
        }
    }

    private func answer(
        _ observation: Observation,
        _ target: Int,
        _ question: Int,
        isWarmup: Bool
    ) -> RoundAnswers.Answer? {
        guard asksCachedNames(target), let sent = observation.sent else { return nil }
        return RoundAnswers.Answer(
            resolver: resolvers[target],
            target: target,
            question: question,
            sent: sent,
            time: observation.answerTime(in: .cached),
            ttl: observation.ttl,
            isWarmup: isWarmup,
            isFetched: observation.cache == .miss
        )
    }

    private func asksCachedNames(_ target: Int) -> Bool {
        targets.indices.contains(target) && targets[target].series.asksCachedNames
    }
}

extension Plan {
    /// For each target, the first target with its label or address.
    fileprivate var firstOfResolvers: [Int] {
        var (labels, groups): ([String: Int], [Int: Int]) = ([:], [:])
        return zip(targets, targetGroups).enumerated().map { index, place in
            let (label, group) = (place.0.label, place.1)
            let first = min(labels[label] ?? index, groups[group] ?? index)
            labels[label] = labels[label] ?? index
            groups[group] = groups[group] ?? index
            return first
        }
    }
}

/// The answers of a round and its warm-up for names that caches may have.
private struct RoundAnswers {
    struct Answer {
        let resolver: Int
        let target: Int
        let question: Int
        let sent: Timestamp
        /// The round trip in milliseconds; `nil` without a usable answer.
        let time: Double?
        let ttl: UInt32?
        let isWarmup: Bool
        /// Whether earlier TTLs show that it was fetched.
        let isFetched: Bool
    }

    private let warmups: [Answer]
    /// The largest TTL by question.
    private var largest: [Int: UInt32] = [:]
    /// Whether the TTLs count down, by resolver.
    private let countsDown: [Int: Bool]
    /// The time by target above which an answer was fetched.
    private var latest: [Int: Double] = [:]

    init(_ answers: [Answer]) {
        warmups = answers.filter(\.isWarmup).sorted { $0.sent < $1.sent }
        let answers = answers.filter { $0.time != nil }
        countsDown = Dictionary(grouping: answers, by: \.resolver)
            .mapValues { CacheRule.countsDown($0.compactMap(\.ttl)) }
        for answer in answers {
            guard let ttl = answer.ttl else { continue }
            largest[answer.question] = max(largest[answer.question] ?? 0, ttl)
        }
        latest = Dictionary(grouping: answers, by: \.target).compactMapValues(latestHit)
    }

    /// The longest time of a cache hit, from the answers that TTLs mark as cached. If these are too
    /// few, repeated names replace them, although a repeated query may reach another of several
    /// caches.
    private func latestHit(_ answers: [Answer]) -> Double? {
        let aged = answers.filter { answer in
            countsDown[answer.resolver] == true
                && answer.ttl.map { $0 > 0 && !CacheRule.isUsual($0) } == true
        }
        let again = answers.filter { !$0.isWarmup && !$0.isFetched }
        let cached = aged.count >= CacheRule.leastInRound ? aged : again
        return CacheRule.latestHit(cached.compactMap(\.time), least: CacheRule.leastInRound)
    }

    /// The counts of cache hits and misses by resolver. A resolver has counts only with enough
    /// names, most of which were classified. If late answers cannot be recognised, only hits would
    /// be counted.
    var tallies: [Int: WarmupTally] {
        struct Name: Hashable {
            let resolver: Int
            let question: Int
        }
        let firsts = Dictionary(
            warmups.map { (Name(resolver: $0.resolver, question: $0.question), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return Dictionary(grouping: firsts.values, by: \.resolver).compactMapValues { firsts in
            var share = HitShare()
            var missed: [Double] = []
            for answer in firsts {
                let isHit = isHit(answer)
                share.note(isHit)
                if isHit == false, let time = answer.time { missed.append(time) }
            }
            guard share.count >= CacheRule.leastInRound, 2 * share.unknown < share.count else {
                return nil
            }
            return WarmupTally(
                hits: UInt32(clamping: share.hits),
                misses: UInt32(clamping: share.misses),
                missTime: missed.median.map { Int64(($0 * 1e6).rounded()) }
            )
        }
    }

    /// Whether the answer was a cache hit; `nil` if this is unknown.
    private func isHit(_ answer: Answer) -> Bool? {
        guard let time = answer.time, let latest = latest[answer.target] else { return nil }
        guard countsDown[answer.resolver] == true || answer.ttl == 0 else {
            // The change of the share matters, and the time measures it equally before and after.
            return time <= latest
        }
        return CacheRule.isHit(
            ttl: answer.ttl,
            largest: largest[answer.question],
            time: time,
            latest: latest,
            countsDown: true
        )
    }
}
