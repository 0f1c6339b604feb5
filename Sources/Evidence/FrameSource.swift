import Catalogue
import DNSWire
import SwiftProtobuf

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all frames of a bundle have alike: who measured, and with what; and whom, by the plan's index of
/// targets. It is encoded once, since fields may come in any order (Protocol Buffers, Encoding).
struct FrameSource: Sendable {
    /// The fields of a message to one resolver, but its times and itself.
    struct Heads: Sendable {
        private let query, response, furtherQuery, furtherResponse: [UInt8]

        fileprivate init(_ endpoint: Endpoint) throws {
            func head(_ type: DnstapMessage.Kind, isFurther: Bool) throws -> [UInt8] {
                var message = DnstapMessage(to: endpoint, isFurther: isFurther)
                message.type = type
                return try message.serializedBytes()
            }
            query = try head(.toolQuery, isFurther: false)
            response = try head(.toolResponse, isFurther: false)
            furtherQuery = try head(.toolQuery, isFurther: true)
            furtherResponse = try head(.toolResponse, isFurther: true)
        }

        /// A message that its own fields are added to; `isFurther` where it is not of the first sending.
        func message(isResponse: Bool, isFurther: Bool) -> EncodedFields {
            EncodedFields(
                isFurther
                    ? isResponse ? furtherResponse : furtherQuery : isResponse ? response : query
            )
        }
    }

    let heads: [Heads]
    private let frame: [UInt8]

    init(identity: String, version: String, endpoints: [Endpoint]) throws {
        var frame = Dnstap()
        frame.type = .message
        frame.identity = Data(identity.utf8)
        frame.version = Data(version.utf8)
        self.frame = try frame.serializedBytes()
        heads = try endpoints.map(Heads.init)
    }

    /// The frame of `message`; `facts` are those of its exchange, in the first of its frames.
    func frame(_ message: EncodedFields, facts: [UInt8]?) -> [UInt8] {
        var fields = EncodedFields(
            frame,
            reserving: message.octets.count + (facts?.count ?? 0)
        )
        if let facts { fields.add(facts.span, as: .extra) }
        fields.add(message.octets.span, as: .message)
        return fields.octets
    }
}

/// A message of which fields are added to those that SwiftProtobuf encoded (Protocol Buffers, Encoding). To have it
/// encode all of each frame took four times as long.
struct EncodedFields {
    /// Numbers of fields in Dnstap.proto and DnstapMessage.proto.
    enum Field: UInt8 {
        case extra = 3
        case queryTimeSec = 8
        case queryTimeNsec = 9
        case queryMessage = 10
        case responseTimeSec = 12
        case responseTimeNsec = 13
        case message = 14

        static let responseMessage = message
    }

    private enum WireType: UInt8 {
        case varint = 0
        case octets = 2
        case fixed32 = 5
    }

    private(set) var octets: [UInt8]

    /// Begins with `octets`; room is made for a usual message, or for so many octets.
    init(_ octets: [UInt8], reserving more: Int = 256) {
        self.octets = []
        self.octets.reserveCapacity(octets.count + more + 16)
        self.octets += octets
    }

    /// Adds a time in nanoseconds since 1970, which none is before, as seconds and what is left.
    mutating func add(_ time: Int64?, as seconds: Field, _ nanoseconds: Field) {
        guard let time else { return }
        let parts = UInt64(max(0, time)).quotientAndRemainder(dividingBy: 1_000_000_000)
        add(seconds, .varint)
        add(varint: parts.quotient)
        add(nanoseconds, .fixed32)
        for shift in stride(from: 0, to: 32, by: 8) {
            octets.append(UInt8(truncatingIfNeeded: parts.remainder >> shift))
        }
    }

    mutating func add(_ value: Span<UInt8>, as field: Field) {
        add(field, .octets)
        add(varint: UInt64(value.count))
        unsafe value.withUnsafeBufferPointer { unsafe octets.append(contentsOf: $0) }
    }

    private mutating func add(_ field: Field, _ type: WireType) {
        octets.append(field.rawValue << 3 | type.rawValue)
    }

    private mutating func add(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        octets.append(UInt8(rest))
    }
}

extension DnstapMessage {
    /// A message to a resolver; a further one goes over TCP where the first went over UDP.
    fileprivate init(to endpoint: Endpoint, isFurther: Bool) {
        self.init()
        socketFamily = endpoint.address.family == .v4 ? .inet : .inet6
        socketProtocol =
            switch endpoint.transport {
            case .udp: isFurther ? .tcp : .udp
            case .tcp: .tcp
            case .tls: .dot
            case .https, .h3: .doh
            case .quic: .doq
            }
        responseAddress = Data(endpoint.address.octets)
        responsePort = UInt32(endpoint.port)
    }
}
