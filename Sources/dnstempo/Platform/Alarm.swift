import Synchronization

/// A sleep that can be ended from elsewhere.
final class Alarm: Sendable {
    private struct State {
        var hasRung = false
        var sleep: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Sleeps until `deadline`, the alarm, or the cancellation of the task; one that rang since the
    /// last sleep ends this one at once.
    func sleep<C: Clock>(until deadline: C.Instant, on clock: C) async {
        let sleep = state.withLock { state -> Task<Void, Never>? in
            if state.hasRung { return nil }
            let sleep = Task { (try? await clock.sleep(until: deadline, tolerance: nil)) ?? () }
            state.sleep = sleep
            return sleep
        }
        await sleep?.cancellingValue
        state.withLock { $0 = State() }
    }

    func ring() {
        state.withLock { state in
            state.hasRung = true
            state.sleep?.cancel()
        }
    }
}
