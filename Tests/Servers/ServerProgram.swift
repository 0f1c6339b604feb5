/// A name server that can be started on loopback: what to run, with which files.
public protocol ServerProgram: Sendable {
    /// The command and Debian's package that has it.
    static var command: String { get }
    static var package: String { get }

    /// The address to listen on: 127.0.0.1 or ::1.
    var address: String { get }

    /// How many ports it listens on.
    var portCount: Int { get }

    /// Whether it accepts connections, which is then waited for.
    var answersTCP: Bool { get }

    /// Writes its files into `folder` and returns its arguments.
    func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String]
}

extension ServerProgram {
    public var portCount: Int { 1 }
    public var answersTCP: Bool { true }
}
