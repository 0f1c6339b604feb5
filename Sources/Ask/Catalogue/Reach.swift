/// The outcome of a TCP handshake with an address.
package enum Reach: Hashable, Sendable, Codable {
    /// The round trip of SYN and SYN-ACK as the kernel measured it (`tcpi_rtt`), or, where it says
    /// nothing, the time to connect by this process's clock.
    case connected(Duration)
    case refused
    case silent
    /// ICMP or the system said that there is no way.
    case unreachable
    /// The address lies outside the allowed networks; nothing was sent.
    case blocked
}

/// The network's own round trip to a resolver's address, from a few TCP handshakes outside the timed
/// queries: what the way there takes, whoever answers.
///
/// There is none where no port accepts a connection. A refusal is not taken for one: many come from
/// a firewall on the way.
package struct NetworkRTT: Hashable, Sendable, Codable {
    /// The least of the handshakes.
    package var roundTrip: Duration
    /// The port that answered.
    package var port: UInt16
    package var handshakes: Int

    package init(roundTrip: Duration, port: UInt16, handshakes: Int) {
        self.roundTrip = roundTrip
        self.port = port
        self.handshakes = handshakes
    }
}
