/// A server that floods its clients for at most ten seconds.
package struct FloodResponder: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        /// Sends endless answers to other queries over UDP.
        case datagrams
        /// Sends truncated answers over UDP, and zeros over TCP.
        case zeros
        /// Sends truncated answers over UDP, and answers to other queries over TCP.
        case messages
        /// Sends random datagrams.
        case noise
    }

    let mode: Mode
    /// The path of the log file, which gets a line at the start of each flood.
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
