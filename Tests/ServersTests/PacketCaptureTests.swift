import Servers
import Testing

@Suite(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
struct PacketCaptureTests {
    @Test func `a query and its delayed answer are captured with their times`() async throws {
        try await withServer(.unbound()) { unbound in
            try await withServer(.dnsdist(delays: [20], backend: unbound.endpoint)) { dnsdist in
                try await withPacketCapture(ports: [dnsdist.port]) { capture in
                    _ = try await dig(dnsdist.endpoint, "example.com")
                    // Packets that other programs send to this port are ignored. They are not DNS messages.
                    let packets = try await capture.packets().filter { $0.id != nil }
                    #expect(packets.map(\.isResponse) == [false, true])
                    let (query, answer) = (try #require(packets.first), try #require(packets.last))
                    #expect(query.destination == dnsdist.endpoint)
                    #expect(answer.source == dnsdist.endpoint)
                    #expect(query.id == answer.id)
                    #expect(answer.time - query.time >= 20_000_000)
                }
            }
        }
    }

    @Test(.enabled(if: Loopback.hasIPv6))
    func `messages over TCP and IPv6 are captured`() async throws {
        try await withServer(.unbound(address: "::1")) { unbound in
            try await withPacketCapture(ports: [unbound.port]) { capture in
                _ = try await dig(unbound.endpoint, "+tcp", "example.com")
                let messages = try await capture.packets().filter { $0.id != nil }
                #expect(messages.map(\.transport) == [.tcp, .tcp])
                #expect(messages.map(\.isResponse) == [false, true])
                #expect(messages.first?.destination == unbound.endpoint)
            }
        }
    }

    @Test func `a burst is captured completely`() async throws {
        try await withResponder(script: { query in
            (0..<500).map { _ in .reply(query.answer()) }
        }) { responder in
            try await withPacketCapture(ports: [responder.endpoint.port]) { capture in
                _ = try await dig(responder.endpoint, "example.com")
                var responses = 0
                // dig ends after the first response, while the responder is still sending the others.
                for _ in 0..<200 where responses < 500 {
                    responses = try await capture.packets().filter(\.isResponse).count
                }
                #expect(responses == 500)
            }
        }
    }
}
