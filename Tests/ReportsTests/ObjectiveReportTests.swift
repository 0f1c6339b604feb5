import Analysis
import Catalogue
import Failures
import Fixtures
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

struct ObjectiveReportTests {
    private func objective(_ text: String) throws -> ServiceObjective {
        try ServiceObjective(parsing: text, of: "--objective")
    }

    /// Returns the report on a week with a slow evening, losses, and excluded rounds.
    private func report(
        _ text: String = "p95 < 22ms",
        sums: Bool = false,
        clock: LocalClock = HistoryFixture.berlin
    ) throws -> ObjectiveReport {
        var hours = HistoryHours(clock: clock)
        if sums {
            for sum in HistoryFixture.sums(of: try HistoryFixture.week()) { hours.add(sum) }
        } else {
            hours.add(whole: try HistoryFixture.week())
        }
        return ObjectiveReport(
            of: try objective(text),
            hours: hours,
            context: HistoryFixture.context(rounds: 336..<672, clock: clock)
        )
    }

    @Test(arguments: [OutputFormat.text, .csv, .json, .markdown])
    func `an objective is written in every format`(format: OutputFormat) throws {
        let text = try report().render(as: format, width: 100, colour: false)
        try Golden.expect(text, in: "objective.\(format.rawValue)")
    }

    @Test func `an objective excludes losses of the user's connection`() throws {
        let report = try report("answered within 25ms >= 95%")
        let rows = report.rows.reduce(into: [:]) { $0[$1.figures.name] = $1.result.count }
        // 336 rounds of two names, without 16 missing rounds, 3 rounds of an outage, and 2 offline rounds.
        let queries = (336 - 16 - 3 - 2) * 2
        #expect(rows["meadow"] == ObjectiveCount(within: queries, queries: queries))
        let recording = CountedSamples(of: try HistoryFixture.week()).recording
        func seen(_ resolver: Int32) -> ObjectiveCount {
            let samples = recording.samples.filter {
                $0.target == resolver && $0.observation.outcome.isMeasured
            }
            let within = samples.count { ($0.observation.answerTime(in: .cached) ?? 99) <= 25 }
            return ObjectiveCount(within: within, queries: samples.count)
        }
        #expect(rows["harbour"] == seen(1) && seen(1).failures > 0)
        #expect(rows["brook"] == seen(2) && seen(2).failures == 44)
    }

    @Test func `hourly sums give the same share within 1 % of the time`() throws {
        // No time is within 1 % of 26 ms, so the error of a sketch does not matter.
        let (exact, summed) = (
            try report("p95 < 26ms").rows, try report("p95 < 26ms", sums: true).rows
        )
        #expect(exact.map(\.finding) == summed.map(\.finding))
        #expect(exact.contains { !$0.finding.worst.isEmpty })
        let text = try report(sums: true).render(as: .text, width: 100, colour: false)
        #expect(text.contains("quantiles within 1 %"))
    }

    @Test func `the worst hours use most of the budget, in local time`() throws {
        let row = try #require(
            try report("answered within 25ms >= 95%").rows.first { $0.figures.name == "harbour" }
        )
        #expect(row.finding.worst.count == ObjectiveFinding.mostHours)
        for hour in row.finding.worst {
            #expect(HistoryFixture.berlin.time(at: hour.start).hour >= 18)
            #expect(hour.count.failures == 4 && hour.count.queries == 4)
        }
        #expect(row.finding.worst.map(\.hour) == row.finding.worst.map(\.hour).sorted())
    }

    @Test func `one late query does not make a bad hour`() throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(
            whole: try HistoryFixture().recording(rounds: 0..<96) { query in
                // One of four queries in the hour is late. For harbour, both queries of the round are late.
                let isLate = query.round % 10 == 3 && (query.name == 0 || query.resolver == 1)
                return .answer(isLate ? 80 : 20)
            }
        )
        let report = ObjectiveReport(
            of: try objective("p95 < 50ms"),
            hours: hours,
            context: HistoryFixture.context(rounds: 0..<96, clock: .utc)
        )
        #expect(report.rows.map(\.figures.name) == ["brook", "harbour", "meadow"])
        #expect(report.rows.map(\.finding.worst.count) == [0, 5, 0])
        #expect(report.rows.allSatisfy { $0.result.count.failures > 0 })
    }

    @Test func `a condition holds if the objective is missed`() throws {
        let condition = try FailCondition(parsing: "objective-missed", metrics: [.objectiveMissed])
        let missed = try report().findings(of: condition)
        #expect(missed == ["harbour missed p95 < 22 ms"])
        let one = try FailCondition(parsing: "meadow:objective-missed", metrics: [.objectiveMissed])
        #expect(try report().findings(of: one) == [])
        let slow = try FailCondition(parsing: "p95 > 22ms")
        #expect(try report().findings(of: slow).contains { $0.hasPrefix("harbour has p95 ") })
    }

    @Test func `a report of few hours says so`() throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(whole: try HistoryFixture().recording(rounds: 0..<10) { _ in .answer(12) })
        let report = ObjectiveReport(
            of: try objective("p95 < 50ms"),
            hours: hours,
            context: HistoryFixture.context(rounds: 0..<10, clock: .utc)
        )
        #expect(report.rows.allSatisfy { $0.result.state == .open })
        #expect(report.notes.map(\.code) == ["few-hours"])
    }

    @Test(arguments: [
        ("p95 < 50ms", "p95 < 50 ms", 50.0, 0.95), ("p95<50ms", "p95 < 50 ms", 50, 0.95),
        ("p99.9 <= 1.5 s", "p99.9 < 1.5 s", 1500, 0.999),
        ("median<20ms", "median < 20 ms", 20, 0.5),
        ("p50 < 20ms", "median < 20 ms", 20, 0.5),
        ("answered within 100ms >= 99.5%", "answered within 100 ms >= 99.5 %", 100, 0.995),
        ("answered within 100 ms>99.5 %", "answered within 100 ms >= 99.5 %", 100, 0.995),
    ])
    func `an objective is read`(text: String, told: String, limit: Double, target: Double) throws {
        let objective = try objective(text)
        #expect(objective.description == told)
        #expect(objective.limit == limit && objective.target == target)
    }

    @Test(arguments: [
        ("", "not an objective; write 'p95 < 50ms'"), ("fast", "not an objective"),
        ("p95 > 50ms", "not an objective"), ("p95", "not an objective"),
        ("answered within 100ms < 99%", "not an objective"),
        ("p95 < 50", "has no unit"), ("p95 < ", "is not a duration"), ("p95 < 0ms", "above 0"),
        ("mean < 50ms", "'mean' is not a percentile"), ("p < 50ms", "'p' is not a percentile"),
        ("p100 < 50ms", "below 100 %"), ("p0 < 50ms", "above 0"),
        ("p101 < 5ms", "is not a percentile"),
        ("answered within 100ms >= 99", "'99' is not a percentage"),
        ("answered within 100ms >= 100%", "below 100 %"), ("p95 << 5ms", "is not a duration"),
        ("answered within >= 99%", "is not a duration"),
    ])
    func `the error for an invalid objective quotes it`(text: String, reason: String) throws {
        let error = try #require(throws: CatalogueError.self) { try objective(text) }
        #expect(error.status == .usage && error.description.hasPrefix("--objective '\(text)': "))
        #expect(error.description.contains(reason), "\(error)")
    }
}
