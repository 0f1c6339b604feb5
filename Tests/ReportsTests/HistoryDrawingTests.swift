import Charts
import Fixtures
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

struct HistoryDrawingTests {
    private static let week = 336..<672

    private func drawing(
        _ kind: ChartKind,
        of recordings: [Recording],
        rounds: Range<Int> = week,
        sums: Bool = false
    ) -> HistoryDrawing {
        var log = RoundLog()
        for recording in recordings { log.add(recording) }
        var timeline = HistoryTimeline(
            context: HistoryFixture.context(rounds: rounds),
            rounds: log.rounds,
            isHourly: kind.isHourly
        )
        for recording in recordings {
            if sums {
                for sum in HistoryFixture.sums(of: recording) { timeline.add(sum) }
            } else {
                timeline.add(recording)
            }
        }
        return HistoryDrawing(kind, of: timeline)
    }

    /// Twenty days in which one resolver becomes 8 ms slower on the tenth day.
    private func slowdown() throws -> Recording {
        try HistoryFixture().recording(rounds: 0..<960) { query in
            let step = query.resolver == 0 && query.hour >= 230 ? 8.0 : 0
            return .answer([12.0, 20, 16][query.resolver] + step + query.noise)
        }
    }

    @Test(arguments: ChartKind.ofWindow)
    func `a week in a terminal matches the golden file`(kind: ChartKind) throws {
        let text = try drawing(kind, of: [HistoryFixture.week()])
            .text(width: 100, height: 40, colour: false)
        try Golden.expect(text, in: "week-\(kind.rawValue).txt")
    }

    @Test(arguments: ChartKind.ofWindow, [20, 33, 80, 140])
    func `no line is wider than the terminal`(kind: ChartKind, width: Int) throws {
        let text = try drawing(kind, of: [HistoryFixture.week()])
            .text(width: width, height: 24, colour: false)
        // A command stays on one line at any width, because users paste it.
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("dnstempo ") }
        #expect(try #require(lines.map { String($0).displayWidth }.max()) <= width)
    }

    @Test(arguments: [ChartKind.timeline, .heatmap, .distribution])
    func `failures with an answer are not called packet loss`(kind: ChartKind) throws {
        let svg = try drawing(kind, of: [HistoryFixture.week()]).svg()
        #expect(!svg.contains("packet loss") && svg.contains("failed queries"))
    }

    @Test(arguments: [33, 40, 46])
    func `a narrow terminal shows the names below the plot`(width: Int) throws {
        let lines = try drawing(.percentiles, of: [HistoryFixture.week()])
            .text(width: width, height: 24, colour: false).split(separator: "\n")
        #expect(lines.contains { $0.contains("│") })
        #expect(lines.contains { $0.hasPrefix("● ") })
    }

    @Test(arguments: ChartKind.overTime + [.percentiles])
    func `a terminal without room for a chart gets a message`(kind: ChartKind) throws {
        let text = try drawing(kind, of: [HistoryFixture.week()])
            .text(width: 20, height: 24, colour: false)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("This chart needs a terminal at least 32 columns wide."))
    }

    @Test func `the title of a timeline states the change that was found`() throws {
        let drawing = drawing(.timeline, of: [try slowdown()], rounds: 0..<960)
        let start = "<title id=\"dnstempo-title\">meadow: 8.0 ms slower since 2026-03-25 14:00"
        #expect(drawing.svg().contains(start))
        // Only the plot of this resolver has the mark.
        #expect(drawing.timelines.filter { !$0.findings.isEmpty }.map(\.name) == ["meadow"])
        let marks = try #require(drawing.timelines.first { $0.name == "meadow" }).timelineSubject
            .marks
        #expect(marks.map(\.label) == ["8.0 ms slower"])
    }

    @Test func `each single chart shows one resolver`() throws {
        let singles = drawing(.timeline, of: [try slowdown()], rounds: 0..<960).singles()
        #expect(singles.map(\.name).sorted() == ["brook", "harbour", "meadow"])
        for single in singles {
            let end = try #require(single.svg.range(of: "</title>"))
            let title = single.svg[..<end.lowerBound]
            #expect(title.contains(single.name))
            let others = singles.map(\.name).filter { $0 != single.name }
            #expect(!others.contains { title.contains($0) })
        }
        #expect(singles.filter { $0.svg.contains("8.0 ms slower") }.map(\.name) == ["meadow"])
    }

    @Test func `the figures next to a plot equal the figures of the title`() throws {
        let svg = drawing(.timeline, of: [try HistoryFixture.week()]).svg()
        #expect(svg.contains("-desc\">meadow was fastest: median 13.5 ms"))
        #expect(svg.contains(">median 13.5 ms, p95 14.8 ms, failed 0.0 %<"))
    }

    /// Outages are drawn at every scale and in any number.
    @Test(arguments: [
        (outages: [400..<410], rounds: 10), ([400..<401], 1),
        ((0..<12).map { 350 + 25 * $0..<352 + 25 * $0 }, 24),
    ])
    func `a time without an answer is crossed, and not hatched`(
        outages: [Range<Int>],
        rounds: Int
    ) throws {
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            outages.contains { $0.contains(query.round) }
                ? .none(.timeout) : .answer(10 + query.noise)
        }
        let drawing = drawing(.timeline, of: [recording])
        for timeline in drawing.timelines {
            let found = timeline.timelineSubject.outages
            #expect(found.count == outages.count)
            for (interval, outage) in zip(found, outages) {
                #expect(
                    interval.lowerBound
                        == HistoryFixture.moment(round: outage.lowerBound).wholeSeconds
                )
                #expect(
                    interval.upperBound
                        == HistoryFixture.moment(round: outage.upperBound).wholeSeconds
                )
            }
            #expect(timeline.figures.counts.failed == 0)
        }
        let svg = drawing.svg()
        #expect(svg.contains("\(rounds) round"))
        #expect(svg.contains("Crossed: no answer") && !svg.contains("Hatched: not measured"))
        #expect(svg.ranges(of: "class=\"outage\"").count == 3 * outages.count)
    }

    @Test func `a time without rounds is hatched, and not crossed`() throws {
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            (400..<440).contains(query.round) ? nil : .answer(10 + query.noise)
        }
        let svg = drawing(.timeline, of: [recording]).svg()
        #expect(svg.contains("Hatched: not measured") && !svg.contains("Crossed: no answer"))
        #expect(!svg.contains("class=\"outage\""))
    }

    @Test func `places are distinguished and compared separately`() throws {
        var office = HistoryFixture()
        office.vantage = "office"
        let other = try office.recording(rounds: Self.week) { query in
            .answer([30.0, 10, 20][query.resolver] + query.noise)
        }
        let drawing = drawing(.bars, of: [try HistoryFixture.week(), other])
        #expect(drawing.timelines.count == 6)
        let text = drawing.text(width: 120, height: 40, colour: false)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.hasPrefix("2 places measured; times of different places are not compared."))
        #expect(text.contains("At desk: meadow was fastest: median 13.5 ms. Next: brook, 17.6 ms."))
        #expect(text.contains("At office: harbour was fastest: median 10."))
        #expect(text.components(separatedBy: "No significance test").count == 2)
        #expect(text.contains("from desk, office, "))
    }

    @Test func `several places of one resolver are not ranked`() throws {
        let recordings = try ["desk", "office"].enumerated().map { place, vantage in
            var fixture = HistoryFixture()
            (fixture.vantage, fixture.labels) = (vantage, ["meadow"])
            return try fixture.recording(rounds: Self.week) { _ in .answer(10 + Double(place)) }
        }
        let svg = drawing(.timeline, of: recordings).svg()
        #expect(svg.contains("-title\">2 places measured; times of different places are not"))
        #expect(!svg.contains("fastest") && !svg.contains(" to 11.0 ms at office"))
    }

    @Test func `a chart of places joins the places' own resolvers in a column`() throws {
        let recordings = try ["attic", "desk", "office"].enumerated().map { place, vantage in
            var fixture = HistoryFixture()
            (fixture.vantage, fixture.labels[1]) = (vantage, "system")
            return try fixture.recording(rounds: Self.week) { query in
                if place == 2, query.resolver == 0 { return .none(.timeout) }
                if place == 0, query.resolver == 2 { return nil }
                return .answer([12.0, 20 - 9 * Double(place), 16][query.resolver] + query.noise)
            }
            .apartByPlace
        }
        let drawing = drawing(.places, of: recordings)
        #expect(drawing.timelines.contains { $0.name == "system from desk" })
        let text = drawing.text(width: 80, height: 24, colour: false)
        try Golden.expect(text, in: "places-chart.txt")
        let svg = drawing.svg()
        #expect(
            svg.contains("-title\">system has the lowest median at 2 of 3 places, meadow at 1.")
        )
        #expect(svg.contains("system from desk: median 11."))
        #expect(drawing.singles().map(\.name) == ["brook", "meadow", "system"])
        let system = try #require(drawing.singles().last).svg
        #expect(system.contains("-title\">system: median 2.5 ms at office to 20.5 ms at attic."))
    }

    @Test func `a group with timeouts is the slowest`() throws {
        let recordings = try ["desk", "office"].map { vantage in
            var fixture = HistoryFixture()
            (fixture.vantage, fixture.labels[1]) = (vantage, "system")
            return try fixture.recording(rounds: Self.week) { query in
                let isOut = vantage == "office" && query.resolver == 1
                return isOut ? .none(.timeout) : .answer(10)
            }
            .apartByPlace
        }
        let singles = drawing(.places, of: recordings).singles()
        let system = try #require(singles.first { $0.name == "system" })
        #expect(
            system.svg.contains("-title\">system: median 10.0 ms at desk to &gt; 5 s at office.")
        )
    }

    @Test(arguments: [false, true])
    func `the hour in which a resolver timed out is its slowest`(isAlways: Bool) throws {
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            let isOut = isAlways || query.hourOfDay == 18
            return query.resolver == 0 && isOut ? .none(.timeout) : .answer(10)
        }
        let timeline = try #require(
            drawing(.heatmap, of: [recording]).timelines.first { $0.name == "meadow" }
        )
        let pattern = CycleTest(period: 24, (0..<240).map { ($0, $0 % 24 == 18 ? 2 : 1) })
        let sentence = DailySwing(timeline, pattern, among: 1, clock: HistoryFixture.berlin)?
            .sentence
        #expect(
            sentence
                == (isAlways
                    ? nil
                    : "meadow changes most with the hour: slowest at 18:00 (> 5 s), fastest at 00:00 "
                        + "(10.0 ms).")
        )
    }

    @Test func `charts of sums and samples agree within 1 %`() throws {
        let recording = try HistoryFixture.week()
        let exact = drawing(.distribution, of: [recording]).timelines
        let summed = drawing(.distribution, of: [recording], sums: true).timelines
        #expect(exact.map(\.name) == summed.map(\.name))
        for (left, right) in zip(exact, summed) {
            let (samples, sums) = (left.chartSubject(nil), right.chartSubject(nil))
            #expect(samples.summary.count == sums.summary.count)
            #expect(samples.summary.answered == sums.summary.answered)
            #expect(samples.answers.count == sums.sketch.count)
            #expect(samples.sketch.count == 0 && sums.answers.isEmpty)
            let medians = (samples.summary.median ?? 0, sums.summary.median ?? 1)
            #expect(abs(medians.0 - medians.1) <= 0.011 * medians.0)
        }
    }

    @Test(arguments: ChartKind.ofWindow)
    func `a report without rounds says so`(kind: ChartKind) {
        let drawing = drawing(kind, of: [])
        let nothing = "Nothing was measured from 2026-03-23 00:00 to 2026-03-30 01:00 (CET/CEST)"
        #expect(drawing.isEmpty)
        #expect(drawing.singles().isEmpty)
        #expect(drawing.svg().contains(nothing))
        #expect(drawing.text(width: 200, height: 40, colour: false).contains(nothing))
    }

    @Test func `a silent resolver is drawn as lost`() throws {
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            query.resolver == 0 ? .none(.timeout) : .answer(10 + query.noise)
        }
        for kind in ChartKind.ofWindow {
            let drawing = drawing(kind, of: [recording])
            #expect(drawing.timelines.last?.name == "meadow")
            #expect(drawing.svg().contains("meadow"))
        }
    }
}
