import Catalogue
import DNSWire

/// The reason why a connection ended, for each query on it and for the server.
struct ConnectionEnd: Error {
    /// The reason in the form in which QUIC reports it to the server.
    enum Cause {
        /// The server already knows the reason, or cannot receive it.
        case silent
        /// The client ended the connection, with an error code of the application.
        case application(UInt64)
        /// The client ended the connection, with an ngtcp2 error.
        case failure(Int32)
        /// The client ended the handshake, because the server's certificate is invalid (RFC 9001 §4.8).
        case handshake
        /// The server supports other versions only.
        case versions
    }

    var cause: Cause
    var result: Exchange.Result
    /// The cause for the failures of queries, if the handshake is incomplete.
    var fault: FailureCause?
    /// The signal of the server that the connection has ended; `nil` if only the received data tells it.
    var signal: ClosingSignal?

    init(_ result: Exchange.Result, _ cause: Cause = .silent) {
        self.result = result
        self.cause = cause
    }

    init(_ error: SystemError) {
        self.init(error.result)
        fault = error.fault
    }

    static let closed = ConnectionEnd(.unreachable("connection closed"))

    /// The orderly end of the server's data.
    static let endOfData = {
        var end = closed
        end.signal = .fin
        return end
    }()

    init(_ error: TLSError) {
        self.init(error.distrust.map { .untrusted($0) } ?? .unreachable(error.reason), .handshake)
        fault = FailureCause(error.isOfProtocol ? .alpn : .handshake, error.reason)
    }

    /// The end of a handshake, for the reason in `words`. `isOfProtocol` is `true` if the server does not
    /// speak the protocol.
    init(handshake words: String, _ cause: Cause = .silent, isOfProtocol: Bool = false) {
        self.init(.unreachable(words), cause)
        fault = FailureCause(isOfProtocol ? .alpn : .handshake, words)
    }
}

/// The reason why a TLS session could not start or continue.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    /// The reason for distrust, if the server's certificate is not trusted.
    let distrust: Distrust?
    /// Whether the server does not speak the protocol.
    let isOfProtocol: Bool

    init(_ reason: String, isOfProtocol: Bool = false) {
        self.reason = reason
        self.isOfProtocol = isOfProtocol
        distrust = nil
    }

    init(_ distrust: Distrust) {
        reason = distrust.reason
        isOfProtocol = false
        self.distrust = distrust
    }

    package var description: String { reason }

    /// The alert no_application_protocol (RFC 7301 §3.2).
    static let noApplicationProtocol: UInt32 = 120

    static func distrust(_ reason: String) -> TLSError { TLSError(Distrust(reason)) }
}
