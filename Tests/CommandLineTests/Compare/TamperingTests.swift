import Foundation
import Servers
import Testing

/// Comparisons with resolvers whose answers are false.
@Suite struct TamperingTests {
    private let folder = TemporaryFolder()

    /// The script of a server that waits, and then answers. Names under example.com get a true answer. For
    /// other names, `others` creates the answer.
    private static func script(
        after delay: Duration,
        others: @escaping @Sendable (ReceivedQuery) -> [UInt8]
    ) -> ScriptedResponder.Script {
        { [.pause(delay), .reply(isKnown($0) ? $0.answer() : others($0))] }
    }

    private static func isKnown(_ query: ReceivedQuery) -> Bool {
        String(decoding: query.question, as: UTF8.self).contains("example")
    }

    /// The number of queries at a server. Each name of the check counts once, because the check repeats a
    /// query after a late answer.
    private static func count(_ queries: [ReceivedQuery]) -> Int {
        queries.count { isKnown($0) } + Set(queries.filter { !isKnown($0) }.map(\.question)).count
    }

    private static let names = ["a", "b", "c"].flatMap { ["-d", "\($0).example.com"] }

    /// Compares an honest server that takes 150 ms with a server that answers at once.
    private func compare(
        others: @escaping @Sendable (ReceivedQuery) -> [UInt8],
        _ options: [String],
        in folder: TemporaryFolder
    ) async throws -> (run: CommandOutput, queries: Int) {
        let honest = Self.script(after: .milliseconds(150)) { $0.answer(rcode: 3, addresses: []) }
        return try await withResponder(script: honest) { baseline in
            try await withResponder(
                script: Self.script(after: .zero, others: others)
            ) { candidate in
                let run = try await Command.succeed(
                    ["compare", "used=\(baseline.endpoint)", "other=\(candidate.endpoint)"]
                        + Self.names + ["--rate", "100", "--total-rate", "200"] + options,
                    in: folder.path
                )
                return (run, Self.count(candidate.queries))
            }
        }
    }

    private func comparison(_ text: String) throws -> [String: String] {
        let all = try #require(try JSON(text)["comparisons"] as? [[String: Any]])
        return try #require(all.first).mapValues { "\($0)" }
    }

    @Test func `a tampering resolver is never recommended, however fast`() async throws {
        let (run, queries) = try await compare(
            others: { $0.answer(addresses: [[192, 0, 2, 66]]) },
            ["--rounds", "15", "--format", "json", "--samples", "s.csv", "-o", "r.txt"]
                + ["--store", "s.sqlite"],
            in: folder
        )
        let found = try comparison(run.output)
        #expect(found["verdict"] == "keep")
        #expect(found["reason"] == "tampering")
        #expect(
            folder.text("r.txt").split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .contains("other sends names that do not exist to 192.0.2.66.")
        )
        // The candidate gets three queries in the warm-up and in each round, and four queries of the check.
        #expect(queries == 3 * 16 + 4)
        for source in [["s.csv"], ["--store", "s.sqlite", "--origin", "compare"]] {
            let later = try await Command.run(
                ["report"] + source + ["--baseline", "used", "--format", "json"],
                in: folder.path
            )
            #expect(try comparison(later.output) == found, "\(later.errors)")
        }
    }

    @Test func `a resolver without comparable answers is not recommended`() async throws {
        // This server answers every name with the address of one page.
        try await withServer(.dnsmasq(domains: ["#": "192.0.2.99"])) { liar in
            try await withServer(.unbound(wildcards: [], records: Self.truth)) { honest in
                let run = try await Command.succeed(
                    ["compare", "used=\(honest.endpoint)", "liar=\(liar.endpoint)"]
                        + ["-d", "ads.one.test", "-d", "bets.two.test", "--rate", "100"]
                        + ["--total-rate", "200", "--no-store", "-o", "r.json"],
                    in: folder.path
                )
                let words = run.output.split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
                #expect(words.contains("liar sends names that"))
                #expect(!words.contains("Packet loss of liar"))
                let found = try comparison(folder.text("r.json"))
                #expect(found["verdict"] == "keep")
                #expect(found["reason"] == "tampering")
                // The run ends when tampering is detected, long before the last round.
                let plan = try JSON(folder.text("r.json")).resolver("used")
                #expect(try #require(plan["sent"] as? Int) < 40)
            }
        }
    }

    @Test func `a resolver without tampering may be recommended`() async throws {
        let (run, _) = try await compare(
            others: { $0.answer(rcode: 3, addresses: []) },
            ["--rounds", "18", "--format", "json"],
            in: folder
        )
        #expect(try comparison(run.output)["verdict"] == "switch")
        #expect(!run.output.contains("\"unchecked\""))
    }

    @Test(arguments: [[], ["--no-check"]])
    func `a recommendation without a check has a caveat`(options: [String]) async throws {
        let (run, queries) = try await compare(
            others: { $0.answer(rcode: options.isEmpty ? 5 : 3, addresses: []) },
            ["--rounds", "18", "--format", "json"] + options,
            in: folder
        )
        #expect(try comparison(run.output)["verdict"] == "switch")
        let caveats = try #require(try JSON(run.output)["caveats"] as? [[String: String]])
        let text = try #require(caveats.first { $0["code"] == "unchecked" }?["text"])
        #expect(text.hasPrefix("The answers of other were not checked. "))
        #expect(queries == 3 * 19 + (options.isEmpty ? 4 : 0))
    }

    @Test func `a simulated tampering resolver is detected`() async throws {
        let profile = """
            baseline = "honest"

            [[resolver]]
            name = "honest"
            base = "150ms"

            [[resolver]]
            name = "liar"
            base = "5ms"
            nxdomain-rewrite = true

            """
        try folder.write(profile, to: "lab.toml")
        let run = try await Command.run(
            ["compare", "--lab", "lab.toml", "--rounds", "9", "--format", "json"],
            in: folder.path
        )
        #expect(try comparison(run.output)["reason"] == "tampering")
    }

    /// Runs `command` with an honest resolver and a resolver that lies. Returns the output of the command,
    /// and the number of queries at the lying resolver.
    private func take(
        _ command: [String],
        in folder: TemporaryFolder
    ) async throws -> (run: CommandOutput, queries: Int) {
        try await withResponder(
            script: Self.script(after: .zero) { $0.answer(rcode: 3, addresses: []) }
        ) { honest in
            try await withResponder(
                script: Self.script(after: .zero) { $0.answer(addresses: [[192, 0, 2, 66]]) }
            ) { liar in
                let run = try await Command.succeed(
                    command + ["used=\(honest.endpoint)", "other=\(liar.endpoint)"] + Self.names
                        + ["--rate", "100", "--total-rate", "200", "--store", "s.sqlite"],
                    in: folder.path
                )
                return (run, Self.count(liar.queries))
            }
        }
    }

    private static let found =
        "dnstempo: other gives false answers: it sends names that do not exist to 192.0.2.66\n"

    @Test(arguments: [[], ["--no-check"]])
    func `a watch reports a false answer and its rounds record it`(options: [String]) async throws {
        let folder = TemporaryFolder()
        let (run, queries) = try await take(
            ["watch", "--interval", "50ms", "--rounds", "2"] + options,
            in: folder
        )
        #expect(run.errors == (options.isEmpty ? Self.found : ""))
        #expect(queries == 3 * 2 * 2 + (options.isEmpty ? 4 : 0))
        try await Command.succeed(
            ["export", "--store", "s.sqlite", "-o", "s.csv"],
            in: folder.path
        )
        let flags = Table(folder.text("s.csv")).column("flags")
        #expect(flags.count { $0 == "tampering" } == (options.isEmpty ? 2 : 0))
    }

    @Test func `samples check for tampering once a day`() async throws {
        let (first, queries) = try await take(["sample"], in: folder)
        #expect(first.errors == "" && queries == 3 * 2)
        let store = StoredFile(folder.file("s.sqlite"))
        var next: (run: CommandOutput, queries: Int)
        var last: (run: CommandOutput, queries: Int)
        var day: Int
        // Repeats the test if the day (UTC) ends during the test, since the last sample would check again.
        repeat {
            day = Date.today
            _ = try await store.query("UPDATE round SET start = start - 86400000000000")
            next = try await take(["sample"], in: folder)
            last = try await take(["sample"], in: folder)
        } while day != Date.today
        #expect(next.run.output == "" && next.run.errors == Self.found)
        #expect(next.queries == 3 * 2 + 4)
        #expect(last.run.output == "" && last.run.errors == "" && last.queries == 3 * 2)
    }

    private static let filter = [
        "ads.one.test. 300 IN A 192.0.2.99", "bets.two.test. 300 IN A 192.0.2.99",
        "fine.three.test. 300 IN A 192.0.2.3",
    ]
    private static let truth = [
        "ads.one.test. 300 IN A 192.0.2.1", "bets.two.test. 300 IN A 192.0.2.2",
        "fine.three.test. 300 IN A 192.0.2.3",
    ]

    /// Runs `arguments` with two resolvers named honest and filter.
    private func withFilter(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> CommandOutput {
        try await withServer(.unbound(wildcards: [], records: Self.truth)) { honest in
            try await withServer(.unbound(wildcards: [], records: Self.filter)) { filter in
                try await Command.run(
                    arguments + ["honest=\(honest.endpoint)", "filter=\(filter.endpoint)"]
                        + ["-d", "ads.one.test", "-d", "bets.two.test", "-d", "fine.three.test"]
                        + ["--rate", "100", "--total-rate", "200"],
                    in: folder.path
                )
            }
        }
    }

    @Test(arguments: [0, 1])
    func `block pages are excluded from the times`(warmup: Int) async throws {
        let folder = TemporaryFolder()
        let run = try await withFilter(
            ["compare", "--rounds", "8", "--warmup", "\(warmup)", "--format", "json"]
                + ["--samples", "s.csv", "--store", "s.sqlite"],
            in: folder
        )
        #expect(run.code == 0, "\(run.errors)")
        let filter = try JSON(run.output).resolver("filter")
        #expect(filter["filtered"] as? Int == 16)
        #expect(filter["answered"] as? Int == 8)
        #expect(try JSON(run.output).resolver("honest")["filtered"] as? Int == 0)
        #expect(try comparison(run.output)["pairs"] == "8")
        #expect(run.output.contains("16 answers block their names"))
        for source in [["s.csv"], ["--store", "s.sqlite", "--origin", "compare"]] {
            let later = try await Command.run(
                ["report"] + source + ["--baseline", "honest", "--format", "json"],
                in: folder.path
            )
            #expect(try comparison(later.output) == comparison(run.output), "\(later.errors)")
        }
    }

    @Test func `block pages are excluded from the times of sampled rounds`() async throws {
        let run = try await withFilter(["sample", "--store", "s.sqlite"], in: folder)
        #expect(run.code == 0, "\(run.errors)")
        try await Command.succeed(
            ["export", "--store", "s.sqlite", "-o", "s.csv"],
            in: folder.path
        )
        let outcomes = Table(folder.text("s.csv")).column("outcome")
        #expect(outcomes.count { $0 == "filtered" } == 2)
        #expect(outcomes.count { $0 == "answered" } == 4)
    }
}
