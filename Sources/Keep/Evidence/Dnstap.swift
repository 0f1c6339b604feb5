import Catalogue
import Protobuf

/// A dnstap message (dnstap.info) with the fields that dnstempo writes and reads.
struct DnstapMessage {
    enum Kind: UInt64 {
        case query = 11
        case response = 12
    }

    private enum Field {
        static let type = 1
        static let socketFamily = 2
        static let socketProtocol = 3
        static let responseAddress = 5
        static let responsePort = 7
        static let queryTime = 8
        static let queryMessage = 10
        static let responseTime = 12
        static let responseMessage = 14
    }

    private(set) var kind: Kind?
    private(set) var queryMessage: ArraySlice<UInt8>?
    private(set) var responseMessage: ArraySlice<UInt8> = []
    private var times = [MessageReader.Value?](repeating: nil, count: 14)

    /// The time of the query in nanoseconds since 1970.
    var queryTime: Int64? { time(Field.queryTime) }
    var responseTime: Int64? { time(Field.responseTime) }

    init(_ bytes: ArraySlice<UInt8>) throws(MessageReader.Fault) {
        var reader = MessageReader(bytes)
        while let (field, value) = try reader.next() {
            switch Int(clamping: field) {
            case Field.type: kind = value.number.flatMap(Kind.init(rawValue:))
            case Field.queryMessage: queryMessage = value.bytes
            case Field.responseMessage: responseMessage = value.bytes ?? []
            case let field where field < times.count: times[field] = value
            default: break
            }
        }
    }

    /// The time in nanoseconds since 1970: one field contains the seconds, the next one the nanoseconds.
    /// Larger values of a file are limited to the last time that `Int64` can hold.
    private func time(_ field: Int) -> Int64? {
        guard let seconds = times[field]?.number else { return nil }
        let whole = Int64(min(seconds, UInt64(Int64.max / Self.second) - 1))
        let rest = Int64(min(times[field + 1]?.fixed ?? 0, UInt32(Self.second) - 1))
        return whole * Self.second + rest
    }

    private static let second: Int64 = 1_000_000_000

    /// The fields that all messages to or from a resolver have in common. After a first query over UDP, a
    /// further one goes over TCP.
    static func head(_ kind: Kind, _ endpoint: Endpoint, isFurther: Bool) -> EncodedMessage {
        var message = EncodedMessage()
        message.add(kind.rawValue, as: Field.type)
        message.add(endpoint.address.family == .v4 ? 1 as UInt64 : 2, as: Field.socketFamily)
        let transport: UInt64 =
            switch endpoint.transport {
            case .udp: isFurther ? 2 : 1
            case .tcp: 2
            case .tls: 3
            case .https, .h3: 4
            case .quic: 7
            }
        message.add(transport, as: Field.socketProtocol)
        message.add(endpoint.address.bytes.span, as: Field.responseAddress)
        message.add(endpoint.port, as: Field.responsePort)
        return message
    }

    /// Adds the sending time to the head of a message. If the query was never sent, it is the time of the
    /// failed attempt.
    static func add(sent: Int64?, to message: inout EncodedMessage) {
        add(sent, Field.queryTime, to: &message)
    }

    static func add(_ query: Span<UInt8>, to message: inout EncodedMessage) {
        message.add(query, as: Field.queryMessage)
    }

    static func add(_ response: Span<UInt8>, received: Int64?, to message: inout EncodedMessage) {
        add(received, Field.responseTime, to: &message)
        message.add(response, as: Field.responseMessage)
    }

    /// Adds a time in nanoseconds since 1970. A negative time counts as 0.
    private static func add(_ time: Int64?, _ field: Int, to message: inout EncodedMessage) {
        guard let time else { return }
        let parts = max(0, time).quotientAndRemainder(dividingBy: second)
        message.addAlways(UInt64(parts.quotient), as: field)
        message.add(fixed: UInt32(parts.remainder), as: field + 1)
    }
}

/// A frame of a file: a dnstap message, and the vantage point that measured it.
struct DnstapFrame {
    private enum Field {
        static let identity = 1
        static let version = 2
        static let extra = 3
        static let message = 14
        static let type = 15
    }

    /// The type of a frame with a message. It is the only type.
    private static let hasMessage: UInt64 = 1

    /// An encoded ``ExchangeFacts``, in the first frame of each exchange.
    private(set) var extra: ArraySlice<UInt8>?
    private(set) var message: ArraySlice<UInt8> = []

    init(_ bytes: [UInt8]) throws(MessageReader.Fault) {
        var type: UInt64?
        var reader = MessageReader(bytes[...])
        while let (field, value) = try reader.next() {
            switch Int(clamping: field) {
            case Field.extra: extra = value.bytes
            case Field.message: message = value.bytes ?? []
            case Field.type: type = value.number
            default: break
            }
        }
        guard type == Self.hasMessage else { throw MessageReader.Fault() }
    }

    static func head(identity: String, version: String) -> EncodedMessage {
        var frame = EncodedMessage()
        frame.add(identity, as: Field.identity)
        frame.add(version, as: Field.version)
        frame.add(hasMessage, as: Field.type)
        return frame
    }

    static func add(
        _ message: EncodedMessage,
        facts: EncodedMessage?,
        to frame: inout EncodedMessage
    ) {
        if let facts { frame.add(facts, as: Field.extra) }
        frame.add(message, as: Field.message)
    }
}
