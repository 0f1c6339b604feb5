/// The inside of a TLS connection.
@EventLoopActor
protocol Framing: QueryContent {
    /// Whether the other end has to have chosen the protocol's name.
    var isNameRequired: Bool { get }
    /// Whether the message ID cannot tell another query from one that it carries.
    func isTaken(_ id: UInt16) -> Bool

    /// Carries `query`, once ``outgoing()`` is asked.
    func add(_ query: StreamQuery)
    /// Gives up `query`, whose answer is waited for no longer.
    func leave(_ query: StreamQuery)
    /// The octets to send next, as one record; `nil` where there are none.
    func outgoing() throws(ConnectionEnd) -> OutgoingRecord?
    /// Takes octets that came, and ends the queries that they answer.
    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd)
    /// Says with what is sent last that no more will come.
    func finish()
}

/// Octets to send, and the queries that are sent with the last of them.
struct OutgoingRecord {
    var bytes: [UInt8]
    var queries: [StreamQuery] = []
}
