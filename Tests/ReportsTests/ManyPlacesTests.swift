import Analysis
import Charts
import Samples
import Statistics
import Testing

@testable import Reports

/// Charts and tables with more places than fit.
@Suite struct ManyPlacesTests {
    private static let rounds = 0..<4

    /// Recordings of places with their own system resolver and with meadow. The time of the system resolver
    /// in milliseconds is the number of the place. From place 31 on, all queries to meadow are lost.
    private func recordings(_ places: Int) throws -> [Recording] {
        try (1...places).map { place in
            var fixture = HistoryFixture()
            (fixture.vantage, fixture.labels) = ("probe-\(place)", ["system", "meadow"])
            fixture.endpoints = ["192.168.1.1:53", "192.0.2.1:53"]
            return try fixture.recording(rounds: Self.rounds) { query in
                query.resolver == 1 && place > 30
                    ? .none(.timeout) : .answer(query.resolver == 0 ? Double(place) : 20)
            }
            .apartByPlace
        }
    }

    private func timeline(_ places: Int, _ kind: ChartKind = .timeline) throws -> HistoryTimeline {
        let recordings = try recordings(places)
        var log = RoundLog()
        for recording in recordings { log.add(recording) }
        var timeline = HistoryTimeline(
            context: HistoryFixture.context(rounds: Self.rounds),
            rounds: log.rounds,
            isHourly: kind.isHourly
        )
        for recording in recordings { timeline.add(recording) }
        return timeline
    }

    @Test(arguments: ChartKind.ofWindow)
    func `a chart of many places has a bounded size`(kind: ChartKind) throws {
        let drawing = HistoryDrawing(kind, of: try timeline(61, kind))
        let text = drawing.text(width: 100, height: 40, colour: false)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
        #expect(text.contains("61 places measured; times of different places are not compared."))
        #expect(drawing.showsNothing == (kind == .opening))
        #expect(drawing.showsNothing || text.contains("from 61 places"))
        #expect(drawing.svg().utf8.count < 200_000)
    }

    @Test func `each place counts once by its median`() throws {
        let timelines = HistoryDrawing(.distribution, of: try timeline(61)).timelines
        #expect(timelines.map(\.name) == ["system", "meadow"])
        let (system, meadow) = (timelines[0].figures, timelines[1].figures)
        #expect(system.latency.count == 61 && system.latency.median == 31)
        #expect(Array(timelines[0].answers).sorted() == (1...61).map(Double.init))
        #expect(meadow.counts.lost == 31 && meadow.latency.median == nil)
        #expect(!timelines[0].bins.isEmpty)
        #expect(timelines[0].bins.map(\.latency.answered).uniqued == [61])
        let text = HistoryDrawing(.distribution, of: try timeline(61))
            .text(width: 100, height: 40, colour: false)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("system: median 31.0 ms over 61 places."))
        #expect(text.contains("Each place counts once, by its median."))
    }

    @Test func `the chart of places states how many it shows`() throws {
        let text = HistoryDrawing(.places, of: try timeline(61))
            .text(width: 100, height: 40, colour: false)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("40 of 61 places are shown. Add --vantage NAME for one place."))
    }

    @Test func `a table by vantage shows some rows and states how to get the rest`() throws {
        var tally = WindowTally(by: .vantage, clock: HistoryFixture.berlin)
        for recording in try recordings(61) { tally.add(whole: recording) }
        let report = WindowReport(of: tally, context: HistoryFixture.context(rounds: Self.rounds))
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.split(separator: "\n").count <= 60)
        #expect(
            text.contains(
                "- 40 of 122 rows are shown. Add --vantage NAME for one place, or --format csv for all."
            )
        )
        #expect(!text.contains("slowest"))
        let table = report.render(as: .csv, width: 100, colour: false)
        #expect(table.split(separator: "\n").count == 123)
        let page = report.render(as: .html, width: 100, colour: false)
        #expect(page.utf8.count < 500_000)
    }

    @Test func `a page of the dashboard shows some rows and how to get the rest`() throws {
        var tally = WindowTally(by: .vantage, clock: HistoryFixture.berlin)
        for recording in try recordings(61) { tally.add(whole: recording) }
        var context = HistoryFixture.context(rounds: Self.rounds)
        context.medium = .page
        let links: PageLinks = ({ $0 }, { $0 + $1 }, { $0 })
        let report = WindowReport(of: tally, context: context)
        let page = report.fragments(links, inUse: nil).map(\.markup).joined()
        #expect(page.contains("40 of 122 rows are shown. Choose one place above."))
        #expect(page.ranges(of: "<tr").count <= 41)
        #expect(page.utf8.count < 60_000)
    }

    @Test func `a page shows at most 250 rows of the figures`() {
        let figures = FigureTable(header: [.string("name")], count: 300) { [.string("row \($0)")] }
        let page = PageFragments.allFigures(figures).markup
        #expect(page.contains("row 249<") && !page.contains("row 250<"))
        #expect(page.contains("250 of 300 rows are shown. Write all with -o FILE.csv."))
    }

    @Test func `many places have one summary per resolver`() throws {
        for (places, rows) in [(3, 4), (61, 2)] {
            var hours = HistoryHours(clock: HistoryFixture.berlin)
            for recording in try recordings(places) { hours.add(whole: recording) }
            #expect(hours.areOfManyPlaces == (places == 61))
            #expect(hours.summaries(apart: !hours.areOfManyPlaces).count == rows)
        }
    }
}
