/// A server that a test can start on loopback: its command, files and arguments.
package protocol ServerProgram: Sendable {
    /// The name of the command.
    static var command: String { get }
    /// The Debian package that contains the command.
    static var package: String { get }

    /// The address to listen on: 127.0.0.1 or ::1.
    var address: String { get }

    /// The number of ports on which the server listens.
    var portCount: Int { get }

    /// Whether the server accepts TCP connections. If so, the start also waits for this.
    var answersTCP: Bool { get }

    /// The sign on each port that shows that the server is ready.
    var sign: ReadinessSign { get }

    /// Writes the server's files into `folder` and returns the arguments of the command.
    func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String]
}

extension ServerProgram {
    package static var command: String { "python3" }
    package static var package: String { "python3" }
    package var address: String { "127.0.0.1" }
    package var portCount: Int { 1 }
    package var answersTCP: Bool { true }
    package var sign: ReadinessSign { .answersDNS }
}

/// The sign that shows that a server is ready.
package enum ReadinessSign: Sendable {
    /// The server answers a query over UDP, with any response code.
    case answersDNS
    /// The server lists its versions of QUIC (RFC 9000 §6).
    case speaksQUIC
    /// The server accepts TCP connections. This is the only condition.
    case accepts
}
