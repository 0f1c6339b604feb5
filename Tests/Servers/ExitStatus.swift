import Foundation

/// How a child process ended.
package enum ExitStatus: Hashable, Sendable {
    /// It returned from `main` or called `exit` with this code.
    case code(Int32)
    /// This signal ended it.
    case signal(Int32)

    /// Decodes what `waitpid` reports.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .code((waitStatus >> 8) & 0xff) : .signal(signal)
    }
}
