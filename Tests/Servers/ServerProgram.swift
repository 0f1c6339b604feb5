/// A name server that can be started on loopback: what to run, with which files.
package protocol ServerProgram: Sendable {
    /// The command and Debian's package that has it.
    static var command: String { get }
    static var package: String { get }

    /// The address to listen on: 127.0.0.1 or ::1.
    var address: String { get }

    /// How many ports it listens on.
    var portCount: Int { get }

    /// Whether it accepts connections, which is then waited for.
    var answersTCP: Bool { get }

    /// The condition at each port that shows that the server is ready.
    var sign: ReadinessSign { get }

    /// Writes its files into `folder` and returns its arguments.
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
    /// It answers a query over UDP, whatever the code.
    case answersDNS
    /// It says which versions of QUIC it speaks (RFC 9000 §6).
    case speaksQUIC
    /// It accepts connections, and that is all.
    case accepts
}
