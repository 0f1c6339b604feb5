package import Failures

/// Why rounds were not written: one line that says what to do.
package struct RemoteWriteError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    package var description: String

    package init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }
}
