package import DNSWire
package import Samples
import Statistics

/// The quality of a run's measurement, and anomalies in its samples.
package struct RunDiagnostics: Hashable, Sendable {
    /// The number of queries sent, and of the queries sent late.
    package private(set) var sent = 0
    package private(set) var late = 0
    /// The numbers of queries sent at most 1 ms, and at most 10 ms, after the planned time.
    package private(set) var within1ms = 0
    package private(set) var within10ms = 0
    /// The number of names, per round, with a late query. Queries of one name that are sent at the same
    /// moment are late for the same reason.
    package fileprivate(set) var lateNames = 0
    /// The greatest delay in nanoseconds.
    package private(set) var greatestLateness: Int64 = 0
    /// The number of queries with a round trip, per clock that timed them; `nil` if the clock is unknown.
    package private(set) var timed: [ClockSource?: Int] = [:]
    package private(set) var strays = 0
    /// The number of queries that could not reach the target, per target and reason.
    package fileprivate(set) var unreached: [Int: [String: Int]] = [:]
    /// The names of the cached series that were answered, but only with NXDOMAIN, in the order of the
    /// questions.
    package fileprivate(set) var unknownNames: [String] = []
    /// The number of names of the as-found series that were answered, and of those answered only with
    /// NXDOMAIN.
    package fileprivate(set) var foundNames = FoundNameCounts()
    package private(set) var rounds = 0
    /// The number of rounds in which no query could be sent.
    package fileprivate(set) var offlineRounds = 0
    /// The number of rounds in which no resolver responded.
    package private(set) var outageRounds = 0
    /// The number of rounds during which the machine was suspended.
    package private(set) var sleptRounds = 0
    /// The rate of the sent queries.
    package fileprivate(set) var rate = SendRate()
    /// The number of round trips during which the system's clock was set.
    package fileprivate(set) var clockSteps = 0
    /// The number of answers of the cached series that were cache misses, and of all answers with a known
    /// cache state. A new TTL alone is no proof of a miss, because a resolver may have renewed the name
    /// before it expired.
    package fileprivate(set) var misses = 0
    package fileprivate(set) var knownStates = 0
    /// The number of answering sites of targets with several sites, by index.
    package fileprivate(set) var sites: [Int: Int] = [:]
    /// The number of queries with a flag, by the flag and the target's index; only targets with such queries.
    package fileprivate(set) var flagged: [SampleFlags: [Int: Int]] = [:]
    /// Apparent limits on the rate of queries, by the index of the target.
    package fileprivate(set) var limited: [Int: RateLimit] = [:]
    /// Pairs of targets that appear to share a cache. Targets with one label are the same resolver in any
    /// case.
    package fileprivate(set) var sharedCaches: [[Int]] = []

    /// The maximum delay of a query, in nanoseconds. A later query is counted as late.
    private static let tolerableLateness: Int64 = 5_000_000
    package init() {}

    /// Replaces the indices of targets. Targets without queries have no new index.
    mutating func renumber(_ targets: [Int: Int32]) {
        unreached = unreached.renumbered(targets)
        sites = sites.renumbered(targets)
        flagged = flagged.mapValues { $0.renumbered(targets) }
        limited = limited.renumbered(targets)
        sharedCaches = sharedCaches.map { $0.compactMap { targets[$0].map(Int.init) } }
    }

    /// Counts a round that has samples.
    fileprivate mutating func count(_ round: Round) {
        rounds += 1
        if round.marks.contains(.outage) { outageRounds += 1 }
        if round.marks.contains(.suspended) { sleptRounds += 1 }
    }

    fileprivate func isLate(_ observation: Observation) -> Bool {
        observation.lateness > Self.tolerableLateness
    }

    fileprivate mutating func note(_ observation: Observation) {
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
}

extension Dictionary where Key == Int {
    /// Returns the values with the new indices of targets as keys, without the targets that have none.
    func renumbered(_ targets: [Int: Int32]) -> Self {
        reduce(into: [:]) { renumbered, entry in
            if let place = targets[entry.key] { renumbered[Int(place)] = entry.value }
        }
    }
}

/// The numbers of names that were each asked once.
package struct FoundNameCounts: Hashable, Sendable {
    package var answered = 0
    /// The number of names that do not exist.
    package var unknown = 0

    /// Whether there are more unknown names than the few that have disappeared from any long list.
    package var areManyUnknown: Bool { unknown > 0 && 5 * unknown >= answered }
}

/// The sums for the diagnostics of a recording, which are added in parts.
struct DiagnosticsTally: Sendable {
    private var told = RunDiagnostics()
    private var targets: [TargetDiagnostics] = []
    private var traces = CacheTraces()
    /// The response codes of the answers of the cached series, by question.
    private var codes: [Int32: Set<ResponseCode>] = [:]
    /// The response codes of the answers of the as-found series, by question.
    private var foundCodes: [Int32: Set<ResponseCode>] = [:]

    /// Adds the next rounds of a recording, which contains only their samples.
    mutating func add(_ recording: Recording) {
        while targets.count < recording.targets.count { targets.append(TargetDiagnostics()) }
        traces.add(recording)
        var measured: Set<Int32> = []
        var offline: Set<Int32> = []
        var lateNames: Set<Int64> = []
        for sample in recording.samples {
            let observation = sample.observation
            measured.insert(sample.round)
            if observation.flags.contains(.clockStep) { told.clockSteps += 1 }
            add(sample, to: recording.targets)
            // During a suspension, the delays and the clocks of queries have no meaning.
            if recording.round(of: sample)?.marks.contains(.suspended) == true { continue }
            switch observation.outcome {
            case .offline: offline.insert(sample.round)
            case .blocked: break
            default:
                told.note(observation)
                if told.isLate(observation) {
                    lateNames.insert(Int64(sample.round) << 32 | Int64(sample.question))
                }
            }
            if observation.outcome == .unreachable, observation.extras?.cause == nil,
                targets.indices.contains(Int(sample.target))
            {
                let reason = observation.extras?.detail?.description ?? ""
                targets[Int(sample.target)].unreached[reason, default: 0] += 1
            }
        }
        told.offlineRounds += offline.count
        told.lateNames += lateNames.count
        for round in measured { told.count(recording.rounds[Int(round)]) }
    }

    private mutating func add(_ sample: Sample, to targets: [Recording.Target]) {
        let target = Int(sample.target)
        guard targets.indices.contains(target) else { return }
        self.targets[target].add(sample)
        guard sample.observation.outcome == .answered, let code = sample.observation.responseCode
        else { return }
        switch targets[target].series {
        case .cached, .first, .loaded, .loadedMarked:
            codes[sample.question, default: []].insert(code)
        case .asFound: foundCodes[sample.question, default: []].insert(code)
        case .uncached, .browser: break
        }
    }

    /// Returns the diagnostics of all parts, and frees the sums, which are large. `recording` may lack
    /// samples.
    mutating func conclude(_ recording: Recording) -> RunDiagnostics {
        defer { self = DiagnosticsTally() }
        told.limited = targets.map(\.queries).limits(of: recording.targets)
        var departures: [String: [Int64]] = [:]
        for index in targets.indices {
            departures[recording.targets[index].endpoint, default: []] +=
                targets[index].queries.departures
            targets[index].queries = RateLimitTally()
        }
        told.rate = SendRate(consume departures)
        told.sharedCaches = traces.agreeing(recording.targets)
        told.unknownNames = unknownNames(recording.questions)
        told.foundNames = FoundNameCounts(
            answered: foundCodes.count,
            unknown: foundCodes.values.count { $0 == [.nxDomain] }
        )
        for (index, target) in targets.enumerated() {
            if !target.unreached.isEmpty { told.unreached[index] = target.unreached }
            if target.sites.count > 1 { told.sites[index] = target.sites.count }
            for (flag, count) in target.flagged { told.flagged[flag, default: [:]][index] = count }
            told.knownStates += target.hits.count + target.renewals.count
            told.misses += target.misses
        }
        return told
    }

    /// A name exists for all types or for none (RFC 8020).
    private func unknownNames(_ questions: [Question]) -> [String] {
        var byName: [DomainName: Set<ResponseCode>] = [:]
        for (question, codes) in codes where questions.indices.contains(Int(question)) {
            byName[questions[Int(question)].name, default: []].formUnion(codes)
        }
        return questions.map(\.name).uniqued.filter { byName[$0] == [.nxDomain] }
            .map(\.description)
    }
}

/// The sums of one target.
private struct TargetDiagnostics {
    /// The send times and the outcomes of its queries.
    var queries = RateLimitTally()
    /// The number of queries that could not reach it, by reason.
    var unreached: [String: Int] = [:]
    private(set) var sites: Set<String> = []
    private(set) var flagged: [SampleFlags: Int] = [:]
    /// Times of cache hits and of cache misses, in milliseconds.
    private(set) var hits = AnswerTimes()
    private(set) var renewals = AnswerTimes()

    mutating func add(_ sample: Sample) {
        let observation = sample.observation
        queries.add(sample)
        if let site = observation.extras?.site { sites.insert(site) }
        for flag in Self.countedFlags where observation.flags.contains(flag) {
            flagged[flag, default: 0] += 1
        }
        guard observation.outcome == .answered, let roundTrip = observation.roundTrip else {
            return
        }
        switch observation.cache {
        case .hit: hits.append(Double(roundTrip) * 1e-6)
        case .miss: renewals.append(Double(roundTrip) * 1e-6)
        case nil: break
        }
    }

    private static let countedFlags: [SampleFlags] = [.caseChanged, .trailingBytes, .earlyRefused]

    /// The number of misses: answers with a new TTL that take longer than the resolver's hits. Without hits,
    /// all count.
    var misses: Int {
        let latest = CacheRule.latestHit(Array(hits), least: 1) ?? -.infinity
        return renewals.count { $0 > latest }
    }
}

/// The time at which the first answer of each target to each question leaves the resolver's cache.
private struct CacheTraces: Sendable {
    /// TTL and expiry in seconds, by target and question.
    private var first: [[Int32: (ttl: Double, expiry: Double)]] = []
    private var greatestTTL: [Int32: Double] = [:]

    /// The minimum number of common questions. Fewer may agree by chance.
    private static let enough = 5

    /// Adds the samples of a recording, or of a part of it.
    mutating func add(_ recording: Recording) {
        while first.count < recording.targets.count { first.append([:]) }
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

    /// Returns the pairs with different labels and addresses whose answers expire within a second of each
    /// other. Only names count that were in the cache long before the queries of this run.
    func agreeing(_ targets: [Recording.Target]) -> [[Int]] {
        // Each resolver must have enough of these names itself.
        let old = first.indices.filter { target in
            first[target].count { isOld($1.ttl, to: $0) } >= Self.enough
        }
        return old.flatMap { left in
            old.filter { $0 > left && agree(left, $0, targets) }.map { [left, $0] }
        }
    }

    private func isOld(_ ttl: Double, to question: Int32) -> Bool {
        let fresh = greatestTTL[question] ?? 0
        return fresh - ttl >= 30 && ttl <= 0.8 * fresh
    }

    private func agree(_ left: Int, _ right: Int, _ targets: [Recording.Target]) -> Bool {
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
