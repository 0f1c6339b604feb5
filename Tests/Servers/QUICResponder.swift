/// A server of DNS over QUIC or HTTP/3 that misbehaves as told; every answer is 192.0.2.1.
package struct QUICResponder: ServerProgram {
    package static let command = Program.testPython

    package enum Mode: String, Sendable, CaseIterable {
        case plain
        /// Clients prove their address first, by a retry (RFC 9000 §8.1.2).
        case retry
        /// What comes before the end of the handshake is not taken.
        case late
        /// Nor do tickets allow it.
        case cautious
        /// The ticket comes with the server's first flight, before the client has said anything.
        case eager
        /// The ticket ends in the middle of its extensions.
        case broken
        /// Only a version of QUIC that does not exist.
        case other
        /// No transport parameters (RFC 9001 §8.2).
        case bare
        /// One byte per datagram.
        case trickle
        /// The answers are those of another server.
        case forward
        /// Answers the second of two queries first.
        case swap
        /// The stream is reset in the middle of the answer.
        case reset
        /// The connection is closed in the middle of the answer.
        case close
        /// The connection is closed instead of an answer.
        case leave
        /// The stream ends without an answer.
        case empty
        /// The connection is forgotten after its first answer.
        case forget
        /// Connections last half a second without packets.
        case idle
        /// No answers.
        case silent
        /// 20 ms before each answer.
        case slow
        /// An answer with another ID before the right one.
        case stray
        /// HTTP's 503.
        case error
        /// Bytes on the stream after the answer.
        case babble
        /// Bytes on streams of the server's own, as many as it may, before the answer.
        case noise
        /// A header of more fields, or of more bytes, or more interim answers, than are allowed.
        case fields, header, interim
        /// Content without a header.
        case headless
        /// More than a message can hold.
        case oversized
        /// HTTP's 425 to what comes before the end of the handshake (RFC 8470 §5.2).
        case premature
        /// No more queries after the first.
        case goaway
        /// Connections of another at the same place are reset (RFC 9000 §10.3).
        case restarted
    }

    package enum Application: String, Sendable, CaseIterable {
        case doq, h3
    }

    package let answersTCP = false
    let certificate: Certificate
    let application: Application
    let mode: Mode
    /// Gets a line for each connection, each query, each acknowledged query without an answer, each reset,
    /// and each stream that the client stops.
    let log: String
    /// Whose answers are forwarded.
    var backend: SocketAddress?

    package init(_ application: Application, _ mode: Mode, _ certificate: Certificate, log: String)
    {
        self.application = application
        self.mode = mode
        self.certificate = certificate
        self.log = log
    }

    /// One that forwards the answers of `backend`.
    package init(
        _ application: Application,
        to backend: SocketAddress,
        _ certificate: Certificate,
        log: String
    ) {
        self.init(application, .forward, certificate, log: log)
        self.backend = backend
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.quic_responder_py, to: "quic-responder.py")
        return [
            "-B", script, "\(ports[0])", certificate.file, certificate.key, application.rawValue,
            mode.rawValue, log,
        ] + (backend.map { ["\($0.port)"] } ?? [])
    }
}
