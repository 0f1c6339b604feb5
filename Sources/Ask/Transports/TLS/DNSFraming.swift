import DNSWire

extension Query {
    /// The query with the padding for encrypted transports: blocks of 128 bytes (RFC 8467 §4.1). The query is
    /// unchanged if its options exclude padding.
    var padded: Query { options.isPadded ? padded(toMultipleOf: 128) : self }
}

/// DNS messages, each preceded by its length (RFC 7858 §3.3). Several queries may wait at once. Their answers
/// arrive in any order and are matched by ID.
@EventLoopActor
final class DNSFraming: Framing {
    /// Servers of DNS over TLS do not have to support this protocol name.
    let protocolNames = ["dot"]

    private var frames = FrameReader()
    private var unsent: [StreamQuery] = []
    private var inFlight: [UInt16: StreamQuery] = [:]
    /// The IDs of abandoned queries that may still be answered.
    private var forgotten: Set<UInt16> = []

    /// All stray messages on this connection.
    private var strays = Exchange.Strays()

    /// More abandoned queries than this require a new connection.
    private static let mostForgotten = 1_000
    /// The maximum number of waiting queries. With this limit a free ID is found quickly.
    private static let mostWaiting = 16_384

    var takesMore: Bool {
        forgotten.count < Self.mostForgotten && unsent.count + inFlight.count < Self.mostWaiting
    }
    var waiting: [StreamQuery] { unsent + inFlight.values }

    func isTaken(_ id: UInt16) -> Bool {
        inFlight[id] != nil || forgotten.contains(id) || unsent.contains { $0.attempt.id == id }
    }

    func add(_ query: StreamQuery) { unsent.append(query) }

    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        if inFlight.removeValue(forKey: query.attempt.id) != nil {
            forgotten.insert(query.attempt.id)
        }
    }

    func outgoing() -> OutgoingRecord? {
        guard !unsent.isEmpty else { return nil }
        let query = unsent.removeFirst()
        inFlight[query.attempt.id] = query
        return OutgoingRecord(
            bytes: unsafe query.attempt.withFrame { bytes in unsafe [UInt8](bytes) },
            queries: [query]
        )
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd) {
        unsafe frames.append(bytes)
        while let message = try frames.next() { deliver(message, arrival) }
        if let verdict = strays.verdict { throw ConnectionEnd(verdict) }
    }

    private func deliver(_ message: [UInt8], _ arrival: Arrival) {
        let id = UInt16(message[0]) << 8 | UInt16(message[1])
        guard let query = inFlight[id] else {
            // The late answer to an abandoned query is not a stray message.
            guard forgotten.remove(id) == nil else { return }
            strays.count(.wrongID)
            for query in inFlight.values {
                query.exchange.strays.count(.wrongID)
                query.exchange.unkept.count(.wrongID)
            }
            return
        }
        if query.take(message, arrival) {
            inFlight[id] = nil
        } else {
            strays.count(.wrongQuestion)
        }
    }

    /// The progress if one query waits. With several, the query of the incomplete answer is unknown.
    func progress(of query: StreamQuery) -> String? {
        frames.isEmpty || waiting.count > 1 ? nil : frames.progress
    }
}
