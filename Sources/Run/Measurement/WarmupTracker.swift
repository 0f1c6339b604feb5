package import Samples
import Synchronization

/// Tells by the TTLs of a run's answers which of them came from a cache: a *hit* expires within a
/// second of an earlier answer of the same resolver to the same question, a *miss* later than all of
/// them. Resolvers are told apart by their endpoints, so that two labels share what is known.
///
/// Where a resolver hands out one TTL again and again nothing is said of its answers.
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
        /// By target and question, as the last answer of the warm-up says.
        var worthAnother: [Key: Bool] = [:]
    }

    private let state = Mutex(State())
    /// For each target the first with its endpoint.
    private let resolvers: [Int]
    private let isCached: [Bool]

    package init(_ plan: Plan) {
        let targets = plan.targets
        let first = Dictionary(zip(targets.map(\.endpoint), targets.indices)) { first, _ in first }
        resolvers = targets.map { first[$0.endpoint] ?? 0 }
        isCached = plan.targets.map { $0.series.asksCachedNames }
    }

    /// Takes in what came of a query: whether its answer was cached; `nil` where that is not known,
    /// as for a random label, which has no earlier answer.
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

    /// A query of the warm-up leaves; until its answer is there, no other is worth it.
    func beginWarmup(_ probe: Probe) {
        state.withLock { $0.worthAnother[Key(probe)] = false }
    }

    /// Whether one more query of the warm-up may tell or do something: after the first as long as
    /// the answers are fresh and age; not after a hit, an unchanging TTL, or no answer.
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

/// The TTLs of one resolver's answers to one question, and what they tell of its caches.
///
/// An answer that was in a cache counts down to the moment at which it expires; one that was just
/// fetched expires later than those before. Several caches behind one address have as many moments.
struct ExpiryHistory {
    /// The relation of one answer to those before it.
    enum Finding: Hashable {
        /// There was none before that lives on in a cache.
        case first
        /// It expires with an earlier one.
        case hit
        /// It expires later than all before.
        case miss
        /// It has the TTL of an earlier one that is not over yet: nothing here counts down, or a
        /// cache that does was not met again.
        case unchanging
        /// It expires before the latest one, with none of them: another cache has had it longer.
        case unknown
    }

    private struct Expiry {
        var moment: Int64
        /// The first answer that had it.
        var received: Int64
        var ttl: UInt32
    }

    /// By the order of coming in.
    private var expiries: [Expiry] = []
    /// Whether a TTL was seen to count down, or to stay as it was.
    private var ages = false
    private var stays = false

    /// How far apart the moments of one cache entry may seem, since TTLs are whole seconds.
    private static let second: Int64 = 1_000_000_000
    /// More caches than this behind one address are not told apart.
    private static let mostCaches = 32

    /// Takes in an answer with this TTL in seconds, received at `received`.
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
        // What may not be kept can be no later answer's source.
        guard ttl > 0 else { return .unchanging }
        expiries.removeAll { received - $0.moment > Self.second }
        if expiries.count >= Self.mostCaches { expiries.removeFirst() }
        expiries.append(answer)
        guard let latest else { return .first }
        if answer.moment < latest.moment { return .unknown }
        return stays && !ages ? .unchanging : .miss
    }
}
