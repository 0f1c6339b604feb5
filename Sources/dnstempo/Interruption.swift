import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ctrl-C and a polite kill: the first asks the run to end and to save what was measured, the
/// second ends the program at once.
///
/// The signals are blocked everywhere and taken by the main thread with sigwait(3), so that what
/// they lead to is ordinary code and not a signal handler. An asynchronous `main` would not do:
/// its thread waits with every signal unblocked.
enum Interruption {
    private static let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// Blocks the signals in this thread and those that it starts; to be called first of all.
    static func prepare() {
        var signals = signalSet()
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A reader that has gone is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Runs `body`; an interruption meanwhile calls `stop`, on another thread.
    static func whileRunning<Result>(
        _ body: () async throws -> Result,
        stop: @escaping @Sendable () -> Void
    ) async rethrows -> Result {
        action.withLock { $0 = stop }
        defer { action.withLock { $0 = nil } }
        return try await body()
    }

    /// Waits for signals; the program ends elsewhere.
    static func serve() -> Never {
        var signals = signalSet()
        while true {
            var number: Int32 = 0
            unsafe sigwait(&signals, &number)
            let stop = action.withLock { action in
                defer { action = nil }
                return action
            }
            guard let stop else { _exit(128 + number) }
            stop()
        }
    }

    private static func signalSet() -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        return signals
    }
}
