/// A server of DNS over QUIC or HTTP/3 with the fault of its mode. Its own answers are 192.0.2.1.
package struct QUICResponder: ServerProgram {
    package static let command = Program.testPython

    package enum Mode: String, Sendable, CaseIterable {
        case plain
        /// Requires clients to prove their address first, by a retry (RFC 9000 §8.1.2).
        case retry
        /// Rejects early data, which arrives before the end of the handshake.
        case late
        /// Issues tickets that do not allow early data.
        case cautious
        /// Sends the session ticket with its first flight, before the client has finished the handshake.
        case eager
        /// Sends a ticket that ends in the middle of its extensions.
        case broken
        /// Supports only a version of QUIC that does not exist.
        case other
        /// Sends no transport parameters (RFC 9001 §8.2).
        case bare
        /// Sends one byte per datagram.
        case trickle
        /// Forwards the answers of another server.
        case forward
        /// Answers the second of two queries first.
        case swap
        /// Resets the stream in the middle of the answer.
        case reset
        /// Closes the connection in the middle of the answer.
        case close
        /// Closes the connection instead of answering.
        case leave
        /// Ends the stream without an answer.
        case empty
        /// Forgets the connection after its first answer, and resets it at the next datagram.
        case forget
        /// Receives neither datagrams of more than 1,360 bytes nor those of a handshake.
        case narrow
        /// Sends datagrams of up to 1,452 bytes.
        case large
        /// Ends connections after half a second without packets.
        case idle
        /// Ends connections after three seconds without packets.
        case rest
        /// Forgets a connection two seconds after each answer, and announces an idle timeout of one minute.
        case drop
        /// Never answers.
        case silent
        /// Waits 20 ms before each answer.
        case slow
        /// Sends an answer with another ID before the correct answer.
        case stray
        /// Answers with HTTP status 503.
        case error
        /// Sends bytes on the stream after the answer.
        case babble
        /// Sends bytes on its own streams before the answer, as many as flow control allows.
        case noise
        /// Sends more header fields, more header bytes, or more interim answers than are allowed.
        case fields, header, interim
        /// Sends content without a header.
        case headless
        /// Sends more bytes than a message can contain.
        case oversized
        /// Answers early data with HTTP status 425 (RFC 8470 §5.2).
        case premature
        /// Announces that it accepts no queries after the first query (GOAWAY).
        case goaway
        /// Resets the connections of an earlier server at the same address (RFC 9000 §10.3).
        case restarted
    }

    package enum Application: String, Sendable, CaseIterable {
        case doq, h3
    }

    package let answersTCP = false
    let certificate: Certificate
    let application: Application
    let mode: Mode
    /// The path of the log file. Each connection, query and reset adds a line. Each acknowledged query
    /// without an answer adds a line, and also each stream that the client stops.
    let log: String
    /// The server whose answers are forwarded; `nil` except in mode `forward`.
    var backend: SocketAddress?

    package init(_ application: Application, _ mode: Mode, _ certificate: Certificate, log: String)
    {
        self.application = application
        self.mode = mode
        self.certificate = certificate
        self.log = log
    }

    /// Creates a server that forwards the answers of `backend`.
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
