import Statistics
import Testing

@testable import Charts

struct TerminalHistoryTests {
    /// The minimum number of answers for a median.
    private static func six(_ time: Double) -> [Double] { [Double](repeating: time, count: 6) }

    private let subject = ChartSubject.fixture([
        .fixture(hour: 0, answers: Self.six(10)), .fixture(hour: 1, answers: Self.six(10)),
        .fixture(hour: 2, answers: Self.six(40)), .fixture(hour: 3, answers: [], failed: 6),
        .fixture(hour: 6, answers: Self.six(20), failed: 1),
        .fixture(hour: 7, answers: Self.six(20)),
    ])

    private let scale = TimeScale(
        window: SimulatedHistory.start..<(SimulatedHistory.start + 8 * 3600),
        ticks: [0, 4].map {
            TimeMark(moment: SimulatedHistory.start + $0 * 3600, label: "\($0):00")
        }
    )

    @Test func `a timeline shows bars, losses and gaps`() {
        let chart = Chart(.timeline, of: [subject], over: scale)
        let text = TerminalHistory(chart, width: 32, height: 2)
        #expect(
            text.lines == [
                "brook",
                "  20 ms│      ███▲▲▲┆┆┆┆┆┆      ",
                "   0 ms│▄▄▄▄▄▄███   ┆┆┆┆┆┆██████",
                " failed│         ███┆┆┆┆┆┆▅▅▅   ",
                "      0:00        4:00",
                "Bars: median. Failed: ▁ ≤1 %, ▃ ≤5 %, ▅ ≤20 %, ▇ more, █ all. "
                    + "┆ not measured, ▲ beyond the axis",
            ]
        )
    }

    @Test(arguments: [ChartKind.timeline, .smoke])
    func `one measured hour per day is visible in longer cells`(kind: ChartKind) {
        let daily = ChartSubject.fixture((0..<30).map { .fixture(hour: 24 * $0 + 8) })
        let chart = Chart(kind, of: [daily], over: .weeks(hours: 720))
        let rows = TerminalHistory(chart, width: 80, height: 3).blocks[0].rows
        #expect(rows.allSatisfy { row in row.count { $0 == "┆" } == 72 - 30 })
    }

    @Test func `a smoke chart shows medians on shades`() {
        let chart = Chart(.smoke, of: [subject], over: scale)
        let rows = TerminalHistory(chart, width: 32, height: 2).blocks[0].rows
        #expect(rows[0].hasPrefix("  20 ms│") || rows[0].hasPrefix("  40 ms│"))
        #expect(rows.joined().contains("━") && rows.joined().contains("┆┆┆"))
    }

    @Test func `a heat map has one line per weekday and one figure per hour`() {
        let chart = Chart(.heatmap, of: [subject], over: scale)
        let text = TerminalHistory(chart, width: 110, height: 0)
        let rows = text.blocks[0].rows
        #expect(rows.count == 7)
        #expect(rows[0].hasPrefix("Mon ░10 ░10 █40 ▲   ┆   ┆   ▒20!▒20 ┆"))
        #expect(text.axis.hasPrefix("      0   1   2"))
        #expect(text.key.contains("! more than 1 % failed"))
    }

    @Test(arguments: [
        ([5, 6], "Mon ░10~░10 ", "~ fewer than 6 queries", "Small cell: fewer than 6 queries."),
        ([5, 5], "Mon ░10 ░10 ", "each of fewer than 6 queries", "Each cell: fewer than 6"),
    ])
    func `a heat map marks medians of fewer than six queries`(
        queries: [Int],
        row: String,
        key: String,
        note: String
    ) {
        let few = ChartSubject.fixture(
            queries.enumerated().map { hour, count in
                .fixture(hour: hour, answers: [Double](repeating: 10, count: count))
            }
        )
        let chart = Chart(.heatmap, of: [few], over: scale)
        let text = TerminalHistory(chart, width: 110, height: 0)
        #expect(text.blocks[0].rows[0].hasPrefix(row))
        #expect(text.key.contains(key))
        #expect(Sheet(title: "", charts: [chart]).svg().contains(note))
    }

    @Test func `a heat map marks no medians if all have six queries`() {
        let enough = ChartSubject.fixture([
            .fixture(hour: 0, answers: [Double](repeating: 10, count: 6))
        ])
        let chart = Chart(.heatmap, of: [enough], over: scale)
        #expect(!TerminalHistory(chart, width: 110, height: 0).key.contains("fewer"))
        #expect(!Sheet(title: "", charts: [chart]).svg().contains("fewer"))
    }

    @Test func `a heat map shows losses where the figure does not fit`() {
        let lossy = ChartSubject.fixture([
            .fixture(hour: 0, answers: [120, 120, 120, 120], failed: 1),
            .fixture(hour: 1, answers: [120]),
        ])
        let chart = Chart(.heatmap, of: [lossy], over: scale)
        let row = TerminalHistory(chart, width: 110, height: 0).blocks[0].rows[0]
        #expect(row.hasPrefix("Mon ░  !░   ┆   "))
    }

    @Test(arguments: [(width: 150, row: "Mon ░0.04 █  10 "), (110, "Mon ░   █10 ")])
    func `a heat map shows decimals instead of 0`(width: Int, row: String) {
        let fast = ChartSubject.fixture([
            .fixture(hour: 0, answers: [0.04]), .fixture(hour: 1, answers: [10]),
        ])
        let text = TerminalHistory(
            Chart(.heatmap, of: [fast], over: scale),
            width: width,
            height: 0
        )
        #expect(text.blocks[0].rows[0].hasPrefix(row))
    }

    @Test func `labels with many digits are complete, and the plot gets the rest`() {
        let slow = ChartSubject.fixture([.fixture(hour: 0, answers: [18_000])], timeout: 60_000)
        let chart = Chart(.timeline, of: [slow], over: scale)
        let rows = TerminalHistory(chart, width: 32, height: 4).blocks[0].rows
        let labels = rows.map { $0.prefix { $0 != "│" } }
        #expect(labels == ["15000 ms", "10000 ms", " 5000 ms", "    0 ms", "  failed"])
        #expect(rows.allSatisfy { $0.count == 32 })
    }

    @Test(arguments: ChartKind.overTime, [-3, 0, 31, 32, 33, 52, 80, 125, 400, Int.max])
    func `rows are at most as wide as requested`(kind: ChartKind, width: Int) {
        for history in HistoryDocumentTests.histories where history.name != "two weeks" {
            let chart = Chart(kind, of: history.subjects, over: history.scale)
            for height in [Int.min, 1, 7] {
                let text = TerminalHistory(chart, width: width, height: height)
                let rows = text.blocks.flatMap(\.rows)
                #expect(rows.allSatisfy { $0.count <= max(0, width) })
                #expect(Set(rows.map(\.count)).count <= 1)
                #expect(text.axis.count <= max(0, width))
            }
        }
    }

    @Test func `a chart of one resolver has one block`() {
        let chart = Chart(.smoke, of: [subject, subject], over: scale, focus: 1)
        #expect(TerminalHistory(chart, width: 40, height: 3).blocks.count == 1)
    }
}
