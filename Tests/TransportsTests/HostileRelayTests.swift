#if QUIC && os(Linux)
import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// QUIC connections through a relay. Before each datagram of the server, the client receives a
/// datagram or an error from a stranger.
@Suite(.enabled(if: ICMPError.isPermitted, "sending ICMP errors takes the rights of root"))
struct HostileRelayTests {
    /// Runs `body` with a transport through the relay, the relay, and the folder of its log.
    private func withRelay(
        _ mode: HostileRelay.Mode,
        _ encryption: Encryption = .quic,
        _ connections: ConnectionPolicy = .reuse,
        _ body: (EncryptedTransport, RunningServer, TemporaryFolder) async throws -> Void
    ) async throws {
        let application = encryption == .quic ? QUICResponder.Application.doq : .h3
        try await withCertified({ QUICResponder(application, .plain, $0, log: $1) }) {
            server,
            root,
            folder in
            let relay = HostileRelay(to: server.port, mode, log: folder.file("relay.log"))
            try await withServer(relay) { relay in
                let service = EncryptedService(
                    at: Endpoint(
                        transport: encryption.kind,
                        address: try #require(IPAddress(relay.endpoint.address)),
                        port: relay.port
                    ),
                    name: "dot.test",
                    credentials: TLSCredentials(
                        try TLSCredentials(.file(root), pins: []),
                        hashes: []
                    ),
                    connections: connections,
                    allowed: try AllowedNetworks(parsing: "127.0.0.0/8")
                )
                try await body(EncryptedTransport(to: service), relay, folder)
            }
        }
    }

    @Test(arguments: HostileRelay.Mode.allCases.filter { $0 != .refused }, [Encryption.quic, .h3])
    func `datagrams and errors of other hosts do not end a connection`(
        mode: HostileRelay.Mode,
        encryption: Encryption
    ) async throws {
        try await withRelay(mode, encryption) { way, _, folder in
            try await way.expectAnswers(over: [.new, .reused, .reused])
            #expect(folder.text("relay.log").contains(mode.rawValue))
        }
    }

    @Test func `errors that quote two datagrams of a connection end the connection`() async throws {
        try await withRelay(.refused) { way, _, folder in
            let exchange = await way.exchange(try query(), timeout: .seconds(3600))
            #expect(exchange.result == .unreachable("Connection refused"))
            #expect(folder.text("relay.log").split(separator: "\n").count >= 2)
        }
    }

    @Test func `if no answer comes, an error that quotes nothing is the reason`() async throws {
        try await withResponder { _ in
            [.report(ICMPError(quoting: []))]
        } _: { responder in
            let way = try Encryption.quic.transport(to: responder.endpoint.port, .anybody)
            let exchange = await way.exchange(try query(), timeout: .milliseconds(300))
            #expect(exchange.result == .unreachable("Connection refused"))
            #expect(exchange.connection == nil)
        }
    }

    @Test func `an error that quotes another datagram is no reason`() async throws {
        try await withResponder { query in
            [.report(ICMPError(quoting: query.bytes.map { ~$0 }))]
        } _: { responder in
            let way = try Encryption.quic.transport(to: responder.endpoint.port, .anybody)
            let exchange = await way.exchange(try query(), timeout: .milliseconds(300))
            #expect(exchange.result == .timeout)
        }
    }

    @Test(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
    func `a path MTU from another host does not fragment datagrams`() async throws {
        try await withRelay(.narrow, .quic, .fresh) { way, relay, _ in
            try await withPacketCapture(ports: [relay.port]) { capture in
                for _ in 0..<2 {
                    let exchange = await way.exchange(try query(), timeout: .seconds(60))
                    #expect(exchange.response != nil, "\(exchange.result)")
                }
                let initials = try await capture.packets().filter { packet in
                    // A long header of type Initial (RFC 9000 §17.2.2). Other types may be small.
                    packet.destination.port == relay.port
                        && (packet.payload.first ?? 0) & 0xf0 == 0xc0
                }
                #expect(initials.count >= 2)
                // A fragment is smaller.
                #expect(initials.allSatisfy { $0.payload.count >= 1_200 })
            }
        }
    }
}
#endif
