/// A server that floods its clients, for ten seconds at most.
package struct FloodResponder: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        /// Endless answers to others over UDP.
        case datagrams
        /// Truncated answers over UDP, and zeros over TCP.
        case zeros
        /// Truncated answers over UDP, and answers to others over TCP.
        case messages
        /// Random datagrams.
        case noise
    }

    let mode: Mode
    /// Gets a line for each flood that begins.
    let log: String

    package init(_ mode: Mode, log: String) {
        self.mode = mode
        self.log = log
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.flood_responder_py, to: "flood-responder.py")
        return [script, "\(ports[0])", mode.rawValue, log]
    }
}
