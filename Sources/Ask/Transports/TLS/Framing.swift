/// The protocol inside a TLS connection.
@EventLoopActor
protocol Framing: QueryContent {
    /// The framing for the protocol name that the peer selected (RFC 7301), or for no selection. `nil` if no
    /// framing fits.
    func choose(_ name: String?) -> (any Framing)?
    /// Whether queries may be sent as early data (RFC 8446 §2.3). `name` is the protocol that the peer
    /// selected in the earlier session.
    func allowsEarly(after name: String?) -> Bool
    /// Whether the connection carries a query that the message ID cannot distinguish from another.
    func isTaken(_ id: UInt16) -> Bool

    /// Accepts `query`, which the next call of ``outgoing()`` sends.
    func add(_ query: StreamQuery)
    /// Abandons `query` and stops waiting for its answer.
    func leave(_ query: StreamQuery)
    /// The bytes to send next, as one record; `nil` without any.
    func outgoing() throws(ConnectionEnd) -> OutgoingRecord?
    /// Processes received bytes, and ends the queries that they answer.
    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd)
    /// Processes the orderly end of the received data.
    func takeEnd(_ arrival: Arrival)
    /// Adds the notice to the last data sent that no more data follows.
    func finish()
}

extension Framing {
    func choose(_ name: String?) -> (any Framing)? { self }
    func allowsEarly(after name: String?) -> Bool { true }
    func isTaken(_ id: UInt16) -> Bool { false }
    func takeEnd(_ arrival: Arrival) {}
    func finish() {}
}

/// Bytes to send, and the queries that end with these bytes.
struct OutgoingRecord {
    var bytes: [UInt8]
    var queries: [StreamQuery] = []
}
