import Catalogue
import DNSWire
import Evidence
import Transports

/// Exchanges of a plan with a resolver over each transport, with their messages.
enum EvidenceSamples {
    static let endpoints = TransportKind.allCases.enumerated().compactMap { index, kind in
        IPAddress(bytes: index == 0 ? [127, 0, 0, 1] : [UInt8](repeating: 0, count: 15) + [1]).map {
            Endpoint(transport: kind, address: $0, port: UInt16(5301 + index))
        }
    }

    static let source = EvidenceSource(
        endpoints: endpoints,
        questions: 2,
        keepsData: [],
        timeout: .seconds(5)
    )

    static let start: Int64 = 1_790_000_000_123_456_789

    /// Returns a query with ID 7. `answer` returns its answer.
    static func query() throws -> [UInt8] {
        try Query(Question(name: DomainName("example.com"), type: .a)).bytes(id: 7)
    }

    static func answer(code: UInt8 = 0, truncated: Bool = false, id: UInt8 = 7) throws -> [UInt8] {
        let query = try query()
        // The query without its OPT record of 11 bytes.
        let question = query[12..<query.count - 11]
        return [0, id, truncated ? 0x83 : 0x81, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0] + question
    }

    /// Returns a query sent at `start`, with responses after the given numbers of microseconds.
    static func sending(_ responses: [(time: Int64, message: [UInt8])] = []) throws -> SentQuery {
        SentQuery(
            message: try query(),
            sent: start,
            responses: responses.map { .init(message: $1, received: start + $0 * 1_000) }
        )
    }

    /// Returns the exchange with these messages and facts; `nil` if they do not describe an
    /// exchange.
    static func exchange(
        _ messages: [SentQuery],
        over transport: TransportKind = .udp,
        _ tell: (inout Exchange.Facts) -> Void = { _ in }
    ) -> Exchange? {
        var facts = Exchange.Facts()
        tell(&facts)
        return Exchange(
            of: messages,
            facts,
            over: transport,
            timeout: .seconds(5),
            keepsData: false
        )
    }
}
