import Analysis
import DNSWire
import Fixtures
import Foundation
import Samples
import Testing

@testable import Reports

struct WindowReportTests {
    static let week = 336..<672

    func report(
        by grouping: WindowGrouping,
        sums: Bool = false,
        clock: LocalClock = HistoryFixture.berlin
    ) throws -> WindowReport {
        let recording = try HistoryFixture.week()
        var tally = WindowTally(by: grouping, clock: clock)
        if sums {
            for sum in HistoryFixture.sums(of: recording) { tally.add(sum) }
        } else {
            tally.add(whole: recording)
        }
        let context = HistoryFixture.context(rounds: Self.week, clock: clock)
        return WindowReport(of: tally, context: context)
    }

    func document(_ report: some Report) throws -> [String: Any] {
        let text = report.render(as: .json, width: 80, colour: false)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
    }

    func rows(_ report: some Report) throws -> [[String: Any]] {
        try #require(try document(report)["rows"] as? [[String: Any]])
    }

    @Test(arguments: WindowGrouping.allCases)
    func `a week is shown by every grouping`(grouping: WindowGrouping) throws {
        let text = try report(by: grouping).render(as: .text, width: 80, colour: false)
        try Golden.expect(text, in: "window-\(grouping.rawValue).txt")
    }

    @Test(arguments: [OutputFormat.csv, .json, .markdown])
    func `a week is written in every format`(format: OutputFormat) throws {
        let text = try report(by: .weekday).render(as: format, width: 80, colour: false)
        try Golden.expect(text, in: "window-weekday.\(format.rawValue)")
    }

    @Test(arguments: [
        (Outcome.filtered, "was not measured."),
        (.timeout, "answered less than half of the queries within the timeout."),
    ])
    func `a resolver without a median has a reason`(outcome: Outcome, reason: String) throws {
        let recording = try HistoryFixture().recording(rounds: Self.week) {
            $0.resolver == 0 ? .none(outcome) : .answer(12)
        }
        let tally = WindowTally(whole: recording, by: .day, clock: HistoryFixture.berlin)
        let report = WindowReport(of: tally, context: HistoryFixture.context(rounds: Self.week))
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("meadow \(reason)"), "\(text)")
    }

    /// Meadow does not answer on Wednesday, or never answers.
    @Test(arguments: [
        (false, "meadow: fastest on Monday (12.0 ms), slowest on Wednesday (> 5 s)."),
        (true, "meadow answered less than half of the queries within the timeout."),
    ])
    func `a silent day is the slowest`(isSilent: Bool, sentence: String) throws {
        let wednesday = 336 + 96..<336 + 144
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            let isOut = isSilent || wednesday.contains(query.round)
            return query.resolver == 0 && isOut ? .none(.timeout) : .answer(12)
        }
        let tally = WindowTally(whole: recording, by: .weekday, clock: HistoryFixture.berlin)
        let report = WindowReport(of: tally, context: HistoryFixture.context(rounds: Self.week))
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains(sentence), "\(text)")
        #expect(text.contains("brook: median 12.0 ms throughout."), "\(text)")
    }

    /// `more` is the number of rounds on Tuesday, after all rounds of Monday.
    @Test(arguments: [(0, "only"), (4, "most")])
    func `a single measured day is called the only one`(more: Int, word: String) throws {
        let rounds = 336..<(336 + 48 + more)
        let recording = try HistoryFixture().recording(rounds: rounds) { _ in .answer(12) }
        let tally = WindowTally(whole: recording, by: .weekday, clock: HistoryFixture.berlin)
        let report = WindowReport(of: tally, context: HistoryFixture.context(rounds: Self.week))
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("meadow was measured \(word) on Monday (12.0 ms)."), "\(text)")
    }

    @Test(arguments: WindowGrouping.allCases, [false, true])
    func `a page names no option`(grouping: WindowGrouping, isEmpty: Bool) throws {
        let recording = isEmpty ? Recording() : try HistoryFixture.week()
        var tally = WindowTally(by: grouping, clock: HistoryFixture.berlin)
        for sum in HistoryFixture.sums(of: recording) { tally.add(sum) }
        var context = HistoryFixture.context(rounds: Self.week)
        context.medium = .page
        let document = WindowReport(of: tally, context: context).document
        let words =
            document.sections.flatMap { [$0.headline] + $0.facts }
            + document.warnings.map(\.text)
        #expect(words.allSatisfy { !$0.contains(" --") }, "\(words)")
    }

    @Test(arguments: [20, 40, 60])
    func `no line is wider than the terminal`(width: Int) throws {
        let text = try report(by: .day).render(as: .text, width: width, colour: false)
        for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
    }

    /// A resolver that does not fit loses the columns of its times and its losses. The fastest resolver is
    /// kept longest.
    @Test func `resolvers that do not fit are counted`() throws {
        func lines(_ width: Int) throws -> [Substring] {
            try report(by: .weekday).render(as: .text, width: width, colour: false)
                .split(separator: "\n")
        }
        let narrow = try lines(44)
        #expect(narrow.contains("  weekday     meadow     brook  failed"))
        #expect(narrow.contains { $0.hasPrefix("  1 of 3 resolvers does not fit: ") })
        #expect(try lines(30).contains { $0.hasPrefix("  2 of 3 resolvers do not fit:") })
        #expect(try !lines(80).contains { $0.contains("not fit") })
    }

    @Test func `a page shows the losses below the median`() throws {
        let page = try report(by: .weekday).render(as: .html)
        #expect(page.contains("Median of each resolver; * lowest median of the row; "))
        #expect(page.contains("17.5&nbsp;ms<small>6.4&nbsp;% failed</small>"))
        #expect(page.contains("13.5&nbsp;ms*</td>"))
    }

    @Test func `the lowest median of a lossy resolver is not the best`() throws {
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            query.resolver > 0 ? .answer(12) : query.noise < 0.2 ? .none(.timeout) : .answer(8)
        }
        let clock = HistoryFixture.berlin
        let tally = WindowTally(whole: recording, by: .weekday, clock: clock)
        let context = HistoryFixture.context(rounds: Self.week, clock: clock)
        let text = WindowReport(of: tally, context: context)
            .render(as: .text, width: 100, colour: true)
        #expect(text.contains("\u{1B}[33m") && !text.contains("\u{1B}[32m"), "\(text)")
    }

    @Test func `jitter is computed over successive answers of a group`() throws {
        let jitters = try [WindowGrouping.resolver, .type].map { grouping in
            try rows(try report(by: grouping)).reduce(into: [String: Double]()) { jitters, row in
                jitters[try #require(row["name"] as? String)] = row["jitter_ms"] as? Double
            }
        }
        #expect(jitters[0].count == 3)
        #expect(jitters[0] == jitters[1])
    }

    @Test func `this report has no SVG drawing`() throws {
        #expect(try report(by: .day).render(as: .svg).isEmpty)
    }

    @Test(arguments: [WindowGrouping.resolver, .hour, .weekday, .day, .type, .transport, .vantage])
    func `hourly sums give the same figures as samples`(grouping: WindowGrouping) throws {
        let exact = try rows(try report(by: grouping))
        let summed = try rows(try report(by: grouping, sums: true))
        try #require(exact.count == summed.count)
        for (left, right) in zip(exact, summed) {
            for key in ["group", "name"] {
                #expect(left[key] as? String == right[key] as? String)
            }
            for key in ["sent", "answered", "timeouts"] {
                #expect(left[key] as? Int == right[key] as? Int)
            }
            for key in ["min_ms", "max_ms", "mean_ms", "median_ms", "p90_ms"] {
                guard let value = left[key] as? Double else {
                    // In both reports, the value is among the timeouts.
                    #expect(left[key] is NSNull && right[key] is NSNull)
                    continue
                }
                let other = try #require(right[key] as? Double)
                #expect(abs(value - other) <= 0.01 * value, "\(key)")
            }
        }
    }

    @Test func `samples at the edges are added to hourly sums`() throws {
        let recording = try HistoryFixture.week()
        var edge = recording
        let limit = HistoryFixture.moment(round: 400)
        edge.samples = recording.samples.filter { $0.scheduled < limit }
        var tally = WindowTally(whole: edge, by: .resolver, clock: .utc)
        for sum in HistoryFixture.sums(of: recording) where sum.hour >= limit { tally.add(sum) }
        let mixed = WindowReport(
            of: tally,
            context: HistoryFixture.context(rounds: Self.week, clock: .utc)
        )
        let exact = try rows(try report(by: .resolver, clock: .utc))
        for (left, right) in zip(exact, try rows(mixed)) {
            #expect(left["sent"] as? Int == right["sent"] as? Int)
            let value = try #require(left["median_ms"] as? Double)
            let other = try #require(right["median_ms"] as? Double)
            #expect(abs(value - other) <= 0.01 * value)
        }
        let document = try document(mixed)
        #expect(document["samples_since"] is String && document["rollups_since"] is String)
    }

    /// Returns the medians by group. Each of `moments` has one answered query, whose time in milliseconds is
    /// its number from 1.
    private func report(
        at moments: [String],
        by grouping: WindowGrouping,
        clock: LocalClock
    ) throws -> [String: Double] {
        var recording = Recording(
            runs: [Run(id: "r", vantage: "desk", timeout: .seconds(5))],
            targets: [
                Recording.Target(
                    label: "meadow",
                    endpoint: "192.0.2.1:53",
                    transport: "udp",
                    series: .cached
                )
            ],
            questions: [Question(name: try DomainName("example.com"), type: .a)]
        )
        for (index, text) in moments.enumerated() {
            recording.samples.append(
                Sample(
                    round: Int32(index),
                    target: 0,
                    question: 0,
                    scheduled: try #require(Timestamp(text)),
                    observation: .answer(Double(index + 1))
                )
            )
        }
        recording.rounds = moments.indices.map { Round(number: Int32($0)) }
        recording.markRounds()
        let tally = WindowTally(whole: recording, by: grouping, clock: clock)
        let report = WindowReport(
            of: tally,
            context: HistoryFixture.context(rounds: Self.week, clock: clock)
        )
        return try rows(report).reduce(into: [:]) { medians, row in
            medians[try #require(row["group"] as? String)] = row["median_ms"] as? Double
        }
    }

    @Test func `sites are groups, and answers without a site come last`() throws {
        var recording = try HistoryFixture.week()
        for index in recording.samples.indices where recording.samples[index].target == 0 {
            let isAnswered = recording.samples[index].observation.outcome == .answered
            guard isAnswered, recording.samples[index].round % 5 > 0 else { continue }
            let site = recording.samples[index].round % 2 == 0 ? "fra1" : "ams2"
            recording.samples[index].observation.extras = Observation.Extras(site: site)
        }
        var tally = WindowTally(whole: recording, by: .site, clock: HistoryFixture.berlin)
        // Hourly sums contain no sites.
        for sum in HistoryFixture.sums(of: recording) { tally.add(sum) }
        let context = HistoryFixture.context(rounds: Self.week)
        let report = WindowReport(of: tally, context: context)
        #expect(report.rows.map(\.group.title) == ["ams2", "fra1", "–", "–", "–"])
        #expect(
            report.rows.map(\.figures.name) == ["meadow", "meadow", "meadow", "brook", "harbour"]
        )
        #expect(report.rows.reduce(0) { $0 + $1.figures.counts.sent } == 3 * 630)
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("meadow: median ") || text.contains("meadow: fastest at "))
        #expect(text.contains("brook was measured only without a site (17.6 ms)."))
        #expect(text.contains("Under –: queries without"))
    }

    @Test func `hours and days follow the local clock`() throws {
        let moments = [
            "2026-03-28T23:59:00Z", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z",
            "2026-03-29T18:29:00Z", "2026-03-29T18:30:00Z", "2026-03-29T22:00:00Z",
        ]
        #expect(
            try report(at: moments, by: .hour, clock: HistoryFixture.berlin)
                == ["00:00": 1, "01:00": 2, "03:00": 3, "20:00": 4]
        )
        #expect(
            try report(at: moments, by: .day, clock: HistoryFixture.kolkata)
                == ["2026-03-29": 2, "2026-03-30": 5]
        )
        #expect(try report(at: moments, by: .weekday, clock: .utc) == ["Saturday": 1, "Sunday": 4])
    }

    @Test(arguments: [OutputFormat.text, .markdown, .csv, .json])
    func `a label is escaped for the terminal`(format: OutputFormat) throws {
        var fixture = HistoryFixture()
        fixture.labels = ["=1+1", "\u{1B}[2J", "a|b"]
        fixture.vantage = "\u{7}bell"
        let recording = try fixture.recording(rounds: Self.week) { .answer(10 + $0.noise) }
        for grouping in [WindowGrouping.hour, .vantage] {
            let tally = WindowTally(whole: recording, by: grouping, clock: .utc)
            let report = WindowReport(
                of: tally,
                context: HistoryFixture.context(rounds: Self.week, clock: .utc)
            )
            let text = report.render(as: format, width: 100, colour: false)
            #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
            if format == .csv { #expect(!text.contains("\n=1") && !text.contains(",=1")) }
        }
    }
}
