import Servers
import Testing

/// Options for the content of queries.
@Suite struct QueryOptionTests {
    private func compare(_ arguments: [String]) async throws -> JSON {
        let run = try await Command.succeed(
            ["compare"] + arguments
                + ["--rate", "50", "--no-store", "--no-check", "--format", "json"]
        )
        return try JSON(run.output)
    }

    @Test func `unbound answers a query of class CH`() async throws {
        try await withServer(.unbound()) { server in
            let report = try await compare(
                ["it=\(server.endpoint)", "-d", "version.bind", "-t", "TXT", "--rounds", "2"]
                    + ["--class", "ch"]
            )
            #expect(try report.resolver("it")["answered"] as? Int == 2)
        }
    }

    @Test func `a server's cookie is sent back, and BADCOOKIE is a failure`() async throws {
        try await withServer(.knot(hasCookies: true)) { server in
            // Only queries that leave after an answer contain the cookie of that answer. The first round is
            // sent at least 1.2 s after the warm-up.
            let asked = [
                "it=\(server.endpoint)", "-d", "a.example.org", "--cookie", "--rounds", "3",
                "--interval", "1500ms",
            ]
            let warm = try await compare(asked + ["--warmup", "2"])
            #expect(try warm.resolver("it")["answered"] as? Int == 3)
            let cold = try await compare(asked + ["--warmup", "0"])
            #expect(try cold.resolver("it")["answered"] as? Int == 2)
            let failures = try cold.resolver("it")["failures"] as? [String: Int]
            #expect(failures?["BADCOOKIE"] == 1)
        }
    }

    @Test func `an answer with another letter case is accepted and noted`() async throws {
        try await withResponder { query in
            var answer = query.answer()
            for index in 12..<12 + max(5, query.question.count) - 5
            where (0x41...0x5a).contains(answer[index]) {
                answer[index] |= 0x20
            }
            return [.reply(answer)]
        } _: { responder in
            let asked = ["it=\(responder.endpoint)", "--rounds", "3"]
            for options in [["-d", "WWW.Example.COM"], ["-d", "www.example.com", "--0x20"]] {
                let report = try await compare(asked + options)
                #expect(try report.resolver("it")["answered"] as? Int == 3)
                let caveats = try #require(report["caveats"] as? [[String: String]])
                #expect(caveats.contains { $0["code"] == "case-changed" })
                #expect(!caveats.contains { $0["code"] == "stray-answers" })
            }
            let same = try await compare(asked + ["-d", "www.example.com"])
            let caveats = try #require(same["caveats"] as? [[String: String]])
            #expect(!caveats.contains { $0["code"] == "case-changed" })
        }
    }

    @Test func `a query file gives names and types, and a table gives only names`() async throws {
        let folder = TemporaryFolder()
        try folder.write("a.test A\na.test AAAA\nAAAA b.test\n", to: "queries.txt")
        try folder.write("rank,domain\n1,c.test\n2,d.test\n", to: "names.csv")
        try folder.write("e|f.test\n", to: "odd.txt")
        let expected: [([String], Set<String>)] = [
            (["queries.txt"], ["a 1", "a 28", "b 28"]),
            (["names.csv", "-t", "MX"], ["c 15", "d 15"]),
            (["odd.txt", "--literal-names"], ["e|f 1"]),
        ]
        for (words, asked) in expected {
            try await withResponder {
                [.reply($0.answer(addresses: []))]
            } _: { responder in
                let file = folder.file(words[0])
                let names = ["--domains", file] + words.dropFirst()
                let report = try await compare(
                    ["it=\(responder.endpoint)", "--rounds", "1"] + names
                )
                #expect(try report.resolver("it")["answered"] as? Int == asked.count)
                let questions = responder.queries.map { query -> String in
                    let label = query.question.dropFirst().prefix(Int(query.question[0]))
                    let type = query.question[query.question.count - 3]
                    return "\(String(decoding: label, as: UTF8.self)) \(type)"
                }
                #expect(Set(questions) == asked)
            }
        }
    }

    @Test func `query options set the fields of the query`() async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            _ = try await compare(
                ["it=\(responder.endpoint)", "-d", "example.org", "--rounds", "1", "--warmup", "0"]
                    + ["--no-recurse", "--bufsize", "4096", "--edns-option", "65001:00ff"]
                    + ["--edns-option", "65002:"]
            )
            _ = try await compare(
                ["it=\(responder.endpoint)", "-d", "example.org", "--rounds", "1", "--warmup", "0"]
                    + ["--bufsize", "0"]
            )
            let (first, second) = (responder.queries[0], responder.queries[1])
            #expect(responder.queries.count == 2)
            #expect(!first.asksRecursion)
            #expect(first.bufferSize == 4096)
            #expect(first.options.map(\.code) == [65001, 65002])
            #expect(first.options.map(\.data) == [[0, 0xff], []])
            #expect(second.asksRecursion)
            #expect(second.bufferSize == nil)
            #expect(second.bytes.count == 12 + second.question.count)
        }
    }

    @Test func `a campaign sets the same query options`() async throws {
        let folder = TemporaryFolder()
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let text = """
                domains = ["example.org"]
                rounds = 1
                warmup = 0
                no-recurse = true
                bufsize = 512
                cookie = true
                edns-option = ["65001:aa"]
                [[resolver]]
                name = "it"
                address = "\(responder.endpoint)"
                """
            let campaign = try folder.write(text, to: "c.toml")
            _ = try await compare(["--campaign", campaign])
            let query = try #require(responder.queries.last)
            #expect(!query.asksRecursion)
            #expect(query.bufferSize == 512)
            #expect(query.options.map(\.code) == [65001, 10])
        }
    }

    @Test(arguments: try BadInput.cases("query-options"))
    func `an unusable query option is rejected`(input: BadInput) async throws {
        try await input.check()
    }
}
