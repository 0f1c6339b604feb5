import Foundation
import Servers
import Testing

/// Caveats: notes on the reliability of the figures, in every format, with a remedy.
@Suite struct CaveatTests {
    private let folder = TemporaryFolder()
    private static let names = ["a", "b", "c", "d", "e"].flatMap { ["-d", "\($0).example.com"] }
    private static let formats = ["txt", "json", "csv", "md"]

    /// Compares `resolvers` in `folder`. Expects that each format contains the caveats. Returns the texts of
    /// the caveats by code.
    private func caveats(
        _ resolvers: [String],
        _ options: [String],
        before: [String] = [],
        in folder: TemporaryFolder
    ) async throws -> [String: String] {
        let outputs = Self.formats.flatMap { ["-o", "r.\($0)"] }
        let command = try before + [Program.dnstempo().path, "compare", "-q"]
        let run = try await Program("env", package: "coreutils").run(
            command + resolvers + options + outputs,
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.code == 0, "\(run.errors)")
        let all = try #require(try JSON(folder.text("r.json"))["caveats"] as? [[String: String]])
        var caveats: [String: String] = [:]
        let text = folder.text("r.txt").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for caveat in all {
            let (code, words) = (caveat["code"] ?? "", caveat["text"] ?? "")
            caveats[code] = words
            #expect(folder.text("r.csv").contains("\(code): \(words)"))
            // The verdict already contains this caveat, or the table does not show the figure.
            if code == "untested-difference" || words.hasPrefix("p99") { continue }
            #expect(text.contains("\(code == "few-samples" ? "*" : "Note:") \(words)"))
            #expect(folder.text("r.md").contains("- \(words)"))
        }
        return caveats
    }

    /// Returns the caveats of a run with one scripted resolver.
    private func caveats(
        _ options: [String],
        before: [String] = [],
        script: @escaping ScriptedResponder.Script
    ) async throws -> [String: String] {
        let folder = TemporaryFolder()
        return try await withResponder(script: script) { responder in
            let resolver = ["one=\(responder.endpoint)", "--rate", "500", "--total-rate", "500"]
            return try await caveats(resolver, Self.names + options, before: before, in: folder)
        }
    }

    @Test func `a steady run has only the caveat about few samples`() async throws {
        let told = try await caveats(["--rounds", "3"]) { [.reply($0.answer())] }
        // Notes about a busy machine do not depend on the run.
        let busy = [
            "late-sends", "timer-delay", "slow-instrument", "bursts", "user-clock", "clock-step",
        ]
        #expect(Set(told.keys).subtracting(busy) == ["few-samples"])
    }

    @Test func `a resolver that limits the query rate is noted`() async throws {
        let told = try await caveats(["--rounds", "12", "--warmup", "0"]) { query in
            [.reply(query.answer(rcode: query.ordinal < 30 ? 0 : 5))]
        }
        // A busy kernel may deliver datagrams in another order than they were sent.
        let said = told["rate-limited"]
        #expect(said?.prefixMatch(of: /one answered (2[5-9]|30) queries/) != nil, "\(told)")
        #expect(told["rate-limited"]?.hasSuffix("with --rate.") == true)
    }

    @Test func `late queries are noted`() async throws {
        let limit = ["bash", "-c", "ulimit -n 40; exec \"$@\"", "bash"]
        let told = try await caveats(["--rounds", "40", "--warmup", "0"], before: limit) {
            [.pause(.milliseconds(300)), .reply($0.answer())]
        }
        #expect(told["late-sends"]?.contains("left more than 5 ms late") == true)
    }

    @Test func `times without kernel stamps are noted`() async throws {
        let refusal = ["-e", "trace=setsockopt", "-e", "inject=setsockopt:error=ENOPROTOOPT"]
        let strace = ["strace", "-f", "-o", "/dev/null"] + refusal
        let told = try await caveats(["--rounds", "2"], before: strace) { [.reply($0.answer())] }
        #expect(told["user-clock"]?.hasPrefix("10 of 10 round trips") == true)
    }

    @Test func `names that the resolver had to look up first are noted`() async throws {
        let profile = """
            [[resolver]]
            name = "cold"
            base = "2ms"
            cold-cache = true
            miss-delay = ["110ms", "120ms"]
            ttl = 1

            """
        try folder.write(profile, to: "lab.toml")
        var text: String?
        // On a busy machine, a hit may be as late as a miss.
        for _ in 0..<3 where text == nil {
            text = try await caveats(
                ["--lab", "lab.toml"],
                ["-d", "example.com", "--rounds", "8", "--interval", "600ms"],
                in: folder
            )["cold-cache"]
        }
        #expect(text?.hasSuffix("with --domains.") == true)
    }

    @Test func `a resolver that answers from several sites is noted`() async throws {
        let told = try await caveats(["--rounds", "4", "--nsid"]) { query in
            var answer = query.answer()
            answer[11] = 1
            // Adds an OPT record with an NSID (RFC 5001).
            let site = Array((query.ordinal < 12 ? "ams1" : "fra2").utf8)
            answer += [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 8, 0, 3, 0, 4] + site
            return [.reply(answer)]
        }
        #expect(told["site-changed"]?.hasPrefix("one was reached at 2 sites") == true)
    }

    @Test func `a name that no resolver knows is noted`() async throws {
        try await withServer(.unbound()) { server in
            let run = try await Command.succeed(
                ["compare", "one=\(server.endpoint)", "-d", "example.invalid", "-d", "example.com"]
                    + ["--rounds", "2", "--rate", "50", "--no-store"]
            )
            let text = "No resolver knows example.invalid (NXDOMAIN). "
            let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains(text), "\(run.output)")
        }
    }

    @Test func `two resolvers with one cache are noted`() async throws {
        // The first answers have the TTL of names that were cached earlier. Later answers have the TTL of
        // newly fetched names.
        let script: ScriptedResponder.Script = {
            [.reply($0.answer(ttl: $0.ordinal < 5 ? 100 : 300))]
        }
        var text: String?
        // On a busy machine, one resolver may answer more than a second after the other. Then the answers do
        // not expire at the same time.
        for _ in 0..<3 where text == nil {
            let told = try await withResponder(script: script) { one in
                try await withResponder(script: script) { two -> [String: String] in
                    try await caveats(
                        ["one=\(one.endpoint)", "two=\(two.endpoint)", "--no-check"],
                        Self.names + ["--rounds", "2", "--rate", "500", "--total-rate", "1000"]
                            + ["--warmup", "0"],
                        in: folder
                    )
                }
            }
            text = told["shared-cache"]
        }
        #expect(text?.hasPrefix("one and two seem to share one cache") == true)
    }

    @Test func `autocorrelated rounds are noted`() async throws {
        let told = try await withResponder {
            [.pause(.milliseconds(80)), .reply($0.answer())]
        } _: { steady -> [String: String] in
            try await withResponder { query in
                [.pause(.milliseconds(query.ordinal < 50 ? 1 : 200)), .reply(query.answer())]
            } _: { other -> [String: String] in
                try await caveats(
                    ["steady=\(steady.endpoint)", "other=\(other.endpoint)", "--no-check"],
                    Self.names + ["--rounds", "20", "--rate", "500", "--total-rate", "1000"]
                        + ["--warmup", "0"],
                    in: folder
                )
            }
        }
        #expect(told["autocorrelation"]?.hasSuffix("--interval 30s.") == true)
    }

    @Test func `a change of the network during the run is noted`() async throws {
        let file = try folder.write("nameserver 127.0.0.1\n", to: "resolv.conf")
        let mount = "mount --bind \(file) /etc/resolv.conf && exec \"$@\""
        let isolation = ["unshare", "--mount", "sh", "-c", mount, "sh"]
        let isPermitted = try await Program("unshare", package: "util-linux")
            .run(["--mount", "sh", "-c", mount, "sh", "true"])
        guard isPermitted.code == 0 else { return }
        let told = try await caveats(["--rounds", "4"], before: isolation) { query in
            if query.ordinal == 12 {
                try? Data("nameserver 127.0.0.2\n".utf8).write(to: URL(fileURLWithPath: file))
            }
            return [.reply(query.answer())]
        }
        #expect(
            told["network-changed"]
                == "This machine's network changed 1 time during the run. The figures mix several "
                + "networks. Repeat the run on one network."
        )
    }

    @Test func `a round without any answer is noted`() async throws {
        // The resolvers ignore the query of the second round. With one name, each round has one query.
        let script: ScriptedResponder.Script = { $0.ordinal == 1 ? [] : [.reply($0.answer())] }
        let told = try await withResponder(address: "127.0.1.1", script: script) { one in
            try await withResponder(address: "127.0.2.1", script: script) { two in
                try await withResponder(address: "127.0.3.1", script: script) {
                    three -> [String: String] in
                    try await caveats(
                        [one, two, three].map { "\($0.endpoint)" },
                        ["-d", "example.com", "--rounds", "3", "--warmup", "0", "--rate", "50"]
                            + ["--timeout", "5s", "--no-check"],
                        in: folder
                    )
                }
            }
        }
        #expect(told["outage-rounds"]?.hasPrefix("In 1 of 3 rounds no resolver") == true)
    }

    @Test func `forged answers and repeated runs are noted`() async throws {
        let stray = try await caveats(
            ["--lab", "hostile", "honest", "spoofed"],
            Self.names + ["--rounds", "3"],
            in: folder
        )
        #expect(stray["stray-answers"]?.hasSuffix("with --samples FILE.") == true)
        var several: [String?] = []
        var days: Set<Int> = []
        // If midnight passes between the runs, an earlier run is not a run of today. All runs are then
        // repeated once.
        for attempt in 1...2 where days.count != 1 {
            days = [Date.today]
            several = try await withResponder {
                [.reply($0.answer())]
            } _: { responder -> [String?] in
                var told: [String?] = []
                for _ in 1...3 {
                    let caveats = try await caveats(
                        ["\(responder.endpoint)", "-d", "example.com", "--rate", "50"],
                        ["--rounds", "1", "--store", "s\(attempt).sqlite"],
                        in: folder
                    )
                    told.append(caveats["several-runs"])
                }
                return told
            }
            days.insert(Date.today)
        }
        try #require(several.count == 3)
        #expect(several[0] == nil)
        for (words, count) in zip(several.dropFirst(), ["1 time", "2 times"]) {
            let words = try #require(words)
            #expect(words.hasPrefix("This comparison was already run \(count) today. "))
            #expect(words.hasSuffix("with --resume."))
        }
    }

    @Test(.enabled("a network of its own needs permission") { await LoneNetwork.isPermitted })
    func `rounds without a route are noted`() async throws {
        let outputs = Self.formats.flatMap { ["-o", folder.file("r.\($0)")] }
        let run = try await LoneNetwork.dnstempo(
            ["compare", "198.51.100.99", "203.0.113.9", "-d", "example.com", "--rounds", "2"]
                + ["-q", "--no-store"] + outputs,
            servers: ["198.51.100.7"]
        )
        #expect(run.code == 69)
        for format in Self.formats {
            let words = folder.text("r.\(format)").split(whereSeparator: \.isWhitespace)
            let told = words.joined(separator: " ")
            #expect(told.contains("In 2 of 2 rounds there was no route to any resolver"), "\(told)")
        }
    }
}
