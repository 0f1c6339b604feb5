import LibC
import Synchronization

/// Ctrl-C, a polite kill and a terminal that goes away: the first asks the run to end and to save
/// what was measured, a second Ctrl-C or kill ends the program at once.
///
/// The signals are blocked everywhere and taken by the main thread with sigwait(3), so that what
/// they lead to is ordinary code and not a signal handler. An asynchronous `main` would not do:
/// its thread waits with every signal unblocked.
package enum Signals {
    private struct State {
        /// The action of the first of the signals; `nil` after it.
        var stop: (@Sendable () -> Void)?
        /// The action of SIGHUP; false where that is the end.
        var reload: (@Sendable () -> Bool)?
        /// The signal that first asked the program to end.
        var ending: Int32?

        mutating func takeStop(_ number: Int32) -> (@Sendable () -> Void)? {
            defer { stop = nil }
            if stop != nil { ending = ending ?? number }
            return stop
        }
    }

    private static let state = Mutex(State())
    private static let resized = Mutex<(@Sendable () -> Void)?>(nil)
    private static let taken = [SIGINT, SIGTERM, SIGHUP, SIGWINCH]

    /// Blocks the signals in this thread and those that it starts; to be called first of all.
    package static func prepare() {
        var signals = signalSet(taken)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A signal that is ignored by default is waited for everywhere only with a handler.
        signal(SIGWINCH) { _ in }
        // A reader that has gone is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Has `action` called, on another thread, each time the terminal's window has another size.
    package static func whenResized(_ action: (@Sendable () -> Void)?) {
        resized.withLock { $0 = action }
    }

    /// Whether Ctrl-C or a terminal that went away asked the program to end; SIGTERM is a service
    /// manager's way.
    package static var haveInterrupted: Bool {
        state.withLock { $0.ending.map { $0 != SIGTERM } ?? false }
    }

    /// Begins a task, which an interruption cancels, and waits for its end. There is no moment in
    /// which it is at work and an interruption would end the program. SIGHUP is none where `reload`
    /// is called for it, on another thread, and returns true.
    ///
    /// Within another such task an interruption cancels both. One that begins after an interruption is
    /// cancelled at once.
    package static func whileRunning<Success, Fault>(
        reload: (@Sendable () -> Bool)? = nil,
        _ begin: () -> Task<Success, Fault>
    ) async -> Task<Success, Fault> {
        let (task, outer) = state.withLock { state in
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
        state.withLock { state in
            // Once it is taken, the next signal ends the program.
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
            } else if let stop = state.withLock({ $0.takeStop(number) }) {
                stop()
            } else {
                _exit(128 + number)
            }
        }
    }

    /// SIGHUP, which a terminal that goes away has sent by its shell too: it never ends a program
    /// that saves what it has.
    private static func hangUp() {
        if let reload = state.withLock(\.reload), reload() { return }
        if isHangUpIgnored { return }
        let (stop, ending) = state.withLock { ($0.takeStop(SIGHUP), $0.ending) }
        if let stop { stop() } else if ending == nil { dieOfHangUp() }
    }

    /// Whether the program was started under nohup(1).
    private static var isHangUpIgnored: Bool {
        let former = signal(SIGHUP, SIG_DFL)
        signal(SIGHUP, former)
        return unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The end by SIGHUP of a program that has nothing to save.
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

    /// Sleeps until `deadline`, ``end()``, or the cancellation of the task; an end since the last
    /// sleep holds for this one.
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
