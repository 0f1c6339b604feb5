import Charts
import Samples
import Testing

@testable import Reports

struct SiteChartTests {
    private static let week = 336..<672

    /// A week in which one resolver answers from the site that `sites` returns for a round.
    private func drawing(_ kind: ChartKind, sites: (Int) -> String?) throws -> HistoryDrawing {
        let recording = try HistoryFixture().recording(rounds: Self.week) { query in
            var observation = Observation.answer([12.0, 20, 16][query.resolver] + query.noise)
            if query.resolver == 0, let site = sites(query.round) {
                observation.extras = Observation.Extras(site: site)
            }
            return observation
        }
        var log = RoundLog()
        log.add(recording)
        var timeline = HistoryTimeline(
            context: HistoryFixture.context(rounds: Self.week),
            rounds: log.rounds,
            isHourly: kind.isHourly
        )
        timeline.add(recording)
        return HistoryDrawing(kind, of: timeline)
    }

    private func marks(_ drawing: HistoryDrawing) -> [[TimeMark]] {
        drawing.timelines.map(\.timelineSubject.marks)
    }

    @Test(arguments: [ChartKind.timeline, .smoke])
    func `a change of site is a mark in the resolver's plot`(kind: ChartKind) throws {
        let drawing = try drawing(kind) { $0 < 500 ? "lon01" : "fra02" }
        let mark = TimeMark(
            .site,
            moment: HistoryFixture.moment(round: 500).wholeSeconds,
            label: "site lon01 → fra02",
            detail: "moved from the site lon01 to fra02"
        )
        #expect(drawing.timelines.map(\.name) == ["meadow", "brook", "harbour"])
        #expect(marks(drawing) == [[mark], [], []])
        let svg = drawing.svg()
        #expect(svg.contains(">site lon01 → fra02</text>"))
        #expect(svg.contains("Dotted line: another site answers from then on (NSID)."))
        #expect(svg.contains("class=\"moment site\""))
        let text = drawing.text(width: 200, height: 40, colour: false)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("At 2026-03-26 10:00 meadow moved from the site lon01 to fra02."))
    }

    @Test(arguments: [ChartKind.heatmap, .bars, .distribution])
    func `a chart without a time axis shows no changes of site`(kind: ChartKind) throws {
        let svg = try drawing(kind) { $0 < 500 ? "lon01" : "fra02" }.svg()
        #expect(!svg.contains("fra02"))
    }

    @Test func `without a change of site there is no mark and no legend`() throws {
        for site in ["lon01", nil] {
            let drawing = try drawing(.timeline) { _ in site }
            #expect(marks(drawing) == [[], [], []])
            #expect(!drawing.svg().contains("Dotted"))
        }
    }

    @Test func `alternating servers of one service are not a change of site`() throws {
        let drawing = try drawing(.timeline) { ["lon01", "lon02", "lon03"][$0 % 3] }
        #expect(marks(drawing) == [[], [], []])
    }

    @Test func `too many changes of site are counted`() throws {
        let drawing = try drawing(.timeline) { ["lon01", "fra02"][$0 / 40 % 2] }
        #expect(marks(drawing) == [[], [], []])
        let text = drawing.text(width: 200, height: 40, colour: false)
        #expect(text.contains("meadow moved 8 times"))
    }

    @Test(arguments: [
        ("res110.fra.rrdns.pch.net", "res120.lhr.rrdns.pch.net"),
        ("a-very-long-name-of-a-server-1", "a-very-long-name-of-a-server-2"),
        ("\u{1B}[31m", "<script>"),
    ])
    func `names of sites are shortened, distinguished and escaped`(from: String, to: String) throws
    {
        let drawing = try drawing(.timeline) { $0 < 500 ? from : to }
        let label = try #require(marks(drawing).first?.first?.label)
        #expect(label.count <= 5 + 18 + 3 + 18)
        let names = label.dropFirst("site ".count).split(separator: " → ")
        #expect(names.count == 2 && names.first != names.last)
        let text = drawing.text(width: 100, height: 40, colour: false)
        #expect(!text.contains("\u{1B}"))
        #expect(!drawing.svg().contains("<script>"))
    }
}
