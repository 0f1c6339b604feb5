package import Analysis
package import Catalogue
package import DNSWire
package import Samples
import Store
import Synchronization
import Transports

/// Traces the paths to resolvers with problems, after a round that shows the problem is stored.
/// Stores the traces with the round. It stops when the program is to end.
package final class Tracing: Sendable {
    private struct State {
        /// The rules, created on first use from the content of the store.
        var rules: TraceRules?
        var work: Task<[KeptTrace], Never>?
        var isEnded = false
    }

    private let allowed: AllowedNetworks
    /// The options of the measured queries.
    private let options: QueryOptions
    private let tell: @Sendable (Notice, KeptTrace) -> Void
    private let state = Mutex(State())

    /// The maximum number of traces at one time. Each sends at most five queries per second.
    private static let mostAtOnce = 3
    private static let gap = Duration.milliseconds(200)
    private static let longestWait = Duration.seconds(1)

    /// Creates the tracing. `tell` is called with each trace and its reason.
    package init(
        within allowed: AllowedNetworks,
        _ options: QueryOptions,
        tell: @escaping @Sendable (Notice, KeptTrace) -> Void
    ) {
        self.allowed = allowed
        self.options = options
        self.tell = tell
    }

    /// Ends the traces in progress, and begins no more.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.work?.cancel()
        }
    }

    /// Traces the paths to resolvers with problems. The problems are in `responses`, which end with
    /// `round`, or in changes established since `judged`.
    func roundStored(
        _ round: MeasuredRound,
        _ responses: [RoundResponses],
        changes: Changes?,
        judged: Timestamp?,
        now: Timestamp,
        in store: Store
    ) async throws {
        var rules = try state.withLock(\.rules) ?? Self.rules(of: store, at: round, now)
        let reasons = rules.reasons(
            after: responses,
            changes: changes,
            judged: judged,
            now: now
        )
        let traces = await traces(for: reasons, of: round, now)
        for trace in traces { rules.add(trace) }
        state.withLock { [rules] in $0.rules = rules }
        try store.note(traces)
    }

    private static func rules(
        of store: Store,
        at round: MeasuredRound,
        _ now: Timestamp
    ) throws -> TraceRules {
        let window = Store.Window(since: now.advanced(by: .zero - TraceRules.memory))
        return TraceRules(
            past: try store.traces(window).filter { $0.vantage == round.run.vantage }
        )
    }

    /// The notice with its trace, if there is a trace.
    func adding(to notice: Notice, now: Timestamp) -> Notice {
        var notice = notice
        notice.trace = state.withLock(\.rules)?.trace(for: notice, now: now)
        return notice
    }

    private func traces(
        for reasons: [Notice],
        of round: MeasuredRound,
        _ now: Timestamp
    ) async -> [KeptTrace] {
        guard !reasons.isEmpty else { return [] }
        let work = state.withLock { state -> Task<[KeptTrace], Never>? in
            guard !state.isEnded else { return nil }
            let work = Task { [self] in
                await withTaskGroup(of: KeptTrace?.self) { group in
                    var waiting = reasons[...]
                    var traces: [KeptTrace] = []
                    func begin() {
                        guard let reason = waiting.popFirst() else { return }
                        group.addTask { await self.trace(for: reason, of: round, now) }
                    }
                    for _ in 0..<Self.mostAtOnce { begin() }
                    for await trace in group {
                        begin()
                        if let trace { traces.append(trace) }
                    }
                    return traces
                }
            }
            state.work = work
            return work
        }
        return await work?.value ?? []
    }

    /// `nil` if it was interrupted, or if the resolver is no longer queried.
    private func trace(
        for reason: Notice,
        of round: MeasuredRound,
        _ now: Timestamp
    ) async -> KeptTrace? {
        let recording = round.recording
        let targets = recording.targets
        let target =
            targets.firstIndex(of: reason.target)
            ?? targets.firstIndex { $0.hasWay(of: reason.target) }
        var options = QueryOptions()
        options.nsid = self.options.nsid
        options.bufferSize = self.options.bufferSize
        guard let target, round.endpoints.indices.contains(target),
            let question = recording.questions.first,
            let query = try? Query(question, options: options)
        else { return nil }
        let probe = PathProbe(to: round.endpoints[target], allowed: allowed)
        let timeout = min(round.run.timeout, Self.longestWait)
        guard let path = await probe.trace(query, gap: Self.gap, timeout: timeout) else {
            return nil
        }
        let handshake = recording.samples.lazy.filter { $0.target == target }
            .compactMap(\.observation.extras?.networkRTT).first
        let trace = KeptTrace(
            vantage: round.run.vantage,
            run: round.run.id,
            round: Int(round.round.number),
            target: reason.target,
            kind: reason.kind.rawValue,
            since: reason.since,
            time: now,
            path: path,
            handshake: handshake.map { .nanoseconds($0) }
        )
        tell(reason, trace)
        return trace
    }
}
