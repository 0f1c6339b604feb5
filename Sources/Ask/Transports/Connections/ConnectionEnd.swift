import DNSWire

/// Why a connection ended: for each query on it, and for the other end.
struct ConnectionEnd: Error {
    /// The reason as QUIC tells the other end of it.
    enum Cause {
        /// The other end knows already, or cannot be told.
        case silent
        /// At this end, with a code of the application's.
        case application(UInt64)
        /// At this end, with ngtcp2's error.
        case failure(Int32)
        /// At this end, in the handshake: the other end's certificate is no good (RFC 9001 §4.8).
        case handshake
        /// The other end speaks other versions.
        case versions
    }

    var cause: Cause
    var result: Exchange.Result
    /// The cause of the failures of queries, where the handshake is not over.
    var fault: FailureCause?

    init(_ result: Exchange.Result, _ cause: Cause = .silent) {
        self.result = result
        self.cause = cause
    }

    init(_ error: SystemError) { self.init(error.result) }

    static let closed = ConnectionEnd(.unreachable("connection closed"))

    init(_ error: TLSError) {
        self.init(error.distrust.map { .untrusted($0) } ?? .unreachable(error.reason), .handshake)
        fault = FailureCause(.handshake, error.reason)
    }

    /// The end of a handshake, for the reason that `words` tell.
    init(handshake words: String, _ cause: Cause = .silent) {
        self.init(.unreachable(words), cause)
        fault = FailureCause(.handshake, words)
    }
}

/// Why a TLS session could not begin or go on.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    /// Set where the other end's certificate is not to be trusted.
    let distrust: Distrust?

    init(_ reason: String) {
        self.reason = reason
        distrust = nil
    }

    init(_ distrust: Distrust) {
        reason = distrust.reason
        self.distrust = distrust
    }

    package var description: String { reason }

    static func distrust(_ reason: String) -> TLSError { TLSError(Distrust(reason)) }
}
