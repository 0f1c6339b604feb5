import Dispatch
import Files
import Processes
import Samples
package import Store
import Synchronization

/// Work on stored rounds, such as sending them to another machine.
package protocol RoundTarget: Sendable {
    /// The maximum time for an attempt.
    static var limit: Duration { get }

    /// Works on stored rounds. Returns whether another attempt must follow at once.
    func work(_ attempt: RoundFollower.Attempt) async throws -> Bool
}

/// Work that follows stored rounds in a separate task and thread. Another machine or program may
/// make it slow, and no round waits for it.
///
/// One attempt runs at a time. If rounds are stored during an attempt, another attempt follows it.
package final class RoundFollower: Sendable {
    package struct Attempt: Sendable {
        /// The store, opened for this attempt only.
        let store: Store
        /// The last stored round.
        let round: MeasuredRound
        /// The rounds that were stored since the previous attempt.
        let rounds: [RoundOfRun]
        /// The start of the first round that was stored after the follower was created.
        let first: Timestamp
        let deadline: ContinuousClock.Instant
        /// A descriptor that is hung up when the attempt must end.
        let stop: Int32
        /// Called with failures that do not end the attempt.
        let warn: @Sendable (String) -> Void
    }

    private struct Due {
        let round: MeasuredRound
        let rounds: [RoundOfRun]
        let first: Timestamp
    }

    private struct State {
        var due: MeasuredRound?
        var rounds: [RoundOfRun] = []
        var first: Timestamp?
        var task: Task<Void, Never>?
        var isEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let path: String
    private let durability: Store.Durability
    private let target: any RoundTarget
    private let warn: @Sendable (String) -> Void
    private let thread = BlockingThread()
    private let stop = StopDescriptor()
    private let state = Mutex(State())

    /// The maximum number of rounds that wait for an attempt. Older rounds are left out.
    private static let mostRounds = 1000
    /// The time in which an attempt must end after the request to end.
    private static let patience = Duration.seconds(2)

    /// Makes `target` work after rounds are stored at `path`. `warn` is called with errors.
    package init(
        _ target: any RoundTarget,
        _ path: String,
        _ durability: Store.Durability,
        warn: @escaping @Sendable (String) -> Void
    ) {
        (self.target, self.path, self.durability, self.warn) = (target, path, durability, warn)
    }

    package func roundStored(_ round: MeasuredRound) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.due = round
            state.first = state.first ?? round.start
            state.rounds.append(RoundOfRun(run: round.run.id, number: round.round.number))
            state.rounds.removeFirst(max(0, state.rounds.count - Self.mostRounds))
            guard state.task == nil else { return }
            state.task = Task(executorPreference: thread) { await self.run() }
        }
    }

    /// Ends the running attempt, and begins no further attempt.
    func end() {
        let task = state.withLock { state in
            state.isEnded = true
            return state.task
        }
        stop.hangUp()
        guard let task else { return }
        task.cancel()
        Task {
            try? await Task.sleep(for: Self.patience)
            release()
        }
    }

    /// Returns when no attempt is running or due, or soon after ``end()``.
    package func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.task != nil { state.waiting.append(continuation) }
                return state.task == nil
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Resumes the tasks that wait for the end.
    private func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func run() async {
        while let due = next() {
            let file = FileIdentity(path)
            do {
                if try await attempt(due) { again(due.round) }
            } catch is StoreError where file != FileIdentity(path) {
                // The writer of the rounds reports a store that was moved away during the attempt.
                continue
            } catch {
                if !state.withLock(\.isEnded) { warn("\(error)") }
            }
        }
    }

    private func next() -> Due? {
        let next = state.withLock { state -> Due? in
            guard !state.isEnded, let round = state.due, let first = state.first else {
                state.task = nil
                return nil
            }
            defer { (state.due, state.rounds) = (nil, []) }
            return Due(round: round, rounds: state.rounds, first: first)
        }
        if next == nil { release() }
        return next
    }

    private func again(_ round: MeasuredRound) {
        state.withLock { $0.due = $0.due ?? round }
    }

    private func attempt(_ due: Due) async throws -> Bool {
        // A follower does not create a new store after the store was moved away.
        guard AbsolutePath.isFile(path) else { return false }
        let store = try Store(path: path, durability: durability, patience: .seconds(5))
        return try await target.work(
            Attempt(
                store: store,
                round: due.round,
                rounds: due.rounds,
                first: due.first,
                deadline: .now.advanced(by: type(of: target).limit),
                stop: stop.descriptor,
                warn: warn
            )
        )
    }
}

/// All work that follows the rounds of a run, in parallel with the run.
struct RoundFollowers: RoundConsumer {
    private let all: [RoundFollower]

    /// The time for work that is due after the last round is stored.
    private static let lastChance = Duration.seconds(30)
    /// The time for this work after the program was asked to end.
    private static let grace = Duration.seconds(1)

    /// Makes each of `targets` work separately after rounds are stored at `path`.
    init(
        _ targets: [any RoundTarget],
        _ path: String,
        _ durability: Store.Durability,
        warn: @escaping @Sendable (String) -> Void
    ) {
        all = targets.map { RoundFollower($0, path, durability, warn: warn) }
    }

    func take(_ round: inout MeasuredRound, in store: Store?) {
        guard store != nil else { return }
        for one in all { one.roundStored(round) }
    }

    /// Returns when no work is due, or at the latest soon after the time limit.
    func finish() async {
        let timer = Task {
            try await Task.sleep(for: Self.lastChance)
            end()
        }
        for one in all { await one.finish() }
        timer.cancel()
    }

    /// Ends all work soon.
    func hurry() {
        guard !all.isEmpty else { return }
        Task {
            try? await Task.sleep(for: Self.grace)
            end()
        }
    }

    private func end() { for one in all { one.end() } }
}

/// A thread for tasks that block. The number of shared threads is only the number of processors.
private final class BlockingThread: TaskExecutor {
    private let queue = DispatchQueue(label: "dnstempo.follower")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
