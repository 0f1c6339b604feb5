#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A call to the system that failed: which one, and its errno.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    /// Takes the errno that `call` has just left.
    init(_ call: String) {
        self.call = call
        code = errno
    }

    init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(reason)" }

    /// What the system says of the errno, in its words.
    var reason: String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
