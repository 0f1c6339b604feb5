package import Samples
import Synchronization

/// Classifies the answers of a run by their TTLs. A *hit* expires within a second of an earlier
/// answer of the same resolver to the same question. A *miss* expires later than all these earlier
/// answers. Resolvers are identified by their endpoints, so that two labels share the history.
///
/// The answers of a resolver that always sends the same TTL are not classified.
package final class WarmupTracker: Sendable {
    private struct Key: Hashable {
        let resolver: Int
        let question: Int

        init(_ probe: Probe, of resolver: Int? = nil) {
            self.resolver = resolver ?? probe.target
            question = probe.question
        }
    }

    private struct State {
        var histories: [Key: ExpiryHistory] = [:]
        /// Whether another query is worthwhile, by target and question, from the last warm-up
        /// answer.
        var worthAnother: [Key: Bool] = [:]
    }

    private let state = Mutex(State())
    /// For each target, the first target with its endpoint.
    private let resolvers: [Int]
    private let isCached: [Bool]

    package init(_ plan: Plan) {
        let targets = plan.targets
        let first = Dictionary(zip(targets.map(\.endpoint), targets.indices)) { first, _ in first }
        resolvers = targets.map { first[$0.endpoint] ?? 0 }
        isCached = plan.targets.map { $0.series.asksCachedNames }
    }

    /// Adds the observation of a query, and returns whether its answer was cached. `nil` if this is
    /// unknown, as for a random label, which has no earlier answer.
    package func note(_ observation: Observation, of probe: Probe) -> CacheState? {
        guard isCached.indices.contains(probe.target), isCached[probe.target] else { return nil }
        let finding = finding(observation, probe)
        if probe.round < 1 {
            let isWorthIt = [.first, .miss, .unknown].contains(finding)
            state.withLock { $0.worthAnother[Key(probe)] = isWorthIt }
        }
        return switch finding {
        case .hit: .hit
        case .miss: .miss
        case .first, .unchanging, .unknown, nil: nil
        }
    }

    /// Records that a warm-up query is sent. Until its answer arrives, no other query is
    /// worthwhile.
    func beginWarmup(_ probe: Probe) {
        state.withLock { $0.worthAnother[Key(probe)] = false }
    }

    /// Whether another warm-up query is worthwhile. It is, after the first, while the answers are
    /// fresh and their TTLs count down. It is not after a hit, a constant TTL, or no answer.
    func wantsWarmup(_ probe: Probe) -> Bool {
        state.withLock { $0.worthAnother[Key(probe)] ?? false }
    }

    private func finding(_ observation: Observation, _ probe: Probe) -> ExpiryHistory.Finding? {
        guard observation.outcome == .answered, let ttl = observation.ttl,
            let sent = observation.sent, let roundTrip = observation.roundTrip
        else { return nil }
        let key = Key(probe, of: resolvers[probe.target])
        let received = sent.advanced(by: .nanoseconds(roundTrip))
        return state.withLock { state in
            state.histories[key, default: ExpiryHistory()].note(ttl: ttl, received: received)
        }
    }
}

/// The TTLs of one resolver's answers to one question, and the state of its caches that they show.
///
/// An answer from a cache counts down to the time at which it expires. A fetched answer expires
/// later than earlier answers. Several caches behind one address have several expiry times.
struct ExpiryHistory {
    /// The relation of an answer to earlier answers.
    enum Finding: Hashable {
        /// No earlier answer is still in a cache.
        case first
        /// It expires at the time of an earlier answer.
        case hit
        /// It expires later than all earlier answers.
        case miss
        /// It has the TTL of an earlier answer that has not expired. Either no TTL counts down, or
        /// the query reached another cache.
        case unchanging
        /// It expires before the latest answer, and at the time of no earlier answer. Another cache
        /// has kept it longer.
        case unknown
    }

    private struct Expiry {
        var moment: Int64
        /// The time when the first answer with this expiry was received.
        var received: Int64
        var ttl: UInt32
    }

    /// The expiries in the order of arrival.
    private var expiries: [Expiry] = []
    /// Whether a TTL counted down, and whether a TTL stayed constant.
    private var ages = false
    private var stays = false

    /// The maximum difference of the expiry times of one cache entry, because TTLs are whole
    /// seconds.
    private static let second: Int64 = 1_000_000_000
    /// The maximum number of caches behind one address that are distinguished.
    private static let mostCaches = 32

    /// Adds an answer with this TTL in seconds, received at `received`.
    mutating func note(ttl: UInt32, received: Timestamp) -> Finding {
        let expires = received.advanced(by: .seconds(Int64(ttl)))
        let received = received.nanoseconds
        let answer = Expiry(
            moment: expires.nanoseconds,
            received: received,
            ttl: ttl
        )
        let latest = expiries.max { $0.moment < $1.moment }
        if let latest, ttl == latest.ttl, received < latest.moment,
            received - latest.received > Self.second
        {
            stays = true
        }
        if let same = expiries.first(where: { abs($0.moment - answer.moment) <= Self.second }) {
            if ttl < same.ttl { ages = true }
            return stays && !ages ? .unchanging : .hit
        }
        // An answer with a TTL of zero must not be cached, so that no later answer comes from it.
        guard ttl > 0 else { return .unchanging }
        expiries.removeAll { received - $0.moment > Self.second }
        if expiries.count >= Self.mostCaches { expiries.removeFirst() }
        expiries.append(answer)
        guard let latest else { return .first }
        if answer.moment < latest.moment { return .unknown }
        return stays && !ages ? .unchanging : .miss
    }
}
