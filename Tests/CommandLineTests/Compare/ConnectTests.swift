import Servers
import Testing

@Suite struct ConnectTests {
    /// Compares a resolver that answers with `addresses`. `--connect` uses the port of the responder.
    private func distance(_ addresses: [[UInt8]], allow: String) async throws -> JSON {
        try await withResponder(script: { query in
            [.reply(query.answer(addresses: addresses))]
        }) { responder in
            let run = try await Command.succeed(
                [
                    "compare", "r=\(responder.endpoint)", "-d", "example.com", "--rounds", "2",
                    "--rate", "50", "--connect", "--connect-port", "\(responder.endpoint.port)",
                    "--format", "json",
                ],
                environment: ["DNSTEMPO_ALLOW_NET": allow]
            )
            return try JSON(run.output)
        }
    }

    @Test func `connections go only to answer addresses in allowed networks`() async throws {
        let near = try await distance([[192, 0, 2, 1], [127, 0, 0, 1]], allow: "127.0.0.0/8")
        let time = try #require(try near.resolver("r")["connect_ms"] as? Double)
        #expect(time > 0)
        let blocked = try await distance([[192, 0, 2, 1]], allow: "127.0.0.0/8,::1/128")
        #expect(try blocked.resolver("r")["connect_ms"] == nil)
    }
}
