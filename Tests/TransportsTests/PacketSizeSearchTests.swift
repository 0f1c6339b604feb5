import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// The search for the largest packet after a silent handshake.
@Suite struct PacketSizeSearchTests {
    private static let handshake = FailureCause(.silence, "handshake")

    private func cause(
        of fault: FailureCause? = handshake,
        over way: EncryptedTransport,
        in search: PacketSizeSearch = PacketSizeSearch(gap: .zero)
    ) async -> FailureCause? {
        await search.cause(of: fault, over: way, timeout: .seconds(1))
    }

    @Test func `the largest segment that a path carries is found once`() async throws {
        try await withCertified({ TLSResponder(.narrow, $0, log: $1) }) { server, root, folder in
            let way = try Encryption.tls.transport(to: server.port, root)
            let search = PacketSizeSearch(gap: .zero)
            // 1,360 bytes with the headers of TCP and IPv4.
            #expect(await cause(over: way, in: search) == FailureCause(.mtu, "1400"))
            let connections = folder.notes.count
            #expect(connections <= 6)
            #expect(await cause(over: way, in: search) == FailureCause(.mtu, "1400"))
            #expect(folder.notes.count == connections)
        }
    }

    @Test func `large packets that arrive, and other faults, are not the cause`() async throws {
        try await withCertified({ TLSResponder(.plain, $0, log: $1) }) { server, root, folder in
            let way = try Encryption.tls.transport(to: server.port, root)
            #expect(await cause(over: way) == nil)
            #expect(await cause(of: FailureCause(.refused), over: way) == nil)
            #expect(await cause(of: FailureCause(.silence, "connection"), over: way) == nil)
            #expect(await cause(of: nil, over: way) == nil)
            // The server notes a connection after its handshake.
            #expect(try await eventually { !folder.notes.isEmpty })
            #expect(folder.notes.count { $0.hasPrefix("connection") } == 1)
        }
    }

    #if QUIC
    @Test func `the largest datagram is found without a handshake`() async throws {
        try await withCertified({ QUICResponder(.doq, .narrow, $0, log: $1) }) { server, root, _ in
            let way = try Encryption.quic.transport(to: server.port, root)
            // 1,360 bytes with the headers of UDP and IPv4.
            #expect(await cause(over: way) == FailureCause(.mtu, "1388"))
        }
    }
    #endif

    @Test func `nothing is sent outside the allowed networks`() async throws {
        let address = try #require(IPAddress("192.0.2.1"))
        for kind in [TransportKind.tls, .quic] {
            let service = EncryptedService(
                at: Endpoint(transport: kind, address: address, port: 853),
                credentials: try TLSCredentials(.anybody),
                connections: .fresh,
                allowed: try AllowedNetworks(parsing: "127.0.0.0/8")
            )
            #expect(await cause(over: EncryptedTransport(to: service)) == nil)
        }
    }
}
