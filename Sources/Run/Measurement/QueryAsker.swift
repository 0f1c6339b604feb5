import Catalogue
import Samples
import Synchronization

/// Sends the queries of a run, each in a separate task. Of the run, the tasks keep only this
/// object.
final class QueryAsker<C: Clock>: Sendable where C.Duration == Duration {
    private let clock: C
    private let start: Timestamp
    private let warmups: WarmupTracker
    private let collector: SampleCollector
    private let send: Runner.Send
    /// The number of queries that were announced and have no outcome.
    private let unfinished = Atomic(0)

    init(
        _ runner: Runner,
        _ clock: C,
        _ collector: SampleCollector,
        _ send: @escaping Runner.Send
    ) {
        self.clock = clock
        start = runner.start
        warmups = runner.warmups
        self.collector = collector
        self.send = send
    }

    /// Announces a query, before its task begins.
    func announce() { unfinished.add(1, ordering: .relaxed) }

    /// Returns once each announced query has its outcome. Returns false if the task was cancelled.
    func settle() async -> Bool {
        while unfinished.load(ordering: .acquiring) > 0 {
            let next = clock.now.advanced(by: .milliseconds(5))
            do { try await clock.sleep(until: next, tolerance: nil) } catch { return false }
        }
        return true
    }

    /// Sends an announced query that was due at `due`, and records its outcome if the round counts.
    func ask(_ probe: Probe, due: C.Instant) async {
        defer { unfinished.subtract(1, ordering: .releasing) }
        let lateness = max(.zero, due.duration(to: clock.now))
        let observation = await measure(probe, lateness)
        guard probe.round >= 1 else { return }
        let sample = observation.map {
            Sample(
                round: 0,
                target: Int32(clamping: probe.target),
                question: Int32(clamping: probe.question),
                scheduled: start.advanced(by: probe.offset),
                observation: $0
            )
        }
        collector.record(sample, at: probe.position, inRound: probe.round)
    }

    /// The observation of one query; `nil` if it was cancelled before it had an outcome.
    private func measure(_ probe: Probe, _ lateness: Duration) async -> Observation? {
        guard var observation = await send(probe, lateness) else { return nil }
        observation.lateness &+= lateness.nanoseconds
        observation.cache = warmups.note(observation, of: probe)
        return observation
    }
}
