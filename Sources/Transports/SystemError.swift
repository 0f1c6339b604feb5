#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A call to the system that failed: which one, and its errno.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    public var call: String
    public var code: Int32

    /// Takes the errno that `call` has just left.
    init(_ call: String) {
        self.call = call
        code = errno
    }

    init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    public var description: String { "\(call): \(reason)" }

    /// What the system says of the errno, in its words.
    var reason: String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
