import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Queries whose packets have a DSCP, as a packet capture shows them.
@Suite(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
struct MarkTests {
    private static let mark: UInt8 = 45

    private func endpoint(_ kind: TransportKind, _ address: String, _ port: UInt16) throws
        -> Endpoint
    {
        var endpoint = Endpoint(
            transport: kind,
            address: try #require(IPAddress(address)),
            port: port
        )
        endpoint.mark = try DSCP(parsing: "\(Self.mark)")
        return endpoint
    }

    /// The code points of the captured packets to `port`.
    private func marks(_ capture: PacketCapture, _ port: UInt16) async throws -> Set<UInt8> {
        Set(
            try await capture.packets().filter { $0.destination.port == port }
                .map { $0.trafficClass >> 2 }
        )
    }

    @Test(arguments: Carrier.allCases)
    func `a plain query is marked`(carrier: Carrier) async throws {
        try await withResponder { query in
            [.reply(query.answer(truncated: query.transport == .udp))]
        } _: { responder in
            let port = responder.endpoint.port
            let endpoint = try endpoint(carrier == .udp ? .udp : .tcp, "127.0.0.1", port)
            let transport: any Transport =
                carrier == .udp
                ? UDPTransport(to: endpoint, allowed: .everywhere)
                : TCPTransport(to: endpoint, allowed: .everywhere)
            try await withPacketCapture(ports: [port]) { capture in
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                _ = await RTTProbe(of: endpoint, allowed: .everywhere)
                    .measure(handshakes: 1, gap: .zero)
                #expect(try await marks(capture, port) == [Self.mark])
            }
        }
    }

    @Test func `a query without a mark follows a marked query from a socket of its own`()
        async throws
    {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let port = responder.endpoint.port
            let marked = try endpoint(.udp, "127.0.0.1", port)
            var plain = marked
            plain.mark = nil
            try await withPacketCapture(ports: [port]) { capture in
                for endpoint in [plain, marked, plain] {
                    _ = await UDPTransport(to: endpoint, allowed: .everywhere)
                        .exchange(try query(), timeout: .seconds(60))
                }
                let found = try await capture.packets().filter { $0.destination.port == port }
                #expect(found.map { $0.trafficClass >> 2 } == [0, Self.mark, 0])
            }
        }
    }

    @Test(arguments: Encryption.allCases)
    func `every packet of an encrypted connection is marked`(encryption: Encryption) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        try await encryption.withServer(certificate, log: folder.file("log")) { server in
            let port = server.endpoint.port
            let service = EncryptedService(
                at: try endpoint(encryption.kind, "127.0.0.1", port),
                name: "dot.test",
                credentials: try TLSCredentials(.file(authority.root)),
                connections: .reuse,
                allowed: .everywhere
            )
            try await withPacketCapture(ports: [port]) { capture in
                let exchange = await EncryptedTransport(to: service)
                    .exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                #expect(try await marks(capture, port) == [Self.mark])
            }
        }
    }
}
