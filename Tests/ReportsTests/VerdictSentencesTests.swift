import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

struct VerdictSentencesTests {
    /// The current resolver and one candidate in `rounds` rounds.
    private func fixture(
        rounds: Int = 12,
        _ baseline: (Int) -> Observation,
        _ candidate: (Int) -> Observation
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "harbour"
        fixture.context.isBaselineInUse = true
        fixture.add("harbour", endpoint: "192.0.2.1:53", outcome: baseline)
        fixture.add("meadow", endpoint: "198.51.100.1:53", outcome: candidate)
        return fixture
    }

    private func finding(_ fixture: Fixture) throws -> Finding {
        try #require(fixture.report.findings.first?.finding)
    }

    @Test(arguments: [
        (Observation.failure(.servFail), 1, "gave most queries no usable answer."),
        (.none(.timeout), 1, "left most queries unanswered."),
        (.none(.timeout), 2, "left half of the queries unanswered."),
    ])
    func `a baseline with few answers has its own failure reason`(
        failure: Observation,
        every: Int,
        words: String
    ) throws {
        var fixture = try fixture({ $0 % every == 0 ? failure : .answer(30) }, { _ in .answer(10) })
        #expect(
            try finding(fixture).headline
                == "Yes, switch to meadow: your current resolver \(words)"
        )
        fixture.context.isBaselineInUse = false
        #expect(try finding(fixture).headline == "Yes, meadow answers; harbour \(words)")
    }

    @Test(arguments: [3, 12])
    func `two resolvers without answers have no verdict`(rounds: Int) throws {
        let fixture = try fixture(
            rounds: rounds,
            { _ in .failure(.servFail) },
            { _ in .none(.timeout) }
        )
        #expect(
            try finding(fixture).headline == "No verdict: harbour and meadow gave no usable answer."
        )
    }

    @Test func `an uncompared resolver is called neither different nor equal`() throws {
        var fixture = try fixture({ _ in .answer(21) }, { _ in .answer(10) })
        fixture.context.plan.series = [.cached, .uncached]
        fixture.add("brook", endpoint: "203.0.113.1:53") { _ in .answer(12) }
        #expect(try finding(fixture).details.contains("brook: also faster, by less."))
        for (label, endpoint, time) in [
            ("harbour", "192.0.2.1:53", 60.0), ("meadow", "198.51.100.1:53", 40),
            ("brook", "203.0.113.1:53", 20),
        ] {
            fixture.add(label, endpoint: endpoint, series: .uncached) { _ in .answer(time) }
        }
        // In the combined comparison of cached and uncached names, brook was not compared with meadow.
        let whole = try finding(fixture)
        #expect(whole.headline.hasPrefix("Yes, switch to meadow"))
        #expect(whole.details.contains("brook: also faster than harbour."), "\(whole)")
        #expect(!whole.details.contains { $0.contains("by less") }, "\(whole)")
    }

    @Test(arguments: [
        (18.0, Outcome.timeout, "meadow is 3"), (30, .timeout, "no reliable resolver is more"),
    ])
    func `the reason is given if the faster resolver fails more often`(
        time: Double,
        failure: Outcome,
        words: String
    ) throws {
        var fixture = try fixture(rounds: 25, { _ in .answer(21) }, { _ in .answer(time) })
        fixture.add("brook", endpoint: "203.0.113.1:53") { number in
            number % 3 == 0 ? .none(failure) : .answer(10)
        }
        let headline = try finding(fixture).headline
        #expect(headline.hasPrefix("Stay with harbour: \(words)"), "\(headline)")
        let isNear = time < 21
        let end = isNear ? "ms faster, less than your margin of 5 ms." : "than 5 ms faster."
        #expect(headline.hasSuffix(end), "\(headline)")
    }

    @Test func `a faster resolver of few queries is not recommended yet`() throws {
        var fixture = try Fixture(rounds: 8, names: 2)
        fixture.context.baseline = "harbour"
        fixture.context.rules.lossTolerance = ComparisonRules.usualLossTolerance
        fixture.add("harbour", endpoint: "192.0.2.1:53") { _ in .answer(21) }
        fixture.add("meadow", endpoint: "198.51.100.1:53") { _ in .answer(10) }
        let finding = try finding(fixture)
        #expect(finding.headline.hasPrefix("Not yet: meadow is "), "\(finding)")
        #expect(finding.headline.hasSuffix("ms faster, but its loss is not yet known."))
        let remedy =
            "Run more rounds or names: meadow may lose 10 percentage points more than harbour."
        #expect(finding.details.contains(remedy), "\(finding)")
        #expect(Advice(of: fixture.report) == nil)
    }

    @Test(arguments: [31.0, 10])
    func `hours of one day do not support a general statement`(time: Double) throws {
        var fixture = try fixture(rounds: 20, { _ in .answer(21) }, { _ in .answer(time) })
        fixture.context.rules = ComparisonRules(unit: .hour)
        // The hours begin at midnight (UTC).
        let midnight = Timestamp(nanoseconds: 1_795_219_200_000_000_000)
        for index in fixture.samples.indices {
            let moment = midnight.advanced(by: .seconds(3600 * Int(fixture.samples[index].round)))
            fixture.samples[index].scheduled = moment
            fixture.samples[index].observation.sent = moment
        }
        #expect(
            try finding(fixture).headline
                == "No verdict yet: it takes hours of at least 2 days (UTC)."
        )
    }

    /// The candidates gain little in the rounds with connections. Connections to their addresses take as long
    /// as connections to the addresses of the baseline, or 1 ms longer.
    @Test(arguments: [
        (
            12.0, "No clear gain: meadow is faster at queries, not at time to content.",
            "brook: faster, but no faster at time to content, not recommended."
        ),
        (
            13, "No clear gain: meadow is faster, but its addresses are farther away.",
            "brook: faster, but its addresses are farther away, not recommended."
        ),
    ])
    func `addresses are called farther only if connecting takes longer`(
        connection: Double,
        headline: String,
        other: String
    ) throws {
        func outcome(_ number: Int) -> Observation { .answer(number < 80 ? 20 : 10) }
        var fixture = try fixture(rounds: 60, { _ in .answer(21) }, outcome)
        fixture.add("brook", endpoint: "203.0.113.1:53", outcome: outcome)
        for index in fixture.samples.indices where fixture.samples[index].round < 8 {
            let isBaseline = fixture.samples[index].target == 0
            let edge = isBaseline ? 12 : connection
            fixture.samples[index].observation.add(edge: Int64(edge * 1e6))
        }
        let finding = try finding(fixture)
        #expect(finding.headline == headline)
        #expect(finding.details.contains(other), "\(finding)")
    }
}
