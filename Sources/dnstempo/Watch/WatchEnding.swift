import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How a watch was told to end, if it was.
final class WatchEnding: Sendable {
    private let signal = Mutex<Int32?>(nil)

    func note(_ number: Int32) { signal.withLock { $0 = $0 ?? number } }

    /// By Ctrl-C; a service manager's SIGTERM is the ordinary end.
    var isInterrupted: Bool { signal.withLock { $0 == SIGINT } }
}
