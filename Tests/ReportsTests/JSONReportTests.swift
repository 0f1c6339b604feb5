import Analysis
import Foundation
import Reports
import Statistics
import Testing

struct JSONReportTests {
    private func parse(_ fixture: Fixture) throws -> [String: Any] {
        let text = JSONFormat().render(fixture.report)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `the sum of all outcomes is the number of sent queries`() throws {
        let document = try parse(try Fixture.troubled())
        let resolvers = try #require(document["resolvers"] as? [[String: Any]])
        #expect(resolvers.count == 7)
        for resolver in resolvers {
            let failures = try #require(resolver["failures"] as? [String: Int])
            let parts = try ["answered", "timeouts", "filtered"].map { key in
                try #require(resolver[key] as? Int)
            }
            let sum = parts.reduce(0, +) + failures.values.reduce(0, +)
            #expect(resolver["sent"] as? Int == sum)
        }
    }

    @Test func `a quantile among the timeouts is null, and its key is present`() throws {
        let document = try parse(try Fixture.lab())
        let resolvers = try #require(document["resolvers"] as? [[String: Any]])
        let cliff = try #require(resolvers.first { $0["name"] as? String == "cliff" })
        #expect(cliff["p95_ms"] is NSNull)
        #expect(cliff["p90_ms"] is Double)
    }

    @Test func `a resolver's label has one key everywhere`() throws {
        let fixture = try Fixture.troubled()
        let document = try parse(fixture)
        let resolvers = try #require(document["resolvers"] as? [[String: Any]])
        for resolver in resolvers {
            #expect(resolver["resolver"] as? String != nil)
            #expect(resolver["resolver"] as? String == resolver["name"] as? String)
        }
        let comparisons = try #require(document["comparisons"] as? [[String: Any]])
        for comparison in comparisons {
            #expect(comparison["baseline_endpoint"] as? String == "127.0.0.53:53")
            #expect(comparison["baseline_transport"] as? String == "udp")
        }
        let csv = fixture.report.render(as: .csv, width: 80, colour: false)
        #expect(csv.hasPrefix("resolver,name,endpoint,transport,series,"))
    }

    @Test func `unknown values are absent`() throws {
        let document = try parse(try Fixture.lab())
        let resolver = try #require((document["resolvers"] as? [[String: Any]])?.first)
        for key in ["floor_ms", "sites"] { #expect(resolver[key] == nil) }
    }

    @Test func `evidence has all digits, and an open end is null`() throws {
        let fixture = try Fixture.lab(rounds: 4)
        let document = try parse(fixture)
        let comparisons = try #require(document["comparisons"] as? [[String: Any]])
        let evidence = try #require(fixture.report.evidence.first?.candidates)
        #expect(comparisons.map { $0["candidate"] as? String } == ["meadow", "brook", "cliff"])
        for (written, candidate) in zip(comparisons, evidence) {
            let logE = try #require(written["log_e_faster"] as? Double)
            #expect(abs(logE - candidate.comparison.logEFaster) < 1e-12)
        }
        let ends = try #require(comparisons[2]["ci_ms"] as? [Any])
        #expect(ends.count == 2 && ends.allSatisfy { $0 is NSNull })
        let cliff = try #require((document["resolvers"] as? [[String: Any]])?.last)
        #expect(cliff["rank"] is NSNull)
    }

    @Test func `the plan and the notes are written unchanged`() throws {
        var fixture = try Fixture.lab()
        fixture.context.plan.seed = .max
        fixture.context.plan.interval = .milliseconds(250)
        let document = try parse(fixture)
        #expect(document["schema"] as? String == "dnstempo.comparison/1")
        #expect(document["started"] as? String == "2026-11-21T03:55:12.000000Z")
        let plan = try #require(document["plan"] as? [String: Any])
        #expect(plan["seed"] as? UInt64 == .max)
        #expect(plan["interval_s"] as? Double == 0.25)
        #expect(plan["names"] as? [String] == fixture.context.plan.names)
        let caveats = try #require(document["caveats"] as? [[String: String]])
        #expect(caveats.map { $0["code"] } == fixture.report.warnings.map(\.code))
    }

    @Test func `times have at least three decimals`() throws {
        var fixture = try Fixture(rounds: 1)
        fixture.add("meadow") { _ in .answer(10) }
        #expect(JSONFormat().render(fixture.report).contains("\"median_ms\": 10.000,"))
        var fine = try Fixture(rounds: 1)
        fine.add("meadow") { _ in .answer(0.012345) }
        #expect(JSONFormat().render(fine.report).contains("\"median_ms\": 0.012345,"))
    }
}
