import Analysis
import Fixtures
import Reports
import Samples
import Testing

struct WindowDiffReportTests {
    /// Compares two windows of `days` days. `outcome` returns the outcome of a query; its second argument is
    /// true for the later window.
    private func report(
        days: Int,
        clock: LocalClock = HistoryFixture.berlin,
        outcome: (HistoryFixture.Query, Bool) -> Observation?
    ) throws -> WindowDiffReport {
        let half = days * 48
        var before = HistoryHours(clock: clock)
        var now = HistoryHours(clock: clock)
        before.add(whole: try HistoryFixture().recording(rounds: 0..<half) { outcome($0, false) })
        now.add(
            whole: try HistoryFixture().recording(rounds: half..<(2 * half)) { outcome($0, true) }
        )
        return WindowDiffReport(
            before: before,
            now: now,
            context: HistoryFixture.context(rounds: half..<(2 * half), clock: clock)
        )
    }

    /// In the later window, meadow is 2.5 ms slower and brook is unchanged. Harbour is 1 ms faster, and 0.125
    /// ms more for each day.
    private func outcome(_ query: HistoryFixture.Query, _ isNow: Bool) -> Observation {
        let cycle = Double(query.hourOfDay)
        let day = Double(query.hour / 24 % 14)
        let change = [2.5, -1 - day * 0.125, 0][query.resolver]
        if query.resolver == 1, isNow, query.round % 50 == 0 { return .none(.timeout) }
        return .answer([12.0, 30, 16][query.resolver] + cycle + (isNow ? change : 0))
    }

    @Test(arguments: [OutputFormat.text, .csv, .json, .markdown])
    func `a comparison of two weeks is written in every format`(format: OutputFormat) throws {
        let report = try report(days: 7, outcome: outcome)
        let text = report.render(as: format, width: 100, colour: false)
        try Golden.expect(text, in: "against.\(format.rawValue)")
    }

    @Test func `two weeks have an interval`() throws {
        let report = try report(
            days: 14,
            clock: LocalClock([.init(second: 0, offset: 3600, name: "CET")]),
            outcome: outcome
        )
        let rows = report.rows.reduce(into: [:]) { $0[$1.name] = $1 }
        let meadow = try #require(rows["meadow"])
        #expect(meadow.difference == 2.5 && meadow.interval == 2.5...2.5)
        // Harbour is faster by 1 to 2.625 ms on 14 days. The interval has ranks 3 and 12 of 14.
        let harbour = try #require(rows["harbour"])
        #expect(harbour.pairs == 14 * 24)
        #expect(harbour.difference.map { abs($0 + 1.8125) < 0.07 } == true)
        #expect(harbour.interval?.lowerBound == -2.375 && harbour.interval?.upperBound == -1.25)
        #expect(rows["brook"]?.difference == 0)
    }

    @Test func `with unequal numbers of hours, each day counts once`() throws {
        // On twelve days, one hour is 5 ms slower. On three days, all hours are 10 ms faster.
        let standard = LocalClock([.init(second: 0, offset: 3600, name: "CET")])
        let report = try report(days: 15, clock: standard) { query, isNow in
            let day = query.hour / 24 % 15
            if isNow, day < 12, query.hourOfDay > 0 { return nil }
            return .answer(30 + (isNow ? day < 12 ? 5 : -10 : 0))
        }
        for row in report.rows {
            #expect(row.difference == 5 && row.interval == 5...5)
        }
    }

    @Test(arguments: [
        (1.5, "unchanged within 2.0 ms", [String]()),
        (5, "5.0 ms slower", ["'slower-than-baseline' holds: meadow is slower"]),
    ])
    func `a condition holds if the report states the slowdown`(
        change: Double,
        words: String,
        findings: [String]
    ) throws {
        let standard = LocalClock([.init(second: 0, offset: 3600, name: "CET")])
        let report = try report(days: 14, clock: standard) { query, isNow in
            .answer(12 + (isNow && query.resolver == 0 ? change : 0))
        }
        let text = report.render(as: .text, width: 200, colour: false)
        #expect(text.contains("meadow: \(words)"), "\(text)")
        let condition = try FailCondition(parsing: "slower-than-baseline")
        #expect(report.findings(of: [condition]) == findings)
    }

    @Test func `one week has a difference without an interval`() throws {
        let report = try report(days: 7, outcome: outcome)
        #expect(report.rows.allSatisfy { $0.interval == nil && $0.difference != nil })
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("--against 14d"))
    }

    @Test func `hours of the week are compared in local time`() throws {
        // The times follow the hour on the clock. So the difference is zero only if equal hours are compared.
        let report = try report(days: 14) { query, _ in
            let time = HistoryFixture.berlin.time(at: HistoryFixture.moment(round: query.round))
            return .answer(10 + Double(time.hour))
        }
        for row in report.rows {
            #expect(row.difference == 0)
            // On 29 March, the clock skips one hour, which has no pair.
            #expect(row.pairs == 14 * 24 - 1)
            #expect(row.interval == 0...0)
        }
    }

    @Test func `a resolver that only one window contains is named`() throws {
        let report = try report(days: 7) { query, isNow in
            query.resolver == (isNow ? 0 : 1) || query.resolver == 2 ? .answer(10) : nil
        }
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("meadow was not measured before."))
        #expect(text.contains("harbour was measured before only."))
        #expect(text.contains("brook: median 10.0 ms vs 10.0 ms before."))
    }

    @Test func `an interval with both signs does not mean equality`() throws {
        let report = try report(days: 14) { query, isNow in
            // In the later window, the time changes by −20 to 20 ms from day to day.
            let swing = isNow ? Double(query.hour / 24 % 5) * 10 - 20 : 0
            return .answer([26.0, 40, 16][query.resolver] + (query.resolver == 0 ? swing : 0))
        }
        let row = try #require(report.rows.first { $0.name == "meadow" })
        #expect(try #require(row.interval).contains(0))
        let text = report.render(as: .text, width: 200, colour: false)
        #expect(text.hasPrefix("No significant change in latency.\n"))
        #expect(text.contains("- meadow: no significant difference ("))
        #expect(
            text.contains("- brook: unchanged within 2.0 ms, median 16.0 ms vs 16.0 ms before.")
        )
    }
}
