import Foundation
import Servers
import Testing

/// The cache hits and misses that the warm-ups of sampled rounds detect.
struct CacheCauseTests {
    private static let names = 10

    /// Three weeks of half-hourly rounds of two resolvers. From the eleventh day on, one resolver has fewer
    /// names in its cache: 40 % instead of 95 %.
    private static var samples: String {
        var rows = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,name,type,outcome,rtt_ms,"
                + "timeout_ms,cache,warmup_hits,warmup_misses,warmup_miss_ms"
        ]
        for round in 0..<(48 * 21) {
            let minutes = String(round % 48 * 30 / 60 + 100).dropFirst() + ":"
            let time =
                "2025-10-\(String(round / 48 + 101).dropFirst())T\(minutes)"
                + "\(round % 2 == 0 ? "00" : "30"):00.000000Z"
            for (resolver, label) in ["near", "far"].enumerated() {
                let share = resolver == 0 && round >= 48 * 10 ? 60 : 5
                func misses(_ name: Int, _ factor: Int) -> Bool {
                    (round * factor + name * 37 + resolver * 11) % 101 * 100 < share * 101
                }
                let missed = (0..<names).count { misses($0, 29) }
                for name in 0..<names {
                    let isMiss = misses(name, 53)
                    let rtt = 12 + 8 * resolver + (round * 7 + name) % 3 + (isMiss ? 45 : 0)
                    let tally =
                        name == 0
                        ? "\(names - missed),\(missed),\(missed > 0 ? "57.5" : "")" : ",,"
                    rows.append(
                        "r,\(round + 1),\(time),\(time),here,\(label),192.0.\(resolver).1:53,udp,"
                            + "n\(name).example.com,A,answered,\(rtt).5,5000,"
                            + "\(isMiss ? "miss" : "hit"),\(tally)"
                    )
                }
            }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    @Test func `a cache with fewer names is reported as the cause of a change`() async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.samples, to: "s.csv")
        try await Command.succeed(
            ["store", "import", "s.csv", "--store", "s.sqlite"],
            in: folder.path
        )
        let window = ["--since", "2025-10-05", "--until", "2025-10-22", "--origin", "import"]
        /// Returns the report of the changes, in one line.
        func report() async throws -> String {
            let report = try await Command.succeed(
                ["report", "s.sqlite", "--changes"] + window,
                in: folder.path
            )
            return report.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let words = try await report()
        let change = " points fewer names in its cache since 2025-10-11 "
        #expect(words.contains("2 incidents; the latest: near, "), "\(words)")
        #expect(words.contains(" Cause: its cache ("), "\(words)")
        #expect(words.contains(change), "\(words)")
        try await Command.succeed(
            ["store", "prune", "--older-than", "1d", "--store", "s.sqlite"],
            in: folder.path
        )
        let later = try await report()
        #expect(later.contains(change) && !later.contains(" Cause: its cache ("), "\(later)")
        try await StoredFile(folder.file("s.sqlite")).expectSound()
    }

    /// The cache results of two rounds, and the number of names that unbound fetched.
    private struct Told: Equatable {
        var hits: [String]
        var misses: [String]
        /// Whether the column of the miss time has a value.
        var isTimed: [Bool]
        var fetched: [Int]
    }

    /// Samples a new cache in two rounds. The cache contains four of ten names in the first round, and all
    /// names in the second round.
    private func twoRounds() async throws -> Told {
        let folder = TemporaryFolder()
        let control = folder.file("control")
        let names = (1...Self.names).map { "n\($0).example.org" }
        try folder.write(names.joined(separator: "\n") + "\n", to: "names")
        let fetched: [Int] = try await withServer(
            .knot(records: ["* 300 IN A 192.0.2.2"])
        ) { knot in
            // Only a cache miss takes this delayed path to the authoritative server.
            try await withServer(.dnsdist(delays: [90], backend: knot.endpoint)) { far in
                let cache = Unbound.unbound(stubs: ["example.org.": far.endpoint], control: control)
                return try await withServer(cache) { server in
                    let dig = try Program("dig", package: "bind9-dnsutils")
                    let way = ["@127.0.0.1", "-p", "\(server.endpoint.port)", "+noall", "+answer"]
                    /// Queries the names until the TTL of the last name counts down.
                    func warm(_ names: [String]) async throws {
                        #expect(try await dig.run(way + names).code == 0)
                        let last = try #require(names.last)
                        let ages = try await eventually {
                            try await dig.run(way + [last]).output.contains(#/\s29\d\s/#)
                        }
                        #expect(ages)
                    }
                    /// Samples one round, and returns the number of names that unbound had to fetch.
                    func sample() async throws -> Int {
                        let before = try await Unbound.statistics(control: control)
                        // Two warm-up queries leave enough time between fetching a name and measuring it.
                        let run = try await Command.run(
                            ["sample", "cache=\(server.endpoint)", "--domains", "names"]
                                + ["--warmup", "2", "--store", "s.sqlite"],
                            in: folder.path
                        )
                        #expect(run.code == 0 && run.errors == "", "\(run)")
                        let after = try await Unbound.statistics(control: control)
                        let key = "total.num.cachemiss"
                        return Int(try #require(after[key])) - Int(try #require(before[key]))
                    }
                    try await warm(Array(names.prefix(4)))
                    let first = try await sample()
                    try await warm(names)
                    return try await [first, sample()]
                }
            }
        }
        let export = try await Command.run(["export", "--store", "s.sqlite"], in: folder.path)
        let table = Table(export.output)
        let told = table.rows.filter { table[$0, "warmup_hits"] != "" }
        try await StoredFile(folder.file("s.sqlite")).expectSound()
        return Told(
            hits: told.map { table[$0, "warmup_hits"] },
            misses: told.map { table[$0, "warmup_misses"] },
            isTimed: told.map { table[$0, "warmup_miss_ms"] != "" },
            fetched: fetched
        )
    }

    @Test func `warm-ups detect the hits and misses that unbound counts`() async throws {
        let right = Told(
            hits: ["4", "10"],
            misses: ["6", "0"],
            isTimed: [true, false],
            fetched: [6, 0]
        )
        var told = try await twoRounds()
        // If the machine was suspended, hits seem as late as misses. The rounds are then repeated.
        for _ in 0..<2 where told != right { told = try await twoRounds() }
        #expect(told == right)
    }
}
