import Dispatch
import Files
import Processes
import Samples
package import Store
import Synchronization

/// Work on stored rounds, such as sending them to another machine.
package protocol RoundTarget: Sendable {
    /// The longest time for an attempt.
    static var limit: Duration { get }

    /// Works on what was stored. Returns whether one more attempt has to follow at once.
    func work(_ attempt: RoundFollower.Attempt) async throws -> Bool
}

/// Work that follows stored rounds in a task and a thread of its own. Another machine or program may make it
/// take long, and no round waits for it.
///
/// One attempt runs at a time. Rounds that are stored during an attempt have one more attempt follow it.
package final class RoundFollower: Sendable {
    package struct Attempt: Sendable {
        /// The store, opened for this attempt alone.
        let store: Store
        /// The round that was stored last.
        let round: MeasuredRound
        /// The rounds that were stored since the attempt before.
        let rounds: [RoundOfRun]
        let deadline: ContinuousClock.Instant
        /// A descriptor that is hung up when the attempt has to end.
        let stop: Int32
        /// Called with failures that do not end the attempt.
        let warn: @Sendable (String) -> Void
    }

    private struct State {
        var due: MeasuredRound?
        var rounds: [RoundOfRun] = []
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

    /// Rounds behind which an attempt may be; older ones are left out.
    private static let mostRounds = 1000
    /// Time for an attempt to end by itself when it has to.
    private static let patience = Duration.seconds(2)

    /// Has `target` work after rounds are stored at `path`. `warn` is called with what goes wrong.
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
            state.rounds.append(RoundOfRun(run: round.run.id, number: round.round.number))
            state.rounds.removeFirst(max(0, state.rounds.count - Self.mostRounds))
            guard state.task == nil else { return }
            state.task = Task(executorPreference: thread) { await self.run() }
        }
    }

    /// Ends the attempt that is running, and begins none after it.
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

    /// Lets go who waits for the end.
    private func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func run() async {
        while let (round, rounds) = next() {
            let file = FileIdentity(path)
            do {
                if try await attempt(round, rounds) { again(round) }
            } catch is StoreError where file != FileIdentity(path) {
                // The writer of the rounds reports a store that was moved away during the attempt.
                continue
            } catch {
                if !state.withLock(\.isEnded) { warn("\(error)") }
            }
        }
    }

    private func next() -> (MeasuredRound, [RoundOfRun])? {
        let next = state.withLock { state -> (MeasuredRound, [RoundOfRun])? in
            guard !state.isEnded, let round = state.due else {
                state.task = nil
                return nil
            }
            defer { (state.due, state.rounds) = (nil, []) }
            return (round, state.rounds)
        }
        if next == nil { release() }
        return next
    }

    private func again(_ round: MeasuredRound) {
        state.withLock { $0.due = $0.due ?? round }
    }

    private func attempt(_ round: MeasuredRound, _ rounds: [RoundOfRun]) async throws -> Bool {
        // A follower does not make a store in place of one that was moved away.
        guard AbsolutePath.isFile(path) else { return false }
        let store = try Store(path: path, durability: durability, patience: .seconds(5))
        return try await target.work(
            Attempt(
                store: store,
                round: round,
                rounds: rounds,
                deadline: .now.advanced(by: type(of: target).limit),
                stop: stop.descriptor,
                warn: warn
            )
        )
    }
}

/// All that follows the rounds of a run beside it.
struct RoundFollowers: RoundConsumer {
    private let all: [RoundFollower]

    /// Time for what is due once the last round is stored.
    private static let lastChance = Duration.seconds(30)
    /// The same time if the program was asked to end.
    private static let grace = Duration.seconds(1)

    /// Has each of `targets` work after rounds are stored at `path`, by itself.
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

    /// Returns when nothing is due any more, at the latest soon after the last chance.
    func finish() async {
        let timer = Task {
            try await Task.sleep(for: Self.lastChance)
            end()
        }
        for one in all { await one.finish() }
        timer.cancel()
    }

    /// Has all of it end soon.
    func hurry() {
        guard !all.isEmpty else { return }
        Task {
            try? await Task.sleep(for: Self.grace)
            end()
        }
    }

    private func end() { for one in all { one.end() } }
}

/// A thread for tasks that block, of which the shared ones are only as many as there are processors.
private final class BlockingThread: TaskExecutor {
    private let queue = DispatchQueue(label: "dnstempo.follower")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
