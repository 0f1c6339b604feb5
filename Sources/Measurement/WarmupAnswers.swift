import DNSWire
import Samples
import Statistics
import Synchronization

/// The answers of one round's warm-up, of which the first to a name tells whether the resolver had it
/// in its cache.
///
/// The targets of one label or one address are one resolver: what one of them was asked first the
/// others find in the cache.
final class WarmupAnswers: Sendable {
    private struct Answer {
        var target: Int
        var question: Int
        var sent: Timestamp
        var observation: Observation
    }

    private let answers = Mutex<[Answer]>([])
    private let targets: [Recording.Target]
    /// For each target the first that is the same resolver.
    private let resolvers: [Int]

    init(_ plan: Plan) {
        targets = plan.targets
        resolvers = zip(plan.targets, plan.targetGroups).map { target, group in
            plan.targets.indices.first {
                plan.targets[$0].label == target.label || plan.targetGroups[$0] == group
            } ?? 0
        }
    }

    /// Takes in what came of a query of the warm-up.
    func note(_ observation: Observation, of probe: Probe) {
        guard let sent = observation.sent, resolvers.indices.contains(probe.target) else { return }
        let answer = Answer(
            target: probe.target,
            question: probe.question,
            sent: sent,
            observation: observation
        )
        answers.withLock { $0.append(answer) }
    }

    /// Says in the first sample of each target of a round what the warm-up before it told of the
    /// resolver's cache.
    func tell(in round: inout Recording) {
        var surroundings = Surroundings()
        for sample in round.samples where asksCachedNames(sample.target) {
            let target = Int(sample.target)
            let question = Int(sample.question)
            surroundings.note(sample.observation, of: resolvers[target], question)
            surroundings.noteCached(sample.observation, of: target)
        }
        let tallies = tallies(in: surroundings)
        var told: Set<Int32> = []
        for index in round.samples.indices {
            let target = round.samples[index].target
            guard asksCachedNames(target), told.insert(target).inserted,
                let tally = tallies[resolvers[Int(target)]]
            else { continue }
            round.samples[index].observation.add(warmup: tally)
        }
    }

    private func asksCachedNames(_ target: Int32) -> Bool {
        targets.indices.contains(Int(target)) && targets[Int(target)].series.asksCachedNames
    }

    /// By resolver.
    private func tallies(in surroundings: Surroundings) -> [Int: WarmupTally] {
        struct Name: Hashable {
            let resolver: Int
            let question: Int
        }
        var surroundings = surroundings
        var first: [Name: Answer] = [:]
        for answer in answers.withLock({ $0 }) {
            let resolver = resolvers[answer.target]
            surroundings.note(answer.observation, of: resolver, answer.question)
            let name = Name(resolver: resolver, question: answer.question)
            if let known = first[name], known.sent <= answer.sent { continue }
            first[name] = answer
        }
        var shares: [Int: HitShare] = [:]
        var missed: [Int: [Double]] = [:]
        for (name, answer) in first {
            let isHit = surroundings.isHit(
                answer.observation,
                of: name.resolver,
                at: answer.target,
                name.question
            )
            shares[name.resolver, default: HitShare()].note(isHit)
            if isHit == false, let roundTrip = answer.observation.roundTrip {
                missed[name.resolver, default: []].append(Double(roundTrip))
            }
        }
        let known = shares.filter { $0.value.hits + $0.value.misses > 0 }
        return known.reduce(into: [:]) { tallies, entry in
            let (resolver, share) = entry
            tallies[resolver] = WarmupTally(
                hits: UInt32(clamping: share.hits),
                misses: UInt32(clamping: share.misses),
                missTime: missed[resolver]?.median.map { Int64($0) }
            )
        }
    }
}

/// What a round says of answers from the caches, to tell others by.
private struct Surroundings {
    /// By resolver.
    private var ttls: [Int: [UInt32]] = [:]
    /// By question.
    private var largest: [Int: UInt32] = [:]
    /// By target, of names that were just asked before, in milliseconds.
    private var cached: [Int: [Double]] = [:]

    mutating func note(_ observation: Observation, of resolver: Int, _ question: Int) {
        guard observation.outcome == .answered, let ttl = observation.ttl else { return }
        ttls[resolver, default: []].append(ttl)
        largest[question] = max(largest[question] ?? 0, ttl)
    }

    mutating func noteCached(_ observation: Observation, of target: Int) {
        guard observation.cache != .miss, let time = observation.answerTime(in: .cached) else {
            return
        }
        cached[target, default: []].append(time)
    }

    /// `nil` where it cannot be told.
    func isHit(
        _ observation: Observation,
        of resolver: Int,
        at target: Int,
        _ question: Int
    ) -> Bool? {
        // Without the latest time of a hit no miss would be told, and hits were all that there is.
        guard let time = observation.answerTime(in: .cached),
            let latest = CacheRule.latestHit(cached[target] ?? [], least: CacheRule.leastInRound)
        else { return nil }
        return CacheRule.isHit(
            ttl: observation.ttl,
            largest: largest[question],
            time: time,
            latest: latest,
            countsDown: CacheRule.countsDown(ttls[resolver] ?? [])
        )
    }
}
