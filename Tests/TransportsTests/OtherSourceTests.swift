import Catalogue
import DNSWire
import Servers
import Testing
import Transports

@Suite struct OtherSourceTests {
    private func cause(
        searches: Int = 1,
        allowed: AllowedNetworks = .everywhere,
        script: @escaping ScriptedResponder.Script
    ) async throws -> (causes: [FailureCause?], queries: Int) {
        try await withResponder(script: script) { responder in
            let place = responder.endpoint
            let address = try #require(IPAddress(place.address))
            let endpoint = Endpoint(transport: .udp, address: address, port: place.port)
            let search = OtherSourceSearch(allowed: allowed)
            var causes: [FailureCause?] = []
            for _ in 0..<searches {
                causes.append(
                    await search.cause(of: try query(), to: endpoint, timeout: .seconds(60))
                )
            }
            return (causes, responder.queries.count)
        }
    }

    @Test func `an answer from another address is found, with one query for all`() async throws {
        let found = try await cause(searches: 3) {
            [.replyFrom(SocketAddress("127.0.0.2", port: 0), $0.answer())]
        }
        #expect(found.queries == 1)
        #expect(found.causes.count == 3 && Set(found.causes).count == 1)
        let cause = try #require(found.causes.first ?? nil)
        #expect(cause.kind == .otherSource)
        #expect(cause.value?.hasPrefix("127.0.0.2:") == true)
    }

    @Test func `an answer of the resolver itself shows no other address`() async throws {
        let found = try await cause { [.reply($0.answer())] }
        #expect(found.causes == [nil] && found.queries == 1)
    }

    @Test func `answers to other queries are skipped`() async throws {
        let found = try await cause {
            var stray = $0.answer()
            stray[1] ^= 1
            return [.replyFrom(SocketAddress("127.0.0.2", port: 0), stray), .reply($0.answer())]
        }
        #expect(found.causes == [nil])
    }

    @Test func `nothing is sent outside the allowed networks`() async throws {
        let elsewhere = try AllowedNetworks(parsing: "192.0.2.0/24")
        let found = try await cause(allowed: elsewhere) { [.reply($0.answer())] }
        #expect(found.causes == [nil] && found.queries == 0)
    }
}
