import LibC
import Synchronization

/// Handles Ctrl-C, SIGTERM and a closed terminal. The first signal requests the end of the run and the
/// storage of its measurements. A second Ctrl-C or SIGTERM ends the program at once.
///
/// The signals are blocked in all threads, and the main thread receives them with sigwait(3). Their handling
/// is therefore ordinary code and not a signal handler. An asynchronous `main` is unsuitable, because its
/// thread waits with every signal unblocked.
package enum Signals {
    fileprivate struct State {
        /// The action for the first signal; `nil` after it.
        var stop: (@Sendable () -> Void)?
        /// The action for SIGHUP. If it returns false, SIGHUP ends the program.
        var reload: (@Sendable () -> Bool)?
        /// The first signal that requested the end of the program.
        var ending: Int32?

        mutating func takeStop(_ number: Int32) -> (@Sendable () -> Void)? {
            defer { stop = nil }
            if stop != nil { ending = ending ?? number }
            return stop
        }
    }

    /// The interruptions of one command of the process.
    package final class Interruptions: Sendable {
        fileprivate let state = Mutex(State())

        package init() {}

        /// Does what SIGTERM does. Returns false if it would end the program at once.
        package func terminate() -> Bool {
            guard let stop = state.withLock({ $0.takeStop(SIGTERM) }) else { return false }
            stop()
            return true
        }
    }

    /// The interruptions of this task's command. Signals reach the ones of the process.
    @TaskLocal package static var ofTask = Interruptions()

    private static let resized = Mutex<(@Sendable () -> Void)?>(nil)
    private static let taken = [SIGINT, SIGTERM, SIGHUP, SIGWINCH]

    /// Blocks the signals in this thread and in the threads that it starts. Call it before everything else.
    package static func prepare() {
        var signals = signalSet(taken)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Without a handler, sigwait(3) does not report a signal that is ignored by default on all systems.
        signal(SIGWINCH) { _ in }
        // Writing to a closed pipe is an error of the write, and does not end the program.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Calls `action` on another thread each time the size of the terminal's window changes.
    package static func whenResized(_ action: (@Sendable () -> Void)?) {
        resized.withLock { $0 = action }
    }

    /// Whether Ctrl-C or a closed terminal requested the end of the program. Service managers use SIGTERM
    /// instead.
    package static var haveInterrupted: Bool {
        ofTask.state.withLock { $0.ending.map { $0 != SIGTERM } ?? false }
    }

    /// Starts a task, which an interruption cancels, and waits for its end. During the task, the first
    /// interruption never ends the program directly. SIGHUP does not interrupt if `reload`
    /// is called for it, on another thread, and returns true.
    ///
    /// Within another such task, an interruption cancels both. A task that starts after an interruption is
    /// cancelled at once.
    package static func whileRunning<Success, Fault>(
        reload: (@Sendable () -> Bool)? = nil,
        _ begin: () -> Task<Success, Fault>
    ) async -> Task<Success, Fault> {
        let (task, outer) = ofTask.state.withLock { state in
            let task = begin()
            let outer = (stop: state.stop, reload: state.reload)
            state.reload = reload ?? outer.reload
            if state.ending != nil {
                task.cancel()
                return (task, outer)
            }
            state.stop = {
                task.cancel()
                outer.stop?()
            }
            return (task, outer)
        }
        _ = await task.result
        ofTask.state.withLock { state in
            // After the stop action was taken, the next signal ends the program.
            if state.stop != nil { state.stop = outer.stop }
            state.reload = outer.reload
        }
        return task
    }

    package static func serve() -> Never {
        var signals = signalSet(taken)
        while true {
            var number: Int32 = 0
            unsafe sigwait(&signals, &number)
            if number == SIGWINCH {
                resized.withLock { $0 }?()
                continue
            }
            if number == SIGHUP {
                hangUp()
            } else if let stop = ofTask.state.withLock({ $0.takeStop(number) }) {
                stop()
            } else {
                _exit(128 + number)
            }
        }
    }

    /// Handles SIGHUP, which the shell also sends when a terminal closes. It never ends a program that saves
    /// its data.
    private static func hangUp() {
        if let reload = ofTask.state.withLock(\.reload), reload() { return }
        if isHangUpIgnored { return }
        let (stop, ending) = ofTask.state.withLock { ($0.takeStop(SIGHUP), $0.ending) }
        if let stop { stop() } else if ending == nil { dieOfHangUp() }
    }

    /// Whether the program was started under nohup(1).
    private static var isHangUpIgnored: Bool {
        let former = signal(SIGHUP, SIG_DFL)
        signal(SIGHUP, former)
        return unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends a program without unsaved data by SIGHUP.
    private static func dieOfHangUp() {
        var signals = signalSet([SIGHUP])
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGHUP)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static func signalSet(_ numbers: [Int32]) -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        return signals
    }
}

/// A sleep that another task can end.
package final class InterruptibleSleep: Sendable {
    private struct State {
        var isEnded = false
        var sleep: Task<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Sleeps until `deadline`, ``end()``, or the cancellation of the task. A call of ``end()`` since the
    /// last sleep ends this sleep.
    package func wait<C: Clock>(until deadline: C.Instant, on clock: C) async {
        let sleep = state.withLock { state -> Task<Void, Never>? in
            if state.isEnded { return nil }
            let sleep = Task { (try? await clock.sleep(until: deadline, tolerance: nil)) ?? () }
            state.sleep = sleep
            return sleep
        }
        await sleep?.cancellingValue
        state.withLock { $0 = State() }
    }

    package func end() {
        state.withLock { state in
            state.isEnded = true
            state.sleep?.cancel()
        }
    }
}
