import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ctrl-C, a polite kill and a terminal that goes away: the first asks the run to end and to save
/// what was measured, a second Ctrl-C or kill ends the program at once.
///
/// The signals are blocked everywhere and taken by the main thread with sigwait(3), so that what
/// they lead to is ordinary code and not a signal handler. An asynchronous `main` would not do:
/// its thread waits with every signal unblocked.
enum Interruption {
    private struct Actions {
        /// What the first of the signals leads to, which one it was being told.
        var stop: (@Sendable (Int32) -> Void)?
        /// What SIGHUP leads to, where it is not the end.
        var reload: (@Sendable () -> Void)?
    }

    private struct State {
        var actions = Actions()
        /// Whether the program was asked to end.
        var isEnding = false

        /// What the first of the signals leads to; `nil` for those after it.
        mutating func takeStop() -> (@Sendable (Int32) -> Void)? {
            defer { actions.stop = nil }
            if actions.stop != nil { isEnding = true }
            return actions.stop
        }
    }

    private static let state = Mutex(State())
    /// What SIGWINCH leads to.
    private static let resized = Mutex<(@Sendable () -> Void)?>(nil)
    private static let taken = [SIGINT, SIGTERM, SIGHUP, SIGWINCH]

    /// Blocks the signals in this thread and those that it starts; to be called first of all.
    static func prepare() {
        var signals = signalSet(taken)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A signal that is ignored by default is waited for everywhere only with a handler.
        signal(SIGWINCH) { _ in }
        // A reader that has gone is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Has `action` called, on another thread, each time the terminal's window has another size.
    static func whenResized(_ action: (@Sendable () -> Void)?) { resized.withLock { $0 = action } }

    /// Begins a task, which an interruption cancels, and waits for its end. There is no moment in
    /// which it is at work and an interruption would end the program.
    static func whileRunning<Success, Fault>(
        _ begin: () -> Task<Success, Fault>
    ) async -> Task<Success, Fault> {
        let task = state.withLock { state in
            let task = begin()
            state.actions = Actions(stop: { _ in task.cancel() })
            return task
        }
        defer { state.withLock { $0.actions = Actions() } }
        _ = await task.result
        return task
    }

    /// Runs `body`; meanwhile an interruption calls `stop` with the signal's number, and SIGHUP
    /// calls `reload`, on another thread.
    static func whileServing<Result>(
        _ body: () async throws -> Result,
        stop: @escaping @Sendable (Int32) -> Void,
        reload: (@Sendable () -> Void)? = nil
    ) async rethrows -> Result {
        state.withLock { $0.actions = Actions(stop: stop, reload: reload) }
        defer { state.withLock { $0.actions = Actions() } }
        return try await body()
    }

    /// Waits for signals; the program ends elsewhere.
    static func serve() -> Never {
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
            } else if let stop = state.withLock({ $0.takeStop() }) {
                stop(number)
            } else {
                _exit(128 + number)
            }
        }
    }

    /// SIGHUP, which a terminal that goes away has sent by its shell too: it never ends a program
    /// that saves what it has.
    private static func hangUp() {
        if let reload = state.withLock({ $0.actions.reload }) { return reload() }
        if isHangUpIgnored { return }
        let (stop, isEnding) = state.withLock { ($0.takeStop(), $0.isEnding) }
        if let stop { stop(SIGHUP) } else if !isEnding { dieOfHangUp() }
    }

    /// Whether the program was started under nohup(1).
    private static var isHangUpIgnored: Bool {
        let former = signal(SIGHUP, SIG_DFL)
        signal(SIGHUP, former)
        return unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// What SIGHUP does to a program that has nothing to save.
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
