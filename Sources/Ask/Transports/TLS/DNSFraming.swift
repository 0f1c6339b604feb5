import DNSWire

extension Query {
    /// Padded as encrypted queries are: to blocks of 128 octets (RFC 8467 §4.1). The same query
    /// where its options exclude padding.
    var padded: Query { options.isPadded ? padded(toMultipleOf: 128) : self }
}

/// DNS messages, each behind its length (RFC 7858 §3.3): many queries at once, matched with their
/// answers by ID, in whatever order those come.
@EventLoopActor
final class DNSFraming: Framing {
    /// Servers of DNS over TLS need not know it by name.
    let protocolNames = ["dot"]

    private var frames = FrameReader()
    private var unsent: [StreamQuery] = []
    private var inFlight: [UInt16: StreamQuery] = [:]
    /// The IDs of queries that were given up and may still be answered.
    private var forgotten: Set<UInt16> = []

    /// All on this connection so far.
    private var strays = Exchange.Strays()

    /// More than this many unanswered queries are a reason for another connection.
    private static let mostForgotten = 1_000
    /// As many may wait at once: an ID that none of them has is found at once.
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
            // The late answer to a query that was given up is no stray.
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

    /// The progress where one query waits: of several nobody knows whose answer is cut.
    func progress(of query: StreamQuery) -> String? {
        frames.isEmpty || waiting.count > 1 ? nil : frames.progress
    }
}
