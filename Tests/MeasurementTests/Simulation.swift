import Measurement
import Samples
import Synchronization

/// An executor and its clock. When all tasks wait, the time jumps to the next deadline. A simulated
/// day takes a moment, and its result is always the same.
final class Simulation: TaskExecutor, Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var id: Int
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var jobs: [UnownedJob] = []
        /// Sorted by deadline; the last sleeper wakes first.
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var lastID = 0
        var isRunning = false
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// Whether the caller runs on this executor.
    var isCurrent: Bool {
        unsafe withUnsafeCurrentTask {
            unsafe $0?.unownedTaskExecutor == asUnownedTaskExecutor()
        }
    }

    /// Lets time pass while a job runs, as on a busy or suspended machine.
    func stall(_ duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    let sleeper = Sleeper(id: id, deadline: deadline, continuation: continuation)
                    let place = state.sleepers.lastIndex { $0.deadline > deadline }
                    state.sleepers.insert(sleeper, at: place.map { $0 + 1 } ?? 0)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let starts = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task.detached { self.drain() } }
    }

    private func drain() {
        while true {
            let (jobs, sleeper) = state.withLock { state -> ([UnownedJob], Sleeper?) in
                let jobs = state.jobs
                state.jobs = []
                if !jobs.isEmpty { return (jobs, nil) }
                let sleeper = state.sleepers.popLast()
                if let sleeper { state.now = max(state.now, sleeper.deadline) }
                state.isRunning = sleeper != nil
                return ([], sleeper)
            }
            if jobs.isEmpty && sleeper == nil { return }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
            sleeper?.continuation.resume()
        }
    }
}

extension Simulation {
    static let start = Timestamp(nanoseconds: 1_795_232_112_000_000_000)

    /// Runs `plan` in simulated time.
    func measure(
        _ plan: Plan,
        from start: Timestamp = start,
        choice: @escaping @Sendable (Int) -> RoundChoice = { _ in .whole },
        onRound: @escaping @Sendable (Recording) -> Void = { _ in },
        send: @escaping Runner.Send
    ) async -> MeasuredRun {
        let runner = Runner(plan: plan, run: .example, start: start)
        return await withTaskExecutorPreference(self) {
            await runner.run(on: self, send: send, choice: choice, onRound: onRound)
        }
    }
}
