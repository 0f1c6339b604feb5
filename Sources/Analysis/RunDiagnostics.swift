package import DNSWire
package import Samples
import Statistics

/// Quality of the measuring of a run, and what its samples make suspect.
package struct RunDiagnostics: Hashable {
    /// Queries that left, and what was wrong with some of them.
    package private(set) var sent = 0
    package private(set) var late = 0
    /// Queries that left at most 1 ms and at most 10 ms after their plan.
    package private(set) var within1ms = 0
    package private(set) var within10ms = 0
    /// Names of rounds of which some were: those that go to all at one moment wait for the same thing.
    package private(set) var lateNames = 0
    /// Nanoseconds.
    package private(set) var greatestLateness: Int64 = 0
    /// Queries with a round trip, by the clock that timed them; `nil` where that is unknown.
    package private(set) var timed: [ClockSource?: Int] = [:]
    package private(set) var strays = 0
    /// By target, why queries could not reach it, and how many.
    package private(set) var unreached: [Int: [String: Int]] = [:]
    /// Names of the cached series that were answered, and with NXDOMAIN alone, in the order of the
    /// questions.
    package let unknownNames: [String]
    package let rounds: Int
    /// Rounds in which nothing could be sent to anyone.
    package private(set) var offlineRounds = 0
    /// Rounds in which all were silent.
    package let outageRounds: Int
    /// Rounds in which the machine slept.
    package let sleptRounds: Int
    /// How often queries left.
    package let rate: SendRate
    /// Round trips during which the system's clock was set.
    package private(set) var clockSteps = 0
    /// Answers of the cached series that came from no cache, and all of which it is known. A new TTL
    /// alone does not tell: a resolver may have fetched the name anew before it expired.
    package private(set) var misses = 0
    package private(set) var knownStates = 0
    /// Indexes of targets that answered from several sites, and how many.
    package private(set) var sites: [Int: Int] = [:]
    /// Indexes of targets that began to fail after so many answers.
    package private(set) var limited: [Int: Int] = [:]
    /// Pairs of targets that seem to have one cache; those of one label are one resolver in any case.
    package let sharedCaches: [[Int]]

    /// A query that leaves later than this is no longer where the plan wanted it.
    private static let tolerableLateness: Int64 = 5_000_000
    /// Fewer answers before the first failure, and fewer failures, tell of no limit.
    private static let answersBefore = 20
    private static let failuresAfter = 5

    package init(of recording: Recording) {
        rate = SendRate(of: recording)
        sharedCaches = CacheTraces(of: recording).agreeing
        unknownNames = Self.unknownNames(of: recording)
        let all = Set(recording.samples.map(\.round)).map { recording.rounds[Int($0)] }
        rounds = all.count
        outageRounds = all.count { $0.marks.contains(.outage) }
        sleptRounds = all.count { $0.marks.contains(.suspended) }
        var offline: Set<Int32> = []
        var lateNames: Set<[Int32]> = []
        var seen: [Int: Set<String>] = [:]
        for sample in recording.samples {
            let observation = sample.observation
            if observation.flags.contains(.clockStep) { clockSteps += 1 }
            if let site = observation.extras?.site {
                seen[Int(sample.target), default: []].insert(site)
            }
            // How late its queries are, and by which clock, is the sleep's doing.
            if recording.round(of: sample)?.marks.contains(.suspended) == true { continue }
            switch observation.outcome {
            case .offline: offline.insert(sample.round)
            case .blocked: break
            default:
                note(observation)
                if observation.lateness > Self.tolerableLateness {
                    lateNames.insert([sample.round, sample.question])
                }
            }
            if observation.outcome == .unreachable {
                let reason = observation.extras?.detail ?? ""
                unreached[Int(sample.target), default: [:]][reason, default: 0] += 1
            }
        }
        offlineRounds = offline.count
        self.lateNames = lateNames.count
        sites = seen.mapValues(\.count).filter { $0.value > 1 }
        for (index, samples) in recording.samplesByTarget().enumerated() {
            limited[index] = Self.answersBeforeLimit(samples)
            noteCaches(of: samples)
        }
    }

    /// A name exists for all types or for none (RFC 8020).
    private static func unknownNames(of recording: Recording) -> [String] {
        // Of a long list of names some are always gone.
        let known = recording.targets.map { [.cached, .first].contains($0.series) }
        var codes: [Int32: Set<ResponseCode>] = [:]
        for sample in recording.samples where sample.observation.outcome == .answered {
            guard known.indices.contains(Int(sample.target)), known[Int(sample.target)],
                let code = sample.observation.responseCode
            else { continue }
            codes[sample.question, default: []].insert(code)
        }
        var byName: [String: Set<ResponseCode>] = [:]
        for (question, codes) in codes where recording.questions.indices.contains(Int(question)) {
            byName[recording.questions[Int(question)].name.description, default: []]
                .formUnion(codes)
        }
        return recording.questions.map(\.name.description).uniqued
            .filter { byName[$0] == [.nxDomain] }
    }

    private mutating func note(_ observation: Observation) {
        sent += 1
        if observation.lateness > Self.tolerableLateness { late += 1 }
        if observation.lateness <= 1_000_000 { within1ms += 1 }
        if observation.lateness <= 10_000_000 { within10ms += 1 }
        greatestLateness = max(greatestLateness, observation.lateness)
        if observation.roundTrip != nil {
            timed[observation.clock, default: 0] += 1
        }
        if observation.flags.contains(.strays) { strays += 1 }
    }

    /// A miss takes longer than the resolver's hits do, as far as there are any.
    private mutating func noteCaches(of samples: [Sample]) {
        let answers = samples.map(\.observation).filter { $0.outcome == .answered }
        let times = { (state: CacheState) in
            answers.filter { $0.cache == state }.compactMap(\.roundTrip).map { Double($0) / 1e6 }
        }
        let (hits, renewals) = (times(.hit), times(.miss))
        knownStates += hits.count + renewals.count
        let latest = CacheRule.latestHit(hits, least: 1) ?? -.infinity
        misses += renewals.count { $0 > latest }
    }

    /// How many were answered before at least half of the rest timed out or were refused; `nil` where
    /// that is not how it went.
    private static func answersBeforeLimit(_ samples: [Sample]) -> Int? {
        let isRefused = samples.map { sample in
            sample.observation.outcome == .timeout
                || sample.observation.responseCode == .refused
        }
        guard let first = isRefused.firstIndex(of: true) else { return nil }
        let answered = samples[..<first].count { $0.observation.outcome == .answered }
        let rest = isRefused[first...]
        let refused = rest.count { $0 }
        return answered >= answersBefore && refused >= failuresAfter && 2 * refused >= rest.count
            ? answered : nil
    }
}

/// When the first answer of each target to each question leaves its cache.
private struct CacheTraces {
    /// Seconds, by target and question.
    private var first: [[Int32: (ttl: Double, expiry: Double)]]
    private var greatestTTL: [Int32: Double] = [:]
    private let targets: [Recording.Target]

    /// Fewer questions in common may agree by chance.
    private static let enough = 5

    init(of recording: Recording) {
        first = recording.targets.map { _ in [:] }
        targets = recording.targets
        for sample in recording.samples where first.indices.contains(Int(sample.target)) {
            let observation = sample.observation
            guard observation.outcome == .answered, let ttl = observation.ttl.map(Double.init),
                let sent = observation.sent, let roundTrip = observation.roundTrip
            else { continue }
            greatestTTL[sample.question] = max(greatestTTL[sample.question] ?? 0, ttl)
            guard first[Int(sample.target)][sample.question] == nil else { continue }
            let received = (Double(sent.nanoseconds) + Double(roundTrip)) * 1e-9
            first[Int(sample.target)][sample.question] = (ttl, received + ttl)
        }
    }

    /// Pairs with different labels and addresses whose answers leave the cache within a second of each
    /// other, of names that were in it long before they were asked for here.
    var agreeing: [[Int]] {
        // Each has to have enough of them itself.
        let old = first.indices.filter { target in
            first[target].count { isOld($1.ttl, to: $0) } >= Self.enough
        }
        return old.flatMap { left in
            old.filter { $0 > left && agree(left, $0) }.map { [left, $0] }
        }
    }

    private func isOld(_ ttl: Double, to question: Int32) -> Bool {
        let fresh = greatestTTL[question] ?? 0
        return fresh - ttl >= 30 && ttl <= 0.8 * fresh
    }

    private func agree(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (targets[left], targets[right])
        guard one.series == .cached, other.series == .cached, one.label != other.label,
            !one.endpoint.isEmpty, !other.endpoint.isEmpty, one.endpoint != other.endpoint
        else { return false }
        let distances = first[left].compactMap { question, mine -> Double? in
            guard let theirs = first[right][question], isOld(mine.ttl, to: question),
                isOld(theirs.ttl, to: question)
            else { return nil }
            return abs(mine.expiry - theirs.expiry)
        }
        let equal = distances.count { $0 <= 1 }
        return equal >= Self.enough && 10 * equal >= 9 * distances.count
    }
}
