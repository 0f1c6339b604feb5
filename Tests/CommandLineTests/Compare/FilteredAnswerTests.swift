import Servers
import Testing

/// Answers that block their name. Latencies exclude these answers.
@Suite struct FilteredAnswerTests {
    private func counts(_ endpoint: SocketAddress, _ more: [String]) async throws -> [Int?] {
        let run = try await Command.run(
            ["compare", "a=\(endpoint)", "-d", "null.test", "--rounds", "2", "--warmup", "0"]
                + ["--rate", "500", "--format", "json"] + more
        )
        let resolver = try JSON(run.output).resolver("a")
        return ["sent", "filtered", "answered"].map { resolver[$0] as? Int }
    }

    @Test func `answers without a usable address count as filtered`() async throws {
        let settings = ["local-zone: \"null.test.\" always_null"]
        try await withServer(.unbound(settings: settings)) { server in
            // The blocked name has the addresses 0.0.0.0 and ::.
            let more = ["-d", "example.com", "-t", "A", "-t", "AAAA"]
            let counts = try await counts(server.endpoint, more)
            #expect(counts == [8, 4, 4])
        }
    }

    @Test(
        arguments: [(14, 0), (15, 2), (16, 2), (17, 2), (18, 0)] as [(code: UInt8, filtered: Int)]
    )
    func `NXDOMAIN with a block reason is filtered`(code: UInt8, filtered: Int) async throws {
        try await withResponder { query in
            var answer = query.answer(rcode: 3, addresses: [])
            answer[11] = 1
            // Adds an OPT record with an extended error (RFC 8914 §2).
            answer += [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 6, 0, 15, 0, 2, 0, code]
            return [.reply(answer)]
        } _: { responder in
            let counts = try await counts(responder.endpoint, [])
            #expect(counts == [2, filtered, 2 - filtered])
        }
    }
}
