#if DEBUG || FUZZ
import DNSWire
import FuzzJudge

/// A message as the answer to one of several queries under way, which its ID chooses.
enum AnswerTarget {
    /// The IDs count from here on.
    static let firstID: UInt16 = 0x1234

    static let queries: [Query] = {
        ["A", "AAAA", "TXT", "MX", "SVCB", "HTTPS", "CAA", "NAPTR", "HIP"].compactMap { word in
            RecordType(mnemonic: word).flatMap { type in
                try? Query(Question(name: DomainName("example.org"), type: type))
            }
        }
    }()

    static func take(_ message: [UInt8]) {
        let place = Int(message.number(at: 0)) - Int(firstID)
        let query = queries.indices.contains(place) ? queries[place] : queries[0]
        let id = firstID + UInt16(queries.indices.contains(place) ? place : 0)
        guard case .response(let response) = query.read(message.span, id: id) else { return }
        guard let inquiry = Inquiry(sent: query.bytes(id: id)) else { accuse("a query is broken") }
        if let lie = Claim(response).lie(about: message, to: inquiry) { accuse(lie) }
    }
}
#endif
