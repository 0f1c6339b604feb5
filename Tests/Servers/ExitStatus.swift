import Foundation

/// The cause of a child process's end.
package enum ExitStatus: Hashable, Sendable {
    /// The process returned from `main` or called `exit` with this code.
    case code(Int32)
    /// This signal ended the process.
    case signal(Int32)

    /// Decodes the status that `waitpid` returns.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .code((waitStatus >> 8) & 0xff) : .signal(signal)
    }
}
