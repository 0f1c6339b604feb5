/// A relay of datagrams to a server on this machine. It is also an attacker, which sends something to the
/// client before each datagram of the server.
package struct HostileRelay: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        /// An empty datagram.
        case empty
        /// Meaningless datagrams in the forms of QUIC packets.
        case noise
        /// An ICMP error that quotes no payload.
        case unquoted
        /// An ICMP error that quotes another datagram.
        case other
        /// An ICMP error that quotes the client's last datagram.
        case own
        /// An ICMP error that reports the client's last datagram as too large for the path.
        case narrow
        /// An ICMP error for each datagram of the client. Nothing reaches the server.
        case refused
    }

    package let address: String
    package let answersTCP = false
    let target: UInt16
    let mode: Mode
    /// The path of the log file, which gets a line before each attack.
    let log: String

    package init(to target: UInt16, _ mode: Mode, log: String) {
        (self.target, self.mode, self.log) = (target, mode, log)
        // The system stores a path MTU per address, for all sockets. `narrow` therefore has its own address.
        address = mode == .narrow ? "127.0.0.77" : "127.0.0.1"
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.hostile_relay_py, to: "hostile-relay.py")
        return [script, address, "\(ports[0])", "\(target)", mode.rawValue, log]
    }
}
