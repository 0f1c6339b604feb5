#if QUIC
/// The protocol inside a QUIC connection.
@EventLoopActor
protocol QUICApplication: QueryContent {
    /// The number of unidirectional streams that the client needs.
    var controlStreams: Int { get }
    /// The queries that have not ended, by stream.
    var queries: [Int64: StreamQuery] { get }

    /// Starts again without queries, on the required control streams.
    func begin(on streams: [Int64]) throws(ConnectionEnd)
    /// Accepts `query` on its own stream. The next call of ``outgoing()`` sends it.
    func add(_ query: StreamQuery, on stream: Int64) throws(ConnectionEnd)
    /// Abandons the query on `stream` and stops waiting for its answer.
    func leave(_ stream: Int64)
    /// The bytes to send next; `nil` without any.
    func outgoing() throws(ConnectionEnd) -> StreamBytes?
    /// Processes received bytes, and ends the queries that they answer. Returns the other demands of the
    /// bytes.
    func take(_ data: StreamBytes, _ arrival: Arrival) throws(ConnectionEnd) -> [StreamDemand]
    /// Processes the end of `stream`. With a `code`, the server has abandoned the stream.
    func end(_ stream: Int64, code: UInt64?)
    /// The code for the orderly end of a connection.
    var closeCode: UInt64 { get }
    /// The code for an abandoned query on a stream.
    var cancelCode: UInt64 { get }
}

extension QUICApplication {
    var waiting: [StreamQuery] { Array(queries.values) }

    /// The stream of `query`; `nil` if it was not sent.
    func stream(of query: StreamQuery) -> Int64? { queries.first { $0.value === query }?.key }
}

struct StreamBytes {
    var stream: Int64
    var bytes: [UInt8]
    var isEnd: Bool
}
#endif
