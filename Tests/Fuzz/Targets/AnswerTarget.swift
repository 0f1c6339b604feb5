#if DEBUG || TESTABLE
import DNSWire
import FuzzJudge

/// A message as the answer to one of several pending queries. The message's ID selects the query.
enum AnswerTarget {
    /// The ID of the first query; the others follow in sequence.
    static let firstID: UInt16 = 0x1234

    /// All queries; the last one has a cookie.
    static let queries: [Query] = {
        let plain = ["A", "AAAA", "TXT", "MX", "SVCB", "HTTPS", "CAA", "NAPTR", "HIP"]
            .compactMap { word in
                RecordType(mnemonic: word).flatMap { type in
                    try? Query(Question(name: DomainName("example.org"), type: type))
                }
            }
        return plain + [plain[0].carrying(DNSCookie(client: 0x636f_6f6b_6965_2121))]
    }()

    static func take(_ message: [UInt8]) {
        let place = Int(message.number(at: 0)) - Int(firstID)
        let query = queries.indices.contains(place) ? queries[place] : queries[0]
        let id = firstID + UInt16(queries.indices.contains(place) ? place : 0)
        guard case .response(let response) = query.read(message.span, id: id) else { return }
        if let cookie = response.cookie, !cookie.starts(with: "cookie!!".utf8) {
            accuse("it has the cookie of another query")
        }
        guard let inquiry = Inquiry(sent: query.bytes(id: id)) else { accuse("a query is broken") }
        if let lie = Claim(response).lie(about: message, to: inquiry) { accuse(lie) }
    }
}
#endif
