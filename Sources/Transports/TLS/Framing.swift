/// The inside of a TLS connection: queries as octets, and octets as answers.
///
/// It knows nothing of sockets, sessions and clocks: the connection asks it what to send, hands it
/// what came, and stamps the queries.
@EventLoopActor
protocol Framing: AnyObject {
    /// Its name in the handshake (RFC 7301).
    var protocolName: String { get }
    /// Whether the other end has to have chosen that name.
    var isNameRequired: Bool { get }

    var takesMore: Bool { get }
    /// The queries that it carries and that have not ended.
    var waiting: [StreamQuery] { get }
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
    /// How much of the answer to `query` has come, in words; `nil` for nothing.
    func progress(of query: StreamQuery) -> String?
}

/// Octets to send, and the queries that are sent with the last of them.
struct OutgoingRecord {
    var bytes: [UInt8]
    var queries: [StreamQuery] = []
}
