import Servers
import Synchronization
import Testing

@Suite struct UncachedTests {
    /// Measures a cache for more than two lifetimes of its entries, which come from knot. Returns the hits
    /// and misses recognised by TTL, and the hits and misses that unbound counts.
    private func hitsAndMisses() async throws -> (told: [Int], counted: [Int]) {
        let folder = TemporaryFolder()
        let control = folder.file("control")
        return try await withServer(.knot(records: ["* 3 IN A 192.0.2.2"])) { knot in
            let unbound = Unbound.unbound(stubs: ["example.org.": knot.endpoint], control: control)
            return try await withServer(unbound) { server in
                let before = try await Unbound.statistics(control: control)
                try await Command.succeed([
                    "compare", "cache=\(server.endpoint)", "-d", "a.example.org", "-d",
                    "b.example.org", "--rounds", "24", "--interval", "300ms", "--rate", "50",
                    "--samples", folder.file("samples.csv"),
                ])
                let after = try await Unbound.statistics(control: control)
                func counted(_ name: String) throws -> Int {
                    Int(try #require(after[name])) - Int(try #require(before[name]))
                }
                let states = Table(folder.text("samples.csv")).column("cache")
                #expect(states.count == 48)
                // The warm-up fetched both names, which unbound counts as two misses.
                return try (
                    [states.count { $0 == "hit" }, states.count { $0 == "miss" }],
                    [counted("total.num.cachehits"), counted("total.num.cachemiss") - 2]
                )
            }
        }
    }

    @Test func `hits and misses equal the counts of unbound`() async throws {
        // If the process was suspended, two queries for a name may wait for one answer. Then unbound counts
        // two misses, and both answers expire together.
        var results = try await hitsAndMisses()
        for _ in 0..<2 where results.told != results.counted {
            results = try await hitsAndMisses()
        }
        #expect(results.told == results.counted)
        #expect(results.told[1] >= 2)
    }

    @Test func `uncached names are fetched each time, and paired by zone`() async throws {
        let folder = TemporaryFolder()
        let control = folder.file("control")
        try await withServer(.knot()) { knot in
            let unbound = Unbound.unbound(stubs: ["example.org.": knot.endpoint], control: control)
            try await withServer(unbound) { server in
                let before = try await Unbound.statistics(control: control)
                let run = try await Command.succeedSilently([
                    "compare", "a=\(server.endpoint)", "b=\(knot.endpoint)", "-d",
                    "www.example.org", "--series", "cached,uncached", "--zone", "example.org",
                    "--rounds", "4", "--rate", "50", "--samples", folder.file("samples.csv"),
                    "--format", "json",
                ])
                let after = try await Unbound.statistics(control: control)
                let missed =
                    try #require(after["total.num.cachemiss"])
                    - #require(before["total.num.cachemiss"])
                // The misses are the check of the zone, four random names, and the warm-up of the cached
                // name. On a busy machine, the first counted query may be sent before the warm-up is
                // answered.
                #expect((6...7).contains(missed))
                let table = Table(folder.text("samples.csv"))
                let uncached = table.rows.filter { table[$0, "series"] == "uncached" }
                #expect(uncached.count == 8)
                #expect(uncached.allSatisfy { table[$0, "name"] == "*.example.org" })
                #expect(uncached.allSatisfy { table[$0, "outcome"] == "answered" })
                let report = try JSON(run.output)
                let rows = try report.resolvers.filter { $0["series"] as? String == "uncached" }
                #expect(Set(rows.compactMap { $0["name"] as? String }) == ["a", "b"])
                #expect(rows.allSatisfy { $0["recursion_ms"] is Double })
                #expect(rows.allSatisfy { ($0["floor_ms"] as? Double).map { $0 > 0 } == true })
            }
        }
    }

    @Test func `a signed zone is rejected, or left out if other zones remain`() async throws {
        try await withServer(.knot(zone: "signed.example.", isSigned: true)) { signed in
            try await withServer(.knot()) { knot in
                let stubs = ["example.org.": knot.endpoint, "signed.example.": signed.endpoint]
                try await withServer(.unbound(stubs: stubs)) { server in
                    let arguments = [
                        "compare", "a=\(server.endpoint)", "--series", "uncached", "--rounds",
                        "2", "--rate", "50", "--zone", "signed.example",
                    ]
                    let refused = try await Command.run(arguments)
                    #expect(refused.code == 64)
                    #expect(refused.errors.contains("--zone signed.example: it is signed"))
                    let some = try await Command.succeed(
                        arguments + ["--zone", "example.org", "--format", "json"]
                    )
                    #expect(some.errors.contains("signed.example, since it is signed"))
                    #expect(try JSON(some.output).resolver("a")["sent"] as? Int == 2)
                }
            }
        }
    }

    /// The number of queries of a warm-up and three rounds. The responder's TTLs count down if `ages`, and
    /// are constant otherwise. If `ages` is `nil`, the responder is silent, and the function waits for
    /// `count` queries.
    private func queriesWithWarmup(ages: Bool?, count: Int) async throws -> Int {
        let start = ContinuousClock.now
        return try await withResponder(script: { query in
            guard let ages else { return [] }
            let seconds = UInt32((ContinuousClock.now - start) / .seconds(1))
            return [.reply(query.answer(ttl: ages ? 300 - seconds : 300))]
        }) { responder in
            let run = try await Command.run([
                "compare", "r=\(responder.endpoint)", "-d", "example.com", "--warmup", "5",
                "--rounds", "3", "--rate", "50", "--timeout", ages == nil ? "300ms" : "5s",
                "--no-floor",
            ])
            #expect(run.code == (ages == nil ? 69 : 0))
            // Queries without an answer may still be in flight.
            if ages == nil { _ = try await eventually { responder.queries.count >= count } }
            return responder.queries.count
        }
    }

    // After its first timeout, a resolver gets one extra query, which detects answers from other sources.
    @Test(arguments: [(ages: true, queries: 2), (ages: false, queries: 2), (ages: nil, queries: 2)])
    func `warm-ups stop at a hit, fixed TTL or no answer`(ages: Bool?, queries: Int) async throws {
        let expected = queries + 3
        // If the process was suspended, an answer may arrive after the next round of the warm-up is due. The
        // TTL may also be outdated when the answer arrives.
        var found = try await queriesWithWarmup(ages: ages, count: expected)
        for _ in 0..<2 where found != expected {
            found = try await queriesWithWarmup(ages: ages, count: expected)
        }
        #expect(found == expected)
    }

    @Test func `uncached names take longer, as the lab's profile defines`() async throws {
        let run = try await Command.succeed([
            "compare", "--lab", "meadow", "marsh", "--series", "cached,uncached", "--rounds", "6",
            "--format", "json",
        ])
        let rows = try JSON(run.output).resolvers.filter { $0["series"] as? String == "uncached" }
        func cost(_ name: String) throws -> Double {
            let row = try #require(rows.first { $0["name"] as? String == name })
            return try #require(row["recursion_ms"] as? Double)
        }
        #expect(try cost("meadow") > 5)
        #expect(try cost("marsh") > cost("meadow"))
    }

    @Test(arguments: try BadInput.cases("uncached"))
    func `an unusable series or zone is rejected`(input: BadInput) async throws {
        try await input.check()
    }

    @Test func `a watch rejects an interval that is too short for uncached names`() async throws {
        try await withServer(.knot()) { knot in
            let run = try await Command.run([
                "watch", "k=\(knot.endpoint)", "--no-store", "--series", "uncached", "--zone",
                "example.org", "--interval", "5s",
            ])
            #expect(run.code == 64)
            #expect(run.errors.contains("--interval 5s: each resolver gets at most"))
            #expect(run.errors.contains("give 15s or more"))
        }
    }
}
