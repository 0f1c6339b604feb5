import DNSWire
package import Samples
import Statistics
import Synchronization

/// The answers of one round's warm-up, of which the first to a name tells whether the resolver had
/// it in its cache.
///
/// The targets of one label or one address are one resolver: what one of them was asked first the
/// others find in the cache.
package final class WarmupAnswers: Sendable {
    private let answers = Mutex<[RoundAnswers.Answer]>([])
    private let targets: [Recording.Target]
    /// For each target the first that is the same resolver.
    private let resolvers: [Int]

    package init(_ plan: Plan) {
        targets = plan.targets
        resolvers = plan.firstOfResolvers
    }

    private init(_ other: WarmupAnswers) {
        targets = other.targets
        resolvers = other.resolvers
    }

    /// Those of another round of the same plan, of which there are none yet.
    package func ofAnotherRound() -> WarmupAnswers { WarmupAnswers(self) }

    /// Takes in what came of a query of the warm-up.
    package func note(_ observation: Observation, of probe: Probe) {
        guard let answer = answer(observation, probe.target, probe.question, isWarmup: true)
        else { return }
        answers.withLock { $0.append(answer) }
    }

    /// Says in the first sample of each target of a round what the warm-up before it told of the
    /// resolver's cache.
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
    /// For each target the first of its label or address.
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

/// The answers to the names that caches may have, of a round and its warm-up.
private struct RoundAnswers {
    struct Answer {
        let resolver: Int
        let target: Int
        let question: Int
        let sent: Timestamp
        /// Milliseconds; `nil` without an answer that could be used.
        let time: Double?
        let ttl: UInt32?
        let isWarmup: Bool
        /// Whether earlier TTLs tell that it was fetched anew.
        let isFetched: Bool
    }

    private let warmups: [Answer]
    /// By question, the greatest TTL.
    private var largest: [Int: UInt32] = [:]
    /// By resolver.
    private let countsDown: [Int: Bool]
    /// By target, the time beyond which an answer was fetched.
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

    /// By those that TTLs say were cached. What was asked just before is not where several caches
    /// answer, but for lack of them it tells.
    private func latestHit(_ answers: [Answer]) -> Double? {
        let aged = answers.filter { answer in
            countsDown[answer.resolver] == true
                && answer.ttl.map { $0 > 0 && !CacheRule.isUsual($0) } == true
        }
        let again = answers.filter { !$0.isWarmup && !$0.isFetched }
        let cached = aged.count >= CacheRule.leastInRound ? aged : again
        return CacheRule.latestHit(cached.compactMap(\.time), least: CacheRule.leastInRound)
    }

    /// By resolver, where there are names enough, and most are known to be in the cache or not:
    /// where late answers cannot be told, hits were all that there is.
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

    /// `nil` where it cannot be told.
    private func isHit(_ answer: Answer) -> Bool? {
        guard let time = answer.time, let latest = latest[answer.target] else { return nil }
        guard countsDown[answer.resolver] == true || answer.ttl == 0 else {
            // What matters is the change of the share, which the time tells before and after alike.
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
