/// A relay of datagrams to a server on this machine. It plays a stranger as well, which sends something to
/// the client before each datagram of the server.
package struct HostileRelay: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        /// An empty datagram.
        case empty
        /// Datagrams that mean nothing, in the forms that QUIC has.
        case noise
        /// An ICMP error that quotes nothing.
        case unquoted
        /// One that quotes another datagram.
        case other
        /// One that quotes the client's last datagram.
        case own
        /// One that says that the client's last datagram is too large for the way.
        case narrow
        /// One for each datagram of the client, and nothing of the server.
        case refused
    }

    package let address: String
    package let answersTCP = false
    let target: UInt16
    let mode: Mode
    /// Gets a line before each time that something is sent.
    let log: String

    package init(to target: UInt16, _ mode: Mode, log: String) {
        (self.target, self.mode, self.log) = (target, mode, log)
        // The system keeps the path MTU of an address for all sockets.
        address = mode == .narrow ? "127.0.0.77" : "127.0.0.1"
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.hostile_relay_py, to: "hostile-relay.py")
        return [script, address, "\(ports[0])", "\(target)", mode.rawValue, log]
    }
}
