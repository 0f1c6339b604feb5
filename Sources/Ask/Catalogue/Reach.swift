/// The outcome of a TCP handshake with an address.
package enum Reach: Hashable, Sendable, Codable {
    /// The round trip of SYN and SYN-ACK as the kernel measured it (`tcpi_rtt`). Without a value
    /// from the kernel, the time to connect by this process's clock.
    case connected(Duration)
    case refused
    case silent
    /// ICMP or the system reported that the address is unreachable.
    case unreachable
    /// The address is outside the allowed networks, and nothing was sent.
    case blocked
}

/// The network's round trip to a resolver's address, from a few TCP handshakes outside the timed
/// queries. It excludes the resolver's own processing time.
///
/// It is absent if no port accepts a connection. A refusal does not count, because many refusals
/// come from a firewall on the path.
package struct NetworkRTT: Hashable, Sendable, Codable {
    /// The minimum over the handshakes.
    package var roundTrip: Duration
    /// The port that accepted the connections.
    package var port: UInt16
    package var handshakes: Int

    package init(roundTrip: Duration, port: UInt16, handshakes: Int) {
        self.roundTrip = roundTrip
        self.port = port
        self.handshakes = handshakes
    }
}
