#if QUIC
/// The inside of a QUIC connection.
@EventLoopActor
protocol QUICApplication: QueryContent {
    /// How many streams it needs on which only this end sends.
    var controlStreams: Int { get }
    /// The queries that it carries and that have not ended, by their streams.
    var queries: [Int64: StreamQuery] { get }

    /// Begins anew, with no queries and on as many control streams as it needs.
    func begin(on streams: [Int64]) throws(ConnectionEnd)
    /// Carries `query` on a stream that is its own, once ``outgoing()`` is asked.
    func add(_ query: StreamQuery, on stream: Int64) throws(ConnectionEnd)
    /// Gives up the query on `stream`, whose answer is waited for no longer.
    func leave(_ stream: Int64)
    /// The octets to send next; `nil` where there are none.
    func outgoing() throws(ConnectionEnd) -> StreamOctets?
    /// Takes octets that came, and ends the queries that they answer; returns what else they are a
    /// reason for.
    func take(_ octets: StreamOctets, _ arrival: Arrival) throws(ConnectionEnd) -> [StreamDemand]
    /// Nothing more will come on `stream`; with a `code` the other end has given it up.
    func end(_ stream: Int64, code: UInt64?)
    /// The code that tells the other end that a connection is closed in good order.
    var closeCode: UInt64 { get }
    /// The code that tells it that a stream's query is given up.
    var cancelCode: UInt64 { get }
}

extension QUICApplication {
    var waiting: [StreamQuery] { Array(queries.values) }

    /// The stream that `query` was sent on, if it was.
    func stream(of query: StreamQuery) -> Int64? { queries.first { $0.value === query }?.key }
}

struct StreamOctets {
    var stream: Int64
    var bytes: [UInt8]
    var isEnd: Bool
}
#endif
