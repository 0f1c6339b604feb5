#if QUIC
/// The inside of a QUIC connection: queries as octets of streams, and octets as answers.
///
/// It knows nothing of sockets, packets and clocks: the connection asks it what to send, hands it
/// what came, and stamps the queries.
@EventLoopActor
protocol QUICApplication: AnyObject {
    /// Its name in the handshake (RFC 7301).
    var protocolName: String { get }
    /// How many streams it needs on which only this end sends.
    var controlStreams: Int { get }

    var takesMore: Bool { get }
    /// The queries that it carries and that have not ended, by their streams.
    var waiting: [Int64: StreamQuery] { get }

    /// Begins anew, with no queries and on as many control streams as it needs.
    func begin(on streams: [Int64]) throws(ConnectionEnd)
    /// Carries `query` on a stream that is its own, once ``outgoing()`` is asked.
    func add(_ query: StreamQuery, on stream: Int64) throws(ConnectionEnd)
    /// The demands on the connection since the last time.
    func takeDemands() -> [QUICDemand]
    /// Gives up the query on `stream`, whose answer is waited for no longer.
    func leave(_ stream: Int64)
    /// The octets to send next; `nil` where there are none.
    func outgoing() throws(ConnectionEnd) -> StreamOctets?
    /// Takes octets that came, and ends the queries that they answer.
    func take(_ octets: StreamOctets, _ arrival: Arrival) throws(ConnectionEnd)
    /// Nothing more will come on `stream`; with a `code` the other end has given it up.
    func end(_ stream: Int64, code: UInt64?)
    /// How much of the answer on `stream` has come, in words; `nil` for nothing.
    func progress(of stream: Int64) -> String?

    /// The code that tells the other end that a connection is closed in good order.
    var closeCode: UInt64 { get }
    /// The code that tells it that a stream's query is given up.
    var cancelCode: UInt64 { get }
}

enum QUICDemand {
    /// The other end wants the query again, on a stream of its own.
    case again(StreamQuery)
    /// Nothing that still comes on the stream is of use.
    case abandon(Int64)
}

struct StreamOctets {
    var stream: Int64
    var bytes: [UInt8]
    var isEnd: Bool
}
#endif
