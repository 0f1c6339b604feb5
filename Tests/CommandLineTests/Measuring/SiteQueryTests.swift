import Servers
import Testing

/// Queries with NSID, which `watch` and `sample` request by default.
@Suite struct SiteQueryTests {
    /// Drops queries with an EDNS option, or answers them with BADVERS.
    private static func script(isSilent: Bool) -> ScriptedResponder.Script {
        { query in
            guard !query.options.isEmpty else { return [.reply(query.answer())] }
            guard !isSilent else { return [] }
            var answer = query.answer(addresses: [])
            answer[11] = 1
            // The upper bits of the response code: 16 is BADVERS (RFC 6891 §6.1.3).
            return [.reply(answer + [0, 0, 41, 4, 208, 1, 0, 0, 0, 0, 0])]
        }
    }

    private func watch(_ more: [String], isSilent: Bool) async throws -> CommandOutput {
        try await withResponder(script: Self.script(isSilent: isSilent)) { responder in
            try await Command.run(
                ["watch", "it=\(responder.endpoint)", "-d", "example.com", "--no-check"]
                    + ["--timeout", "200ms", "--rounds", "20", "--interval", "200ms"]
                    + ["--rate", "100", "--no-store"] + more
            )
        }
    }

    @Test(arguments: [true, false])
    func `watch advises --no-nsid if a resolver rejects NSID`(isSilent: Bool) async throws {
        let run = try await watch([], isSilent: isSilent)
        #expect(run.code == 0)
        let words =
            "dnstempo: it answers only queries without NSID, which this command requests: "
            + "later queries to it have none; add --no-nsid for all\n"
        #expect(run.errors == words)
        #expect(run.output.contains("0 answered, 1 ") && run.output.contains(" 1 answered"))
        let plain = try await watch(["--no-nsid"], isSilent: isSilent)
        #expect(plain.code == 0 && plain.errors == "")
        #expect(plain.output.contains("1 answered"))
    }

    @Test(arguments: [true, false])
    func `sample stores answers without NSID if NSID is off`(isSilent: Bool) async throws {
        let folder = TemporaryFolder()
        try folder.write("nsid = false\ndomains = [\"example.com\"]\n", to: "c.toml")
        try await withResponder(script: Self.script(isSilent: isSilent)) { responder in
            for (store, options) in [("a", ["--no-nsid"]), ("b", ["--campaign", "c.toml"])] {
                try await Command.succeedSilently(
                    ["sample", "it=\(responder.endpoint)", "-d", "example.com"] + options
                        + ["--timeout", "300ms", "--store", "\(store).sqlite"],
                    in: folder.path
                )
                let outcomes = try await StoredFile(folder.file("\(store).sqlite"))
                    .query("SELECT outcome FROM samples")
                #expect(outcomes == "answered\n")
            }
        }
    }

    @Test func `sample opens no connection with --no-floor`() async throws {
        let folder = TemporaryFolder()
        try await withResponder(script: { [.reply($0.answer())] }) { responder in
            for (store, options) in [("a", []), ("b", ["--no-floor"])] {
                try await Command.succeed(
                    ["sample", "it=\(responder.endpoint)", "-d", "example.com"] + options
                        + ["--store", "\(store).sqlite"],
                    in: folder.path
                )
                let known = try await StoredFile(folder.file("\(store).sqlite"))
                    .query("SELECT network_rtt_ms IS NOT NULL FROM samples")
                #expect(known == (options.isEmpty ? "1\n" : "0\n"))
            }
        }
    }

    @Test func `a schedule keeps --no-nsid and --no-floor`() async throws {
        let run = try await Command.succeed(
            ["schedule", "print", "127.0.0.1:5399", "-d", "example.com", "--no-nsid", "--no-floor"]
        )
        #expect(run.output.contains("--no-nsid") && run.output.contains("--no-floor"))
    }

    @Test func `a check examines a resolver that drops queries with NSID`() async throws {
        try await withResponder(script: Self.script(isSilent: true)) { responder in
            let run = try await Command.succeed(
                ["check", "it=\(responder.endpoint)", "--timeout", "100ms", "--rate", "500"]
                    + ["--format", "json"]
            )
            #expect(try JSON(run.output).resolver("it")["answers"] as? Bool == true)
            #expect(run.output.contains("it drops queries with NSID"))
        }
    }
}
