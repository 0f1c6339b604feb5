import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Queries that share a connection over TCP.
struct KeptTCPTests {
    private func transport(_ responder: ScriptedResponder) throws -> KeptTCPTransport {
        let endpoint = Endpoint(
            transport: .tcp,
            address: try #require(IPAddress("127.0.0.1")),
            port: responder.endpoint.port
        )
        return KeptTCPTransport(to: endpoint, allowed: .everywhere)
    }

    @Test func `successive queries use one connection`() async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let transport = try transport(responder)
            var uses: [ConnectionUse?] = []
            for _ in 0..<3 {
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                #expect((exchange.connect != nil) == uses.isEmpty)
                uses.append(exchange.connection)
            }
            #expect(uses == [.new, .reused, .reused])
            #expect(Set(responder.queries.map(\.peer.port)).count == 1)
        }
    }

    @Test func `a query after the end of the connection opens another`() async throws {
        try await withResponder { query in
            [.reply(query.answer()), .close]
        } _: { responder in
            let transport = try transport(responder)
            for _ in 0..<3 {
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                #expect(exchange.connection == .new)
                #expect(try await eventually { await !transport.isOpen })
            }
            #expect(Set(responder.queries.map(\.peer.port)).count == 3)
        }
    }

    @Test func `a refused connection is the cause of each failure`() async throws {
        let endpoint = Endpoint(
            transport: .tcp,
            address: try #require(IPAddress("127.0.0.1")),
            port: try Loopback.freePort()
        )
        let transport = KeptTCPTransport(to: endpoint, allowed: .everywhere)
        for _ in 0..<2 {
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.fault == FailureCause(.refused))
        }
    }

    @Test func `nothing is sent outside the allowed networks`() async throws {
        let endpoint = Endpoint(
            transport: .tcp,
            address: try #require(IPAddress("127.0.0.1")),
            port: 53
        )
        let allowed = try AllowedNetworks(parsing: "::1/128")
        let exchange = await KeptTCPTransport(to: endpoint, allowed: allowed)
            .exchange(try query(), timeout: .seconds(60))
        guard case .blocked = exchange.result else { return #expect(Bool(false)) }
    }
}
