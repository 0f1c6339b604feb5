import DNSWire
import Samples
import Statistics

/// An apparent limit of a resolver on the rate of queries.
package struct RateLimit: Hashable, Sendable {
    /// The resolver's response to queries above the limit.
    package enum Response: String, Hashable, Sendable, CaseIterable {
        case refused, silence
        /// Truncated answers over UDP, and no answers to other queries (response rate limiting, "slip").
        case truncated
    }

    package let response: Response
    /// The number of queries that were answered before at least half of the rest failed; `nil` if failures
    /// depend on the rate instead.
    package let answersBefore: Int?
    /// Answered queries per second above the limit; `nil` if unknown.
    package let answersPerSecond: Double?
}

/// The queries to one target, with the data for detecting a limit.
struct RateLimitTally: Sendable {
    private enum Fate: UInt8, Sendable { case answered, refused, silence, truncated, other }

    /// The ``Sample/departure``, question and fate of each query, in the order of the recording.
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
        // The query is repeated over TCP, where rates are not limited.
        if observation.extras?.udp != nil { return .truncated }
        if observation.outcome == .timeout {
            // Something else came back, for another reason.
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

    /// Returns the apparent limit; `nil` without one.
    func limit() -> RateLimit? {
        // A resolver that always fails, or never fails, has no limit.
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

    /// A few truncated answers are sufficient, because the other queries above the limit are dropped.
    private static func response(of fates: [Fate]) -> RateLimit.Response? {
        let refused = fates.count { $0 == .refused }
        let silence = fates.count { $0 == .silence }
        let truncated = fates.count { $0 == .truncated }
        if refused > silence + truncated { return .refused }
        return 4 * truncated >= silence ? .truncated : .silence
    }

    /// The minimum number of answers before the first failure, for a limit that is derived from this number.
    private static let leastBefore = 20

    /// Returns the number of answers before the first failure if at least half of the rest failed; otherwise
    /// `nil`.
    private func answersBefore(_ order: [Int]) -> Int? {
        let isFailed = order.map { fates[$0] != .answered && fates[$0] != .other }
        guard let first = isFailed.firstIndex(of: true) else { return nil }
        let answered = order[..<first].count { fates[$0] == .answered }
        let failed = isFailed[first...].count { $0 }
        return answered >= Self.leastBefore && failed >= RateDependence.least
            && 2 * failed >= order.count - first ? answered : nil
    }
}

/// The resolver and endpoint to which a limit applies.
private struct Place: Hashable {
    var label: String
    var endpoint: String
    var transport: Recording.Transport

    init(_ target: Recording.Target) {
        (label, endpoint, transport) = (target.label, target.endpoint, target.transport)
    }
}

extension [RateLimitTally] {
    /// Returns the limits of targets by their index. The targets of one resolver at one endpoint share a
    /// limit, which is listed for the first of them.
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
