import DNSWire
import Samples
import Statistics

/// A limit of the rate of queries that a resolver seems to have.
package struct RateLimit: Hashable, Sendable {
    /// Responses to the queries above the limit.
    package enum Response: String, Hashable, Sendable, CaseIterable {
        case refused, silence
        /// Truncated answers over UDP, and none to other queries (response rate limiting, "slip").
        case truncated
    }

    package let response: Response
    /// Queries that were answered before at least half of the rest failed; `nil` where failures depend
    /// on the rate instead.
    package let answersBefore: Int?
    /// Answered queries per second above the limit; `nil` where that is unknown.
    package let answersPerSecond: Double?
}

/// The queries to one target, as far as a limit shows in them.
struct RateLimitTally: Sendable {
    private enum Fate: UInt8, Sendable { case answered, refused, silence, truncated, other }

    /// In the order of the recording: ``Sample/departure``, the question and the fate.
    private(set) var departures: [Int64] = []
    private var questions: [Int32] = []
    private var fates: [Fate] = []

    mutating func add(_ sample: Sample) {
        guard let departure = sample.departure else { return }
        departures.append(departure)
        questions.append(sample.question)
        fates.append(Self.fate(of: sample.observation))
    }

    private static func fate(of observation: Observation) -> Fate {
        // It is followed over TCP, where no rate is limited.
        if observation.extras?.udp != nil { return .truncated }
        if observation.outcome == .timeout {
            // Something came back, for another reason.
            return observation.extras?.cause == nil ? .silence : .other
        }
        if observation.outcome == .answered { return .answered }
        return observation.responseCode == .refused ? .refused : .other
    }

    mutating func merge(_ other: RateLimitTally) {
        departures += other.departures
        questions += other.questions
        fates += other.fates
    }

    /// The limit, if there seems to be one.
    func limit() -> RateLimit? {
        // A resolver that fails always, or never, has no limit.
        let failures = fates.count { $0 != .answered && $0 != .other }
        guard failures >= RateDependence.least, failures < fates.count,
            let response = Self.response(of: fates)
        else { return nil }
        let order = departures.indices.sorted { (departures[$0], $0) < (departures[$1], $1) }
        if let before = answersBefore(order) {
            return RateLimit(response: response, answersBefore: before, answersPerSecond: nil)
        }
        let queries = order.compactMap { index -> RateDependence.Query? in
            guard fates[index] != .other else { return nil }
            return RateDependence.Query(
                departure: departures[index],
                question: questions[index],
                failed: fates[index] != .answered
            )
        }
        guard let dependence = RateDependence(of: queries), dependence.isLimit else { return nil }
        return RateLimit(
            response: response,
            answersBefore: nil,
            answersPerSecond: dependence.answersPerSecond
        )
    }

    /// Some truncated answers are enough, since the other queries above the limit are dropped.
    private static func response(of fates: [Fate]) -> RateLimit.Response? {
        let refused = fates.count { $0 == .refused }
        let silence = fates.count { $0 == .silence }
        let truncated = fates.count { $0 == .truncated }
        if refused > silence + truncated { return .refused }
        return 4 * truncated >= silence ? .truncated : .silence
    }

    /// With fewer answers before the first failure no limit is reported for that alone.
    private static let leastBefore = 20

    /// How many were answered before at least half of the rest failed; `nil` otherwise.
    private func answersBefore(_ order: [Int]) -> Int? {
        let isFailed = order.map { fates[$0] != .answered && fates[$0] != .other }
        guard let first = isFailed.firstIndex(of: true) else { return nil }
        let answered = order[..<first].count { fates[$0] == .answered }
        let failed = isFailed[first...].count { $0 }
        return answered >= Self.leastBefore && failed >= RateDependence.least
            && 2 * failed >= order.count - first ? answered : nil
    }
}

/// The place that a limit is of.
private struct Place: Hashable {
    var label: String
    var endpoint: String
    var transport: Recording.Transport

    init(_ target: Recording.Target) {
        (label, endpoint, transport) = (target.label, target.endpoint, target.transport)
    }
}

extension [RateLimitTally] {
    /// The limits of targets by their index. The targets of one resolver at one endpoint share a limit,
    /// which the first of them has.
    func limits(of targets: [Recording.Target]) -> [Int: RateLimit] {
        var groups: [Place: [Int]] = [:]
        for index in indices where targets.indices.contains(index) {
            groups[Place(targets[index]), default: []].append(index)
        }
        return groups.values.reduce(into: [:]) { limits, group in
            guard let first = group.first else { return }
            var all = self[first]
            for index in group.dropFirst() { all.merge(self[index]) }
            limits[first] = all.limit()
        }
    }
}
