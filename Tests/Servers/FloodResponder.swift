/// A server that floods whoever asks it, for ten seconds at most.
public struct FloodResponder: ServerProgram {
    public static let command = "python3"
    public static let package = "python3"

    public enum Mode: String, Sendable, CaseIterable {
        /// Endless answers to others over UDP.
        case datagrams
        /// Truncated answers over UDP, and zeros over TCP.
        case zeros
        /// Truncated answers over UDP, and answers to others over TCP.
        case messages
        /// Random datagrams.
        case noise
    }

    public let address = "127.0.0.1"
    let mode: Mode
    /// Gets a line for each flood that begins.
    let log: String

    public init(_ mode: Mode, log: String) {
        self.mode = mode
        self.log = log
    }

    public func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let text = String(decoding: PackageResources.flood_responder_py, as: UTF8.self)
        let script = try folder.write(text, to: "flood-responder.py")
        return [script, "\(ports[0])", mode.rawValue, log]
    }
}
