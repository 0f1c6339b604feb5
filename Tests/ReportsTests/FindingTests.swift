import Samples
import Testing

@testable import Reports

struct FindingTests {
    /// The sentences of a summary without a significance test.
    private struct Untested {
        var headline: String
        var details: [String]
    }

    /// Returns the summary of resolvers with constant times. The first `lost` of 100 queries to a resolver
    /// get no answer.
    private func finding(
        _ resolvers: [(name: String, time: Double, lost: Int)],
        baseline: String? = nil,
        inUse: Bool = true
    ) throws -> Untested {
        var fixture = try Fixture(rounds: 10)
        fixture.context.baseline = baseline
        fixture.context.isBaselineInUse = inUse
        for resolver in resolvers {
            fixture.add(resolver.name) { number in
                number < resolver.lost ? .none(.timeout) : .answer(resolver.time)
            }
        }
        let speech = SummarySentences(of: fixture.report.rows, isBaselineInUse: inUse)
        return Untested(headline: speech.headline, details: speech.details)
    }

    private static let luck = "No significance test was made. A difference may be chance."

    @Test func `the fastest resolver is compared with the current resolver`() throws {
        let finding = try finding([("harbour", 22.3, 0), ("meadow", 14.2, 0)], baseline: "harbour")
        #expect(finding.headline == "meadow was fastest: median 14.2 ms.")
        #expect(finding.details == ["Your current resolver (harbour): median 22.3 ms.", Self.luck])
    }

    @Test func `a baseline that is not in use is not called current`() throws {
        let finding = try finding(
            [("harbour", 22.3, 0), ("meadow", 14.2, 0)],
            baseline: "harbour",
            inUse: false
        )
        #expect(finding.details == ["harbour: median 22.3 ms.", Self.luck])
    }

    @Test func `the current resolver can be the fastest`() throws {
        let finding = try finding([("harbour", 10, 0), ("meadow", 14.2, 0)], baseline: "harbour")
        #expect(finding.headline == "Your current resolver (harbour) was fastest: median 10.0 ms.")
        #expect(finding.details == ["Next: meadow, 14.2 ms.", Self.luck])
    }

    @Test func `a fast but lossy resolver is named, but not called the fastest`() throws {
        let finding = try finding(
            [("cliff", 9, 3), ("meadow", 14.2, 0), ("harbour", 22.3, 0)],
            baseline: "harbour"
        )
        #expect(
            finding.headline
                == "meadow was fastest of those with lower packet loss: median 14.2 ms."
        )
        #expect(
            finding.details == [
                "Your current resolver (harbour): median 22.3 ms.",
                "cliff: faster (9.0 ms), but packet loss 3.0 %.", Self.luck,
            ]
        )
    }

    @Test func `a resolver with lower packet loss is not said to have little loss`() throws {
        let finding = try finding([("cliff", 10, 30), ("meadow", 20, 25)])
        #expect(
            finding.headline
                == "meadow was fastest of those with lower packet loss: median 20.0 ms."
        )
    }

    @Test func `a resolver with one lost query of a hundred can be the fastest`() throws {
        let finding = try finding([("meadow", 9, 1), ("brook", 14.2, 0)])
        #expect(finding.headline.hasPrefix("meadow was fastest"))
        #expect(
            finding.details == ["Next: brook, 14.2 ms.", "Packet loss: meadow 1.0 %.", Self.luck]
        )
    }

    @Test func `with equal losses one resolver is still the fastest`() throws {
        let finding = try finding([("meadow", 9, 4), ("brook", 14.2, 4), ("stone", 20, 5)])
        #expect(finding.headline.hasPrefix("meadow was fastest"))
        #expect(finding.details.contains("Packet loss: meadow 4.0 %, brook 4.0 %, stone 5.0 %."))
    }

    @Test func `resolvers with equal displayed times are equally fast`() throws {
        let two = try finding([("meadow", 14.24, 0), ("brook", 14.16, 0), ("stone", 20, 0)])
        #expect(two.headline == "brook and meadow were equally fast: median 14.2 ms.")
        #expect(two.details.first == "Next: stone, 20.0 ms.")
        let all = try finding([("a", 14.24, 0), ("b", 14.16, 0), ("c", 14.2, 0)], baseline: "b")
        #expect(all.headline == "All 3 resolvers were equally fast: median 14.2 ms.")
    }

    @Test func `the current resolver is named first in a tie`() throws {
        let finding = try finding([("brook", 14, 0), ("harbour", 14, 0)], baseline: "harbour")
        #expect(
            finding.headline
                == "Your current resolver (harbour) and brook were equally fast: "
                + "median 14.0 ms."
        )
    }

    @Test func `the summary of one resolver contains only its median`() throws {
        let finding = try finding([("meadow", 14.2, 2)])
        #expect(finding.headline == "meadow: median 14.2 ms.")
        #expect(finding.details == ["Packet loss: meadow 2.0 %."])
    }

    @Test func `a silent resolver has no median`() throws {
        let one = try finding([("meadow", 1, 100), ("brook", 20, 0)], baseline: "meadow")
        #expect(one.headline == "Only brook answered: median 20.0 ms.")
        #expect(one.details == ["Your current resolver (meadow) did not answer at all."])
        let all = try finding([("meadow", 1, 100), ("brook", 1, 100)])
        #expect(
            all.headline
                == "No resolver answered: all 200 queries were lost. Check the connection, "
                + "then repeat it."
        )
        let half = try finding([("meadow", 1, 60), ("brook", 1, 70)])
        #expect(
            half.headline == "No resolver answered half of its queries; most: meadow (40 of 100)."
        )
    }

    @Test func `a resolver that blocks every name is not called silent`() throws {
        var fixture = try Fixture(rounds: 10)
        fixture.add("meadow") { _ in .none(.filtered) }
        fixture.add("brook") { _ in .answer(20) }
        let two = SummarySentences(of: fixture.report.rows)
        #expect(two.headline == "Only brook was measured: median 20.0 ms.")
        #expect(two.details == ["meadow was not measured."])
        fixture.add("stone") { _ in .none(.timeout) }
        let three = SummarySentences(of: fixture.report.rows)
        #expect(three.headline == "Of those measured only brook answered: median 20.0 ms.")
    }

    @Test func `answers that came after the timeout are not called lost`() throws {
        func finding(_ times: [String: Double]) throws -> Finding {
            var fixture = try Fixture(rounds: 3)
            for (name, time) in times.sorted(by: { $0.key < $1.key }) {
                fixture.add(name) { _ in .answer(time) }
            }
            return Finding(in: .cached, of: fixture.report)
        }
        let late = "meadow answered less than half of the queries within the timeout."
        #expect(try finding(["meadow": 6000]).headline == late)
        #expect(try finding(["meadow": 6000, "brook": 10]).details.contains(late))
        #expect(
            try finding(["meadow": 6000, "brook": 6000]).headline
                == "No resolver answered half of its queries within the timeout."
        )
    }

    @Test(arguments: [
        (Outcome.offline, "no route"), (.blocked, "the allowed networks"),
        (.filtered, "blocks its name"),
    ])
    func `the reason is given if nothing was measured`(outcome: Outcome, reason: String) throws {
        var fixture = try Fixture(rounds: 1)
        for name in ["meadow", "brook"] { fixture.add(name) { _ in .none(outcome) } }
        let finding = Finding(in: .cached, of: fixture.report)
        #expect(finding.headline.contains(reason))
        #expect(finding.details.isEmpty)
    }

    @Test func `without a test no switch is recommended`() throws {
        var fixture = try Fixture.lab()
        fixture.context.baseline = nil
        let finding = Finding(in: .cached, of: fixture.report)
        #expect(!(finding.headline + finding.details.joined()).contains("switch"))
        #expect(finding.details.contains(Self.luck))
        #expect(finding.scope == "9 rounds of 10 names, 32 s, cached names.")
    }

    @Test func `a tested comparison is not called untested`() throws {
        let finding = Finding(in: .cached, of: try Fixture.lab().report)
        #expect(!finding.details.contains(Self.luck))
        #expect(finding.details.contains { $0.contains(", for now (98.3 % confidence interval: ") })
    }

    @Test func `an until-sure run has no advice to measure more rounds`() throws {
        var fixture = try Fixture.lab()
        fixture.context.plan.rounds = 100
        fixture.context.plan.isUntilSure = true
        let finding = Finding(in: .cached, of: fixture.report)
        #expect(finding.scope.hasPrefix("9 rounds of 10 names"))
    }
}
