/// The signal by which a server ends a connection.
package enum ClosingSignal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The end of the data over TCP (RFC 9293), after an alert close_notify or without it.
    case fin = "FIN"
    /// A reset over TCP, or a stateless reset over QUIC (RFC 9000 §10.3).
    case reset = "RST"
    /// The announcement over HTTP that no more requests are accepted (RFC 9113 §6.8, RFC 9114 §5.2).
    case goAway = "GOAWAY"
    /// The end of a connection over QUIC (RFC 9000 §10.2).
    case connectionClose = "CONNECTION_CLOSE"
    /// The idle timeout on which both ends agreed, without a packet (RFC 9000 §10.1).
    case idle
    /// No signal: a query on the connection is lost.
    case silence
}

extension ClosingSignal {
    package var meaning: String {
        switch self {
        case .fin: "The server ended the stream, with or without an alert close_notify."
        case .reset: "The server reset the connection."
        case .goAway: "The server announced over HTTP that it accepts no more requests."
        case .connectionClose: "The server closed the QUIC connection."
        case .idle: "Both ends agreed on the timeout over QUIC, and no packet tells it."
        case .silence: "The server sent no signal: a query was lost."
        }
    }
}
