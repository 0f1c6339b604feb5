/// Why rounds were not written: one line that says what to do.
package struct RemoteWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault; the exit code is sysexits.h's.
    package enum Kind: Int32, Hashable, Sendable {
        case usage = 64
        case noLibrary = 69
        /// The receiver is away, too slow, or has a fault.
        case unavailable = 75
        /// It takes nothing from here, or nothing at this URL.
        case refused = 78
    }

    package var kind: Kind
    package var description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
