#if QUIC
import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

extension ReceivedQuery {
    /// The QUIC version in a long header (RFC 9000 §17.2).
    fileprivate var version: UInt32 {
        bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Both connection IDs of a long header, each after its length: the recipient's and the
    /// sender's.
    private var identifiers: (destination: ArraySlice<UInt8>, source: ArraySlice<UInt8>) {
        let rest = bytes.dropFirst(5)
        let destination = rest.prefix(1 + Int(rest.first ?? 0))
        let source = rest.dropFirst(destination.count)
        return (destination, source.prefix(1 + Int(source.first ?? 0)))
    }

    /// The sender's connection ID, which identifies an attempt to connect.
    fileprivate var attempt: [UInt8] { Array(identifiers.source) }

    /// Returns a Version Negotiation packet in response to this packet (RFC 9000 §17.2.1).
    fileprivate func negotiation(offering versions: [UInt32]) -> [UInt8] {
        let octets = versions.flatMap { version in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: version >> $0) }
        }
        return [0xc0, 0, 0, 0, 0] + identifiers.source + identifiers.destination + octets
    }
}

@Suite struct QUICVersionTests {
    private static let first: UInt32 = 1
    /// Version 2 in RFC 9369, and in its draft.
    private static let second: [UInt32] = [0x6b33_43cf, 0x709a_50c4]
    private static let unknown: UInt32 = 0x1a2a_3a4a

    @Test func `a server with invalid versions is abandoned after two attempts`() async throws {
        try await withResponder { query in
            let offered = query.version == Self.first ? Self.second : [Self.first]
            return [.reply(query.negotiation(offering: offered + [Self.unknown]))]
        } _: { responder in
            let way = EncryptedTransport(
                to: try .onLoopback(.quic, responder.endpoint.port, .anybody)
            )
            let exchange = await way.exchange(try query(), timeout: .seconds(1))
            switch exchange.result {
            case .unreachable(let reason):
                #expect(reason == "the server speaks no version of QUIC that is known here")
            // A client that supports version 2 connects again. The second negotiation arrives too
            // late.
            case .timeout: break
            default: Issue.record("\(exchange.result)")
            }
            #expect(exchange.connection == nil)
            #expect(try await eventually { responder.queries.count >= 1 })
            let attempts = Set(responder.queries.map(\.attempt))
            #expect((1...2).contains(attempts.count), "\(attempts.count)")
        }
    }

    @Test func `a version negotiation with the tried version is ignored`() async throws {
        try await withResponder { query in
            [.reply(query.negotiation(offering: [Self.unknown, query.version]))]
        } _: { responder in
            let way = EncryptedTransport(
                to: try .onLoopback(.quic, responder.endpoint.port, .anybody)
            )
            let exchange = await way.exchange(try query(), timeout: .milliseconds(500))
            #expect(exchange.failure == "timeout")
            #expect(exchange.connection == nil)
            #expect(try await eventually { responder.queries.count >= 1 })
            #expect(Set(responder.queries.map(\.attempt)).count == 1)
        }
    }

    @Test func `garbage does not open a connection`() async throws {
        try await withResponder { query in
            [.reply([UInt8](repeating: 0xff, count: 64)), .reply(Array(query.bytes.reversed()))]
        } _: { responder in
            let way = EncryptedTransport(
                to: try .onLoopback(.quic, responder.endpoint.port, .anybody)
            )
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .milliseconds(500))
                #expect(exchange.failure == "timeout")
                #expect(exchange.connection == nil && exchange.handshake == nil)
            }
        }
    }
}
#endif
