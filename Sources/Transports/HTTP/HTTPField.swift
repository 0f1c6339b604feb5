/// A field of an answer's header that a client of DNS has to know; all others are passed over.
enum HTTPField: Equatable {
    /// `nil` where it is no number.
    case status(Int?)
    case contentType(String)

    /// As much of a content type is kept.
    private static let longestType = 128

    /// The field of that name, which is read before anything of the value is.
    init?(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        if name.elementsEqual(":status".utf8) {
            self = .status(Int(String(decoding: value.prefix(4), as: UTF8.self)))
        } else if name.elementsEqual("content-type".utf8) {
            self = .contentType(String(decoding: value.prefix(Self.longestType), as: UTF8.self))
        } else {
            return nil
        }
    }
}

/// How much has come of the headers of one answer, its interim answers' and its trailer among them.
struct HTTPHeaderCount {
    static let mostFields = 64
    /// As the other end is told: of each field name and value, and 32 more (RFC 9113 §6.5.2,
    /// RFC 9114 §4.2.2).
    static let mostOctets = 16_384
    /// RFC 9110 §15.2.
    static let mostInterim = 8

    /// What a field is worth.
    enum Reading: Equatable {
        case known(HTTPField)
        case other
        /// One too many, in words; said once.
        case excess(String)
    }

    private var fields = 0
    private var octets = 0
    private var interim = 0
    private var isOver = false

    /// Counts a field.
    mutating func take(
        _ name: some Collection<UInt8>,
        _ value: some Collection<UInt8>
    ) -> Reading {
        guard !isOver else { return .other }
        fields += 1
        octets += name.count + value.count + 32
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
        return octets > Self.mostOctets ? "more than \(Self.mostOctets) octets of header" : nil
    }
}
