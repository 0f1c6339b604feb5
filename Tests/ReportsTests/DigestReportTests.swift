import Analysis
import Samples
import Statistics
import Testing

@testable import Reports

struct DigestReportTests {
    private static let labels = ["meadow", "harbour", "brook"]

    private static let lead = 0..<672
    private static let week = 672..<1008

    /// The digest of the last of three weeks, in which `harbour` is the resolver in use. A round follows every
    /// half hour.
    private func digest(
        objective: String? = nil,
        inUse: String? = "harbour",
        until last: Int = 1008,
        outcome: @escaping (HistoryFixture.Query) -> Observation? = { .answer(20 + 2 * $0.noise) }
    ) throws -> DigestReport {
        var context = HistoryFixture.context(rounds: Self.week)
        context.present = context.window.upperBound
        context.order = ResolverOrder(Self.labels)
        let moments = Self.week.prefix { $0 < last }.map { round in
            RoundMoment(
                vantage: "desk",
                started: HistoryFixture.moment(round: round),
                marks: [],
                origin: .sample
            )
        }
        let period = DigestPeriod.week.period(of: context)
        var tally = OverviewTally(context, rounds: moments, evidence: nil, periods: [period])
        func recording(_ rounds: Range<Int>) throws -> Recording {
            try HistoryFixture().recording(rounds: rounds) { $0.round < last ? outcome($0) : nil }
        }
        tally.lead.add(CountedSamples(of: try recording(Self.lead)))
        tally.add(CountedSamples(of: try recording(Self.week)))
        return DigestReport(
            overview: OverviewReport(
                of: tally,
                inUse: inUse,
                rules: ComparisonRules(),
                objective: try objective.map { text in
                    try ServiceObjective(parsing: text, of: "--objective")
                },
                context: context
            )
        )
    }

    private func facts(_ report: DigestReport) -> [String] {
        report.document.sections.flatMap { [$0.headline] + $0.facts }
    }

    @Test func `a quiet week has no news`() throws {
        let report = try digest(objective: "p95 < 50ms")
        #expect(!report.hasNews)
        #expect(report.headline == "Week from 2026-03-30: no incident, objective kept.")
        #expect(facts(report).contains("Nothing to do."))
        #expect(facts(report).contains { $0.hasPrefix("Availability in the week from ") })
    }

    @Test func `an incident is news, with its table`() throws {
        let report = try digest {
            .answer(($0.resolver == 1 && $0.round > 800 ? 29 : 20) + 2 * $0.noise)
        }
        #expect(report.hasNews)
        #expect(report.headline.hasPrefix("Week from 2026-03-30: 1 incident"))
        #expect(
            facts(report).contains { $0.hasPrefix("One incident: harbour, 9.0 ms slower since ") },
            "\(facts(report))"
        )
        let text = report.render(as: .text, width: 80, colour: false)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
        #expect(text.contains("resolver  incident"))
    }

    @Test func `a better resolver is news, with the settings`() throws {
        let report = try digest { .answer(($0.resolver == 0 ? 5 : 20) + 2 * $0.noise) }
        #expect(report.headline == "Week from 2026-03-30: no incident, meadow is worth a switch.")
        #expect(facts(report).contains("To do: use meadow, with the settings below."))
        #expect(report.document.advice?.isSwitch == true)
    }

    @Test func `a missed objective is news`() throws {
        let report = try digest(objective: "p95 < 10ms")
        #expect(report.hasNews)
        #expect(report.headline == "Week from 2026-03-30: no incident, objective missed.")
        #expect(facts(report).contains { $0.contains("missed by harbour, 0.0 % within 10 ms") })
    }

    @Test func `a stopped schedule is the first part of the headline`() throws {
        let report = try digest(until: 900)
        #expect(report.headline == "Week from 2026-03-30: the rounds have stopped, no incident.")
        #expect(facts(report).contains("No round since 2026-04-03 18:30."))
        #expect(
            facts(report).contains("To do: check the schedule with dnstempo schedule status.")
        )
    }

    @Test func `a week without rounds is news`() throws {
        let report = try digest(until: 300)
        #expect(report.hasNews)
        #expect(report.headline == "Week from 2026-03-30: nothing was measured.")
        #expect(report.document.sections.count == 1)
    }

    @Test func `without a resolver in use, the digest says how to name one`() throws {
        let report = try digest(inUse: nil)
        #expect(facts(report).contains { $0.contains("add --baseline LABEL") })
    }

    @Test(arguments: [
        ("2026-03-29", "2026-03-16", "2026-03-23"), ("2026-03-30", "2026-03-23", "2026-03-30"),
        ("2026-04-05", "2026-03-23", "2026-03-30"), ("1970-01-05", "1969-12-29", "1970-01-05"),
        ("1970-01-04", "1969-12-22", "1969-12-29"),
    ])
    func `the last whole week begins on Monday`(today: String, start: String, end: String) throws {
        let date = try #require(LocalTime(today)).date
        let days = try #require(DigestPeriod.week.days(before: date))
        #expect("\(days.lowerBound) \(days.upperBound)" == "\(start) \(end)")
    }

    @Test(arguments: [
        ("2026-03-31", "2026-02-01", "2026-03-01"), ("2026-03-01", "2026-02-01", "2026-03-01"),
        ("2026-01-01", "2025-12-01", "2026-01-01"), ("2024-03-15", "2024-02-01", "2024-03-01"),
    ])
    func `the last whole month is of the calendar`(today: String, start: String, end: String) throws
    {
        let date = try #require(LocalTime(today)).date
        let days = try #require(DigestPeriod.month.days(before: date))
        #expect("\(days.lowerBound) \(days.upperBound)" == "\(start) \(end)")
    }

    @Test(arguments: ["", "year", "0", "23h", "-7d", "7"])
    func `other periods are rejected`(text: String) {
        #expect(throws: (any Error).self) { try DigestPeriod(text, of: "--over") }
    }
}
