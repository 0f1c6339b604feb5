import Foundation
import Servers
import Testing

/// `-t browser`: the time that a browser waits for A, AAAA and HTTPS together.
@Suite struct BrowserTests {
    private let folder = TemporaryFolder()

    private func compare(_ arguments: [String]) async throws -> CommandOutput {
        let shared = ["--no-check", "--no-floor", "--no-store", "--seed", "3"]
        return try await Command.run(["compare"] + arguments + shared, in: folder.path)
    }

    @Test func `each query is a sample, and the samples file gives the same report`() async throws {
        let run = try await compare([
            "--lab", "-t", "browser", "--rounds", "12", "-o", "live.json", "--samples", "s.csv",
        ])
        #expect(run.code == 0, "\(run)")
        let live = try JSON(folder.text("live.json"))
        let plan = try #require(live["plan"] as? [String: Any])
        #expect(plan["series"] as? [String] == ["browser"])
        let types = try #require(plan["types"] as? [String])
        #expect([["A", "AAAA", "HTTPS"], ["A", "HTTPS"]].contains(types))
        #expect(try live.resolver("harbour")["sent"] as? Int == 120)
        let rows = folder.text("s.csv").split(separator: "\n").dropFirst()
        #expect(try rows.count == 120 * types.count * live.resolvers.count)
        #expect(rows.allSatisfy { $0.contains(",browser,") })

        let report = ["report", "s.csv", "--baseline", "harbour", "-o", "file.json"]
        try await Command.succeed(report, in: folder.path)
        let file = try JSON(folder.text("file.json"))
        for one in try live.resolvers {
            let name = try #require(one["name"] as? String)
            let other = try file.resolver(name)
            for key in ["sent", "median_ms", "p90_ms", "timeouts", "failure_rate"] {
                #expect(one[key] as? Double == other[key] as? Double, "\(name) \(key)")
            }
        }
        let window = try await Command.run(["report", "s.csv"], in: folder.path)
        #expect(window.code == 0 && window.output.contains("harbour"))
    }

    @Test func `a browser waits 50 ms for a missing HTTPS answer`() async throws {
        let https: UInt8 = 65
        try await withResponder(script: { query in
            // The question ends with the lower byte of the type and the two bytes of the class.
            let type = query.question.dropLast(2).last
            if type == https { return [] }
            return [.reply(query.answer(addresses: type == 1 ? [[192, 0, 2, 1]] : []))]
        }) { responder in
            let run = try await compare([
                "r=\(responder.endpoint)", "-d", "example.com", "-t", "browser", "--rounds", "3",
                "--rate", "20", "--timeout", "5s", "-o", "x.json",
            ])
            #expect(run.code == 0, "\(run)")
            let resolver = try JSON(folder.text("x.json")).resolver("r")
            #expect(resolver["sent"] as? Int == 3 && resolver["answered"] as? Int == 3)
            let median = try #require(resolver["median_ms"] as? Double)
            #expect(median >= 50)
        }
    }

    @Test(.enabled("a network of its own needs permission") { await EdgeNetwork.isPermitted })
    func `without an IPv6 route no AAAA query is sent`() async throws {
        let run = try await EdgeNetwork(home: 1, lure: 1, same: 1).run(
            Program.dnstempo(),
            [
                "compare", EdgeNetwork.home, "-d", "example.com", "-t", "browser", "--rounds", "2",
                "--no-check", "--no-floor", "--no-store", "--rate", "20", "--samples", "s.csv",
            ],
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.code == 0, "\(run)")
        let rows = folder.text("s.csv").split(separator: "\n").dropFirst()
        #expect(rows.count { $0.contains(",example.com,A,") } == 2)
        #expect(rows.count { $0.contains(",example.com,HTTPS,") } == 2 && rows.count == 4)
    }

    @Test(arguments: [
        (
            "compare -t A -t browser",
            "--type browser asks for A, AAAA and HTTPS: leave out the other"
        ),
        ("compare -t A,browser", "--type browser asks for A, AAAA and HTTPS: leave out the other"),
        (
            "compare -t browser --series uncached",
            "--series uncached: --type browser is a series of"
        ),
        ("compare -t browser --connections fresh --transport tls", "--connections fresh: --type"),
        ("compare -t browser --connect", "--connect uses the answers of cached names"),
        ("watch -t browser", "--type browser compares what a browser waits for: use compare"),
        ("sample -t browser", "--type browser compares what a browser waits for: use compare"),
    ])
    func `an incompatible option is rejected`(words: String, line: String) async throws {
        let arguments =
            words.split(separator: " ").map(String.init) + ["127.0.0.1:9", "--no-store"]
        let kept = words.hasPrefix("sample") ? arguments.dropLast() : arguments[...]
        let run = try await Command.run(Array(kept), in: folder.path)
        #expect(run.code == 64 && run.errors.hasPrefix("dnstempo: \(line)"), "\(run)")
        #expect(run.errors.count { $0 == "\n" } == 1 && run.output == "")
    }
}
