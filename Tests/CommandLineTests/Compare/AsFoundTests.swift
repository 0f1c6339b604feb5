import Foundation
import Servers
import Testing

/// Comparisons that query each name of a list once.
@Suite struct AsFoundTests {
    private let folder = TemporaryFolder()

    private func compare(_ words: String) async throws -> CommandOutput {
        let arguments = words.split(separator: " ").map(String.init)
        return try await Command.run(
            ["compare", "--series", "as-found"] + arguments,
            in: folder.path
        )
    }

    /// Writes a lab whose caches contain the given shares of the names.
    private func writeLab(_ shares: [(name: String, base: String, found: Double)]) throws {
        let tables = shares.map { name, base, found in
            "[[resolver]]\nname = \"\(name)\"\nbase = \"\(base)\"\njitter = \"1ms\"\nsigma = 0.4\n"
                + "found = \(found)\nrecursion = [\"200ms\", \"250ms\"]\n"
        }
        let baseline = "baseline = \"\(shares[0].name)\"\n"
        try folder.write(baseline + tables.joined(separator: "\n"), to: "lab.toml")
    }

    @Test func `cache shares decide the verdict of a run and of its samples file`() async throws {
        // quick is 6 ms faster for cached names, but has only a third of the names in its cache.
        try writeLab([("home", "14ms", 0.95), ("quick", "8ms", 0.33)])
        let words =
            "--lab lab.toml --seed 3 --rate 200 --total-rate 400 -o live.json --samples s.csv"
        let shares = [("home", 0.95), ("quick", 0.33)]
        var run = try await compare(words)
        var live = try JSON(folder.text("live.json"))
        // If the machine was suspended, hits seem as late as misses. The run is then repeated.
        for _ in 0..<2 {
            let isFound = try shares.allSatisfy { name, share in
                let interval = try live.resolver(name)["hit_share_ci"] as? [Double] ?? [1, 0]
                return interval[0] < share && share < interval[1]
            }
            if isFound { break }
            run = try await compare(words)
            live = try JSON(folder.text("live.json"))
        }
        #expect(run.code == 0 && run.errors == "", "\(run)")
        #expect(run.output.hasPrefix("Stay with home: quick is "))
        #expect(run.output.contains("- In its cache: quick 3"))
        #expect(run.output.contains("- 600 names, each once, "))
        for (name, share) in shares {
            let resolver = try live.resolver(name)
            let interval = try #require(resolver["hit_share_ci"] as? [Double])
            #expect(interval[0] < share && share < interval[1], "\(name): \(interval)")
            #expect(resolver["answered"] as? Int == 600)
        }
        try await Command.succeedSilently(
            ["report", "s.csv", "--baseline", "home", "-o", "read.json"],
            in: folder.path
        )
        let recorded = try JSON(folder.text("read.json"))
        #expect(recorded["comparisons"] as? NSArray == live["comparisons"] as? NSArray)
        for name in ["home", "quick"] {
            let (there, here) = (try recorded.resolver(name), try live.resolver(name))
            for key in ["hits", "misses", "unknown", "answered", "found_mean_ms", "median_ms"] {
                #expect(there[key] as? NSNumber == here[key] as? NSNumber, "\(name): \(key)")
            }
        }
    }

    /// Queries sixty names once. A new cache contains 36 of these names. Returns the reported numbers of
    /// hits, misses and unknown names, and the hits and misses that unbound counts.
    private func found() async throws -> (told: [Int?], counted: [Int]) {
        let place = TemporaryFolder()
        let control = place.file("control")
        let names = (1...60).map { "n\($0).example.org" }
        try folder.write(names.joined(separator: "\n") + "\n", to: "names")
        return try await withServer(.knot(records: ["* 300 IN A 192.0.2.2"])) { knot in
            // Only a cache miss takes this delayed path to the authoritative server.
            try await withServer(.dnsdist(delays: [90], backend: knot.endpoint)) { far in
                let cache = Unbound.unbound(stubs: ["example.org.": far.endpoint], control: control)
                return try await withServer(cache) { server in
                    let dig = try Program("dig", package: "bind9-dnsutils")
                    let way = ["@127.0.0.1", "-p", "\(server.endpoint.port)", "+noall", "+answer"]
                    let warmed = names.prefix(36)
                    let run = try await dig.run(way + warmed)
                    #expect(run.code == 0)
                    // Waits until the TTL of the last name counts down.
                    let ages = try await eventually {
                        let answer = try await dig.run(way + [warmed[35]])
                        return answer.output.contains(#/\s29\d\s/#)
                    }
                    #expect(ages)
                    let before = try await Unbound.statistics(control: control)
                    let report = try await compare(
                        "cache=\(server.endpoint) --domains names --rate 50 --no-store --format json"
                    )
                    #expect(report.code == 0, "\(report.errors)")
                    let after = try await Unbound.statistics(control: control)
                    func counted(_ name: String) throws -> Int {
                        Int(try #require(after[name])) - Int(try #require(before[name]))
                    }
                    let found = try JSON(report.output).resolver("cache")
                    return try (
                        ["hits", "misses", "unknown"].map { found[$0] as? Int },
                        [counted("total.num.cachehits"), counted("total.num.cachemiss")]
                    )
                }
            }
        }
    }

    @Test func `reported hits and misses equal the counts of unbound`() async throws {
        // Thirty names are queried a second time. Unbound counts these queries as hits too.
        let (told, counted): ([Int?], [Int]) = ([36, 24, 0], [36 + 30, 24])
        var results = try await found()
        // If the machine was suspended, hits seem as late as misses. The run is then repeated.
        for _ in 0..<2 where results.told != told || results.counted != counted {
            results = try await found()
        }
        #expect(results.told == told)
        #expect(results.counted == counted)
    }

    @Test func `names with recent queries in the store are left out`() async throws {
        try await withServer(.unbound(wildcards: ["example.org. 300 IN A 192.0.2.1"])) { server in
            let names = (1...80).map { "n\($0).example.org" }
            try folder.write(names.joined(separator: "\n") + "\n", to: "names")
            let list = "here=\(server.endpoint) --domains names --rate 50 --store s.sqlite"
            let first = try await compare("\(list) --names 50 -o first.json")
            #expect(first.code == 0)
            #expect(
                first.errors
                    == "dnstempo: as-found: a verdict needs at least 200 names, and there are 50\n"
            )
            let second = try await compare("\(list) -o second.json")
            #expect(second.code == 0)
            #expect(
                second.errors
                    == """
                    dnstempo: left out 50 names that were asked from here in the last 24 hours or within their TTL
                    dnstempo: as-found: a verdict needs at least 200 names, and there are 30

                    """
            )
            let asked = try ["first.json", "second.json"].map { file in
                let plan = try #require(JSON(folder.text(file))["plan"] as? [String: Any])
                return Set(try #require(plan["names"] as? [String]))
            }
            #expect(asked[0].count == 50 && asked[1].count == 30)
            #expect(asked[0].isDisjoint(with: asked[1]))
            let third = try await compare(list)
            #expect(third.code == 64)
            #expect(
                third.errors.hasPrefix(
                    "dnstempo: --series as-found: all 80 names of the list were asked from here in"
                )
            )
        }
    }

    @Test(
        arguments: [
            ("compare --lab --series cached,as-found", "--series cached,as-found: as-found asks"),
            (
                "compare --lab --series as-found --rounds 3",
                "--rounds: --series as-found asks a list"
            ),
            ("compare --lab --series as-found --max-rounds 3", "--max-rounds: --series as-found"),
            ("compare --lab --series as-found --strategies", "--strategies: --series as-found"),
            ("compare --lab --series as-found --keep-all", "--keep-all: --series as-found asks"),
            (
                "compare --lab --series as-found --names 3",
                "--names 3: give a number from 20 to 10000"
            ),
            (
                "compare --lab --names 300",
                "--names is the length of an as-found list: add --series"
            ),
            ("compare --lab --series as-found -t A -t AAAA", "--type: --series as-found asks one"),
            (
                "sample --lab --series as-found --store s.sqlite",
                "--series as-found is judged once, at the"
            ),
        ]
    )
    func `conflicting options are rejected`(command: String, beginning: String) async throws {
        let run = try await Command.run(command.split(separator: " ").map(String.init))
        #expect(run.code == 64 && run.output == "")
        #expect(run.errors.hasPrefix("dnstempo: " + beginning), "\(run.errors)")
        #expect(run.errors.count { $0 == "\n" } == 1)
    }

    @Test func `a campaign cannot combine an as-found list with another series`() async throws {
        try folder.write("series = [\"cached\", \"as-found\"]\n", to: "c.toml")
        let run = try await Command.run(
            ["compare", "--lab", "--campaign", "c.toml"],
            in: folder.path
        )
        #expect(run.code == 64 && run.output == "")
        #expect(
            run.errors
                == "dnstempo: --series cached,as-found: as-found asks another list of names, in a run "
                + "of its own; leave out the others\n"
        )
    }
}
