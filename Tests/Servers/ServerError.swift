/// The reason why a server of the tests did not start or did not answer, and the remedy.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Returns the error of a failed system call, with the name of the call and the text of `errno`.
    static func system(_ call: String, _ code: Int32) -> ServerError {
        ServerError("\(call) failed: \(SystemError.text(of: code))")
    }
}
