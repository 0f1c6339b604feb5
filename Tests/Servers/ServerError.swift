/// Why a server of the tests could not be started or asked, and what to do.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// The error of a failed system call: its name and the text of `errno`.
    static func system(_ call: String, _ code: Int32) -> ServerError {
        ServerError("\(call) failed: \(SystemError.text(of: code))")
    }
}
