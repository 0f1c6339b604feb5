import DNSWire

/// The answer to one HTTP request so far, and its evaluation (RFC 8484 §4.2).
///
/// An answer that is not a DNS message is `malformed`: it arrived in time for this query and is
/// unusable.
struct HTTPAnswer {
    private var status: Int?
    private var contentType: String?
    /// The fields that explain a status, as they were received.
    private var location: String?
    private var allow: String?
    private var retryAfter: String?
    private(set) var content: [UInt8] = []
    /// The arrival of the content's last byte; without content, that of the header's last byte.
    private(set) var arrival: Arrival?

    /// The maximum size of a message (RFC 1035 §4.2.2).
    private static let largest = 65_535

    /// Whether more bytes have arrived than a message can have.
    var isOversized: Bool { content.count > Self.largest }

    /// Processes one field of a header.
    mutating func take(_ field: HTTPField, _ arrival: Arrival) {
        switch field {
        case .status(let status):
            // The final answer follows an interim answer (RFC 9110 §15.2).
            self.status = status
            contentType = nil
            (location, allow, retryAfter) = (nil, nil, nil)
        case .contentType(let type): contentType = type
        case .location(let place): location = place
        case .allow(let methods): allow = methods
        case .retryAfter(let time): retryAfter = time
        }
        self.arrival = arrival
    }

    /// Stores bytes of the content. Stores no more than are necessary to detect that there are too many.
    mutating func take(_ data: some Collection<UInt8>, _ arrival: Arrival) {
        content += data.prefix(Self.largest + 1 - content.count)
        self.arrival = arrival
    }

    /// Whether the answer only requests the query again after the handshake (RFC 8470 §5.2).
    var isTooEarly: Bool { status == 425 }

    /// A text that states how much has arrived; `nil` for nothing.
    var progress: String? { arrival == nil ? nil : "after \(content.count) bytes of the answer" }

    /// Whether the complete answer is a DNS message, according to its header.
    var isMessage: Bool { fault == nil }

    /// The reason, as text, why the answer is not a DNS message.
    private var fault: String? {
        if isOversized { return "more than \(Self.largest) bytes" }
        guard let status else { return "no HTTP status" }
        guard (200...299).contains(status) else { return "HTTP status \(status)" }
        let type = contentType?.prefix { $0 != ";" && $0 != " " }.lowercased()
        if type == HTTPRequest.contentType { return nil }
        let other = type.map { "content type '\($0)'" } ?? "no content type"
        return "\(other), not '\(HTTPRequest.contentType)'"
    }

    /// The cause of the failure of the query with this answer.
    @EventLoopActor
    func cause(for attempt: Attempt) -> FailureCause? {
        if isOversized { return FailureCause(.message, "has more than \(Self.largest) bytes") }
        guard let status else { return nil }
        guard (200...299).contains(status) else {
            let words = ["\(status)", hint(for: status)].compactMap(\.self)
            return FailureCause(.httpStatus, words.joined(separator: " "))
        }
        guard isMessage else {
            let parts = [contentType, firstWords].compactMap(\.self)
            return FailureCause(.contentType, parts.joined(separator: ": "))
        }
        return unsafe content.withUnsafeBytes { unsafe attempt.read($0) }.cause
    }

    /// The field or the text that explains a status (RFC 9110 §15.4, §15.5.6, §10.2.3, RFC 6585 §4).
    private func hint(for status: Int) -> String? {
        switch status {
        case 300...399: location
        case 405: allow
        case 429, 503: retryAfter
        default: firstWords
        }
    }

    private var firstWords: String? { PageText.firstWords(of: content, type: contentType) }

    /// Interprets the complete answer with respect to `attempt`.
    @EventLoopActor
    func result(for attempt: Attempt) -> Exchange.Result {
        if let fault { return .malformed(fault) }
        return QueryResult(ofOnlyAnswer: unsafe content.withUnsafeBytes { unsafe attempt.read($0) })
    }
}

extension QueryResult {
    /// The result of a request with this answer. No other answer can follow.
    init(ofOnlyAnswer reading: Reading) {
        self =
            switch reading {
            case .malformed(let reason): .malformed(reason)
            case .response(let response): .response(response)
            case .stray(.wrongID): .malformed("the answer has another ID")
            case .stray(.wrongQuestion): .malformed("the answer is to another question")
            case .stray(.wrongCookie): .malformed("the answer has another cookie")
            case .stray(.notAResponse): .malformed("the answer is a query")
            }
    }
}

/// A header field that a DNS client must evaluate; all other fields are ignored.
enum HTTPField: Equatable {
    /// `nil` if the value is not a number.
    case status(Int?)
    case contentType(String)
    case location(String)
    case allow(String)
    case retryAfter(String)

    /// The maximum length of a value that is kept.
    private static let longestValue = 128

    /// The field with this name. The name is compared before the value is read.
    init?(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        if name.elementsEqual(":status".utf8) {
            self = .status(Int(String(decoding: value.prefix(4), as: UTF8.self)))
        } else if name.elementsEqual("content-type".utf8) {
            self = .contentType(Self.text(value))
        } else if name.elementsEqual("location".utf8) {
            self = .location(Self.text(value))
        } else if name.elementsEqual("allow".utf8) {
            self = .allow(Self.text(value))
        } else if name.elementsEqual("retry-after".utf8) {
            self = .retryAfter(Self.text(value))
        } else {
            return nil
        }
    }

    private static func text(_ value: some Collection<UInt8>) -> String {
        PresentationText.escaped(Array(value.prefix(longestValue)))
    }
}

/// The size of one answer's headers, including its interim answers and its trailer.
struct HTTPHeaderCount {
    static let mostFields = 64
    /// The limit that is announced to the server. It counts each field's name and value, and 32 more bytes per
    /// field (RFC 9113 §6.5.2, RFC 9114 §4.2.2).
    static let mostBytes = 16_384
    /// RFC 9110 §15.2.
    static let mostInterim = 8

    /// The result of reading one field.
    enum Reading: Equatable {
        case known(HTTPField)
        case other
        /// The text of the exceeded limit; returned once.
        case excess(String)
    }

    private var fields = 0
    private var size = 0
    private var interim = 0
    private var isOver = false

    /// Counts a field.
    mutating func take(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) -> Reading {
        guard !isOver else { return .other }
        fields += 1
        size += name.count + value.count + 32
        let field = HTTPField(name, value)
        if case .status(let status?) = field, (100...199).contains(status) { interim += 1 }
        if let words = excess {
            isOver = true
            return .excess(words)
        }
        return field.map(Reading.known) ?? .other
    }

    private var excess: String? {
        if interim > Self.mostInterim { return "more than \(Self.mostInterim) interim answers" }
        if fields > Self.mostFields { return "more than \(Self.mostFields) header fields" }
        return size > Self.mostBytes ? "more than \(Self.mostBytes) bytes of header" : nil
    }
}
