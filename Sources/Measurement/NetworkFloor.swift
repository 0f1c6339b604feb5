/// The network's own round trip to a resolver's address, from a few TCP handshakes outside the timed
/// queries: what the way there takes, whoever answers.
///
/// There is none where no port accepts a connection. A refusal is not taken for one: many come from
/// a firewall on the way.
public struct NetworkFloor: Hashable, Sendable {
    /// The least of the handshakes.
    public var roundTrip: Duration
    /// The port that answered.
    public var port: UInt16
    public var handshakes: Int

    public init(roundTrip: Duration, port: UInt16, handshakes: Int) {
        self.roundTrip = roundTrip
        self.port = port
        self.handshakes = handshakes
    }
}
