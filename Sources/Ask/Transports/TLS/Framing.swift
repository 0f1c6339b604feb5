/// The inside of a TLS connection.
@EventLoopActor
protocol Framing: QueryContent {
    /// What goes on after the other end's choice among its names (RFC 7301), or after none; `nil` where
    /// nothing can.
    func choose(_ name: String?) -> (any Framing)?
    /// Whether queries may go with the beginning of the handshake (RFC 8446 §2.3) after a session in which
    /// the other end chose that name.
    func allowsEarly(after name: String?) -> Bool
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
    /// Takes the orderly end of what comes.
    func takeEnd(_ arrival: Arrival)
    /// Says with what is sent last that no more will come.
    func finish()
}

extension Framing {
    func choose(_ name: String?) -> (any Framing)? { self }
    func allowsEarly(after name: String?) -> Bool { true }
    func isTaken(_ id: UInt16) -> Bool { false }
    func takeEnd(_ arrival: Arrival) {}
    func finish() {}
}

/// Octets to send, and the queries that are sent with the last of them.
struct OutgoingRecord {
    var bytes: [UInt8]
    var queries: [StreamQuery] = []
}
