import DNSWire

/// What has come of the answer to one HTTP request, and what it is worth (RFC 8484 §4.2).
///
/// What is no DNS message is `malformed`: somebody answered this very query, in time, and the
/// answer is of no use.
struct HTTPAnswer {
    private var status: Int?
    private var contentType: String?
    private(set) var content: [UInt8] = []
    /// When the last octet of the content came, or without any that of the header.
    private(set) var arrival: Arrival?

    /// As large as a message can be (RFC 1035 §4.2.2).
    private static let largest = 65_535

    /// Whether more has come than a message can have.
    var isOversized: Bool { content.count > Self.largest }

    /// Takes one field of a header.
    mutating func take(_ field: HTTPField, _ arrival: Arrival) {
        switch field {
        case .status(let status):
            // An interim answer (RFC 9110 §15.2) is followed by the final one.
            self.status = status
            contentType = nil
        case .contentType(let type): contentType = type
        }
        self.arrival = arrival
    }

    /// Takes octets of the content, but not more than it takes to know that there are too many.
    mutating func take(_ octets: some Collection<UInt8>, _ arrival: Arrival) {
        content += octets.prefix(Self.largest + 1 - content.count)
        self.arrival = arrival
    }

    /// Whether it only says that the request is to come again after the handshake (RFC 8470 §5.2).
    var isTooEarly: Bool { status == 425 }

    /// How much has come, in words; `nil` for nothing.
    var progress: String? {
        arrival == nil ? nil : "after \(content.count) octets of the answer"
    }

    /// What the whole of it is to `attempt`.
    @EventLoopActor
    func result(for attempt: Attempt) -> Exchange.Result {
        if isOversized { return .malformed("more than \(Self.largest) octets") }
        guard let status else { return .malformed("no HTTP status") }
        guard (200...299).contains(status) else { return .malformed("HTTP status \(status)") }
        let type = contentType?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == HTTPRequest.contentType else {
            let other = type.map { "content type '\($0)'" } ?? "no content type"
            return .malformed("\(other), not '\(HTTPRequest.contentType)'")
        }
        switch unsafe content.withUnsafeBytes({ unsafe attempt.read($0) }) {
        case .malformed(let reason): return .malformed(reason)
        case .response(let response): return .response(response)
        // Nothing else can follow where a request has one answer.
        case .stray(.wrongID): return .malformed("the answer has another ID")
        case .stray(.wrongQuestion): return .malformed("the answer is to another question")
        case .stray(.notAResponse): return .malformed("the answer is a query")
        }
    }
}
