import Statistics
import Testing

@testable import Charts

extension TimeBin {
    /// A bin of one hour with these answers and losses. It begins `hour` hours after the start of the
    /// histories.
    static func fixture(hour: Int, answers: [Double] = [20], failed: Int = 0) -> TimeBin {
        var latency = LatencyTally()
        for answer in answers { latency.insert(answer: answer) }
        for _ in 0..<failed { latency.insertNonAnswer() }
        return TimeBin(
            start: SimulatedHistory.start + Int64(hour) * 3600,
            length: 3600,
            latency: latency
        )
    }
}

extension ChartSubject {
    static func fixture(_ bins: [TimeBin], timeout: Double = 5000) -> ChartSubject {
        ChartSubject(label: "brook", summary: .fixture(bins, timeout: timeout), bins: bins)
    }
}

struct TimeColumnsTests {
    private func columns(_ bins: [TimeBin], hours: Int, limit: Int = 100) -> TimeColumns {
        let subject = ChartSubject.fixture(bins)
        let scale = TimeScale.weeks(hours: hours)
        let span = TimeColumns.span(of: [subject], over: scale, limit: limit)
        return TimeColumns(subject, over: scale, span: span)
    }

    private func hours(_ gaps: [Range<Int64>]) -> [Range<Int>] {
        gaps.map { gap in
            let hours = [gap.lowerBound, gap.upperBound].map {
                Int(($0 - SimulatedHistory.start) / 3600)
            }
            return hours[0]..<hours[1]
        }
    }

    @Test func `hours without a bin are gaps and hours with only losses are not`() {
        let bins = [1, 2, 4, 5].map { TimeBin.fixture(hour: $0) }
        let silent = TimeBin.fixture(hour: 3, answers: [], failed: 3)
        let columns = columns(bins + [silent, .fixture(hour: 8)], hours: 12)
        #expect(hours(columns.gaps) == [0..<1, 6..<8, 9..<12])
        #expect(columns.segments.map(\.count) == [5, 1])
        #expect(columns.segments[0][2].bin.loss == .all)
        #expect(columns.segments[0][2].summary.median == nil)
    }

    @Test func `a column with too few queries for a median is joined with its neighbour`() throws {
        let full = [Double](repeating: 20, count: 100)
        let bins = [
            TimeBin.fixture(hour: 0, answers: full), .fixture(hour: 1, answers: [2, 2]),
            .fixture(hour: 4, answers: [2, 2]), .fixture(hour: 5, answers: full),
        ]
        let columns = columns(bins, hours: 6)
        #expect(hours(columns.gaps) == [2..<4])
        #expect(columns.columns.map(\.bin.length) == [7200, 7200])
        #expect(columns.columns.map(\.bin.latency.count) == [102, 102])
        for column in columns.columns {
            #expect(abs(try #require(column.summary.median) - 20) <= 0.2)
        }
        // If all bins have few queries, each bin is shown.
        let few = [0, 1, 2].map { TimeBin.fixture(hour: $0, answers: [5, 6]) }
        #expect(self.columns(few, hours: 3).columns.count == 3)
    }

    @Test(arguments: [(5, false, false, false), (6, true, false, false), (13, true, true, false)])
    func `a bin requires enough queries for quantiles`(
        count: Int,
        median: Bool,
        quartiles: Bool,
        p95: Bool
    ) {
        let bin = TimeBin.fixture(hour: 0, answers: [Double](repeating: 20, count: count))
        #expect([0.5, 0.75, 0.25, 0.95].map(bin.tells) == [median, quartiles, quartiles, p95])
        let full = TimeBin.fixture(hour: 0, answers: [Double](repeating: 20, count: 72))
        #expect(full.tells(0.95) && full.tells(0.05))
    }

    @Test(arguments: [(60, 2), (100, 1), (8, 1)])
    func `columns are wider if twice as many queries suffice for p95`(count: Int, hours: Int) {
        let bins = (0..<168).map {
            TimeBin.fixture(hour: $0, answers: [Double](repeating: 20, count: count))
        }
        let columns = columns(bins, hours: 168, limit: 420)
        #expect(columns.columns[5].bin.length == Int64(hours) * 3600)
    }

    @Test func `a resolver without bins is one gap`() {
        let columns = columns([], hours: 5)
        #expect(columns.segments.isEmpty && hours(columns.gaps) == [0..<5])
    }

    @Test func `a column's median covers its queries, not its bins' medians`() throws {
        let bins = [
            TimeBin.fixture(hour: 1, answers: [10]), .fixture(hour: 2, answers: [30, 30, 30]),
        ]
        let columns = columns(bins, hours: 24, limit: 2)
        let column = try #require(columns.columns.first)
        #expect(columns.columns.count == 1)
        let median = try #require(column.summary.median)
        let p5 = try #require(column.summary.p5)
        #expect(abs(median - 30) <= 0.3 && abs(p5 - 10) <= 0.1)
    }

    @Test func `losses count as slower than every answer`() throws {
        let column = try #require(
            columns([.fixture(hour: 0, answers: [10, 10, 10], failed: 1)], hours: 1).columns.first
        )
        #expect(column.summary.p95 == nil && column.summary.p75 != nil)
        #expect(column.bin.loss == .most)
    }

    @Test func `a median beyond the timeout has no value in any output`() throws {
        let late = TimeBin.fixture(hour: 1, answers: [10, 2000, 2000])
        let subject = ChartSubject.fixture([.fixture(hour: 0, answers: [10]), late], timeout: 1000)
        let scale = TimeScale(
            window: SimulatedHistory.start..<(SimulatedHistory.start + 7200),
            ticks: []
        )
        let medians = subject.weekMedians(over: scale)[0]
        #expect(medians[0].median == 10 && medians[1].median == nil)
        #expect(medians.prefix(3).map(\.queries) == [1, 3, 0])
        let trend = Chart(.trend, of: [subject], over: scale).readings.hours.map { $0.medians[0] }
        #expect(trend == [.some(10), .some(nil)])
        let heatmap = Chart(.heatmap, of: [subject], over: scale)
        #expect(HeatmapPanel(heatmap).scale == HeatScale([10]))
        let drawing = try #require(ParsedDrawing(Sheet(charts: [heatmap]).svg()))
        let texts = drawing.all("text").map(\.text)
        #expect(texts.contains("failed") && texts.contains { $0.hasPrefix("failed: ") })
        let row = TerminalHistory(heatmap, width: 110, height: 0).blocks[0].rows[0]
        #expect(row.hasPrefix("Mon ░10 ▲   ┆"))
    }

    @Test(arguments: [
        (hours: 168, limit: 420, words: nil), (hours: 1440, limit: 420, words: "4 hours"),
        (hours: 8760, limit: 420, words: "one day"), (hours: 8760, limit: 280, words: "2 days"),
        (hours: 8760, limit: 100, words: "one week"), (hours: 100, limit: 60, words: "2 hours"),
    ])
    func `a column covers a fraction of a day or whole days`(hours: Int, limit: Int, words: String?)
    {
        let subject = ChartSubject.fixture([.fixture(hour: 0)])
        let scale = TimeScale.weeks(hours: hours)
        let span = TimeColumns.span(of: [subject], over: scale, limit: limit)
        #expect(span.map(TimeColumns.words) == words)
    }

    @Test func `columns of a day begin at local midnight`() {
        let bins = (0..<72).map { TimeBin.fixture(hour: $0, answers: [20, 20, 20, 20, 20, 20]) }
        let subject = ChartSubject.fixture(bins)
        let columns = TimeColumns(subject, over: .weeks(hours: 72), span: 86_400)
        #expect(columns.columns.map { $0.bin.length / 3600 } == [23, 24, 24, 1])
    }

    @Test func `bins with out-of-range values are excluded`() {
        var odd = [TimeBin](repeating: .fixture(hour: 1), count: 6)
        odd[0].start = .min
        odd[1].start = .max
        odd[2].length = 0
        odd[3].length = .max
        odd[4].latency.answered = .max
        odd[5].latency = LatencyTally()
        #expect(columns(odd, hours: 3).columns.isEmpty)
        let endless = TimeScale(window: .min ..< .max, ticks: [])
        let subject = ChartSubject.fixture(odd + [.fixture(hour: 1)])
        let span = TimeColumns.span(of: [subject], over: endless, limit: 100)
        #expect(TimeColumns(subject, over: endless, span: span).columns.count == 1)
    }
}

struct TimeScaleTests {
    private static let start = SimulatedHistory.start

    private func scale(_ offsets: [(hour: Int64, seconds: Int)]) -> TimeScale {
        TimeScale(
            window: Self.start..<(Self.start + 1),
            ticks: [],
            offsets: offsets.map {
                (Self.start + $0.hour * 3600, $0.seconds)
            }
        )
    }

    @Test(arguments: [
        (offset: 0, hour: Int64(0), weekday: 0, ofDay: 0),
        (offset: 0, hour: -1, weekday: 6, ofDay: 23),
        (offset: 3600, hour: 23, weekday: 1, ofDay: 0),
        (offset: -18_000, hour: 3, weekday: 6, ofDay: 22),
        (offset: 19_800, hour: 18, weekday: 0, ofDay: 23),
        (offset: 20_700, hour: 19, weekday: 1, ofDay: 0),
        (offset: 0, hour: -500_000, weekday: 5, ofDay: 16),
    ])
    func `weekday and hour are in local time`(offset: Int, hour: Int64, weekday: Int, ofDay: Int) {
        let place = scale([(0, offset)]).place(Self.start + hour * 3600)
        #expect(place == (weekday, ofDay))
    }

    @Test func `the UTC offset changes with the clock`() {
        let scale = scale([(0, 3600), (10, 7200)])
        #expect((8...11).map { scale.place(Self.start + $0 * 3600).hour } == [9, 10, 12, 13])
    }

    @Test func `a note mentions hours that begin at half past`() {
        let bins = [TimeBin.fixture(hour: 3)]
        #expect(WeekGrid(bins, over: scale([(0, 19_800)])).isUneven == false)
        var window = scale([(0, 19_800)])
        window.window = Self.start..<(Self.start + 86_400)
        let grid = WeekGrid(bins, over: window)
        #expect(grid.isUneven && grid.cells[0][9] != nil)
        window.offsets[0].seconds = 7200
        #expect(!WeekGrid(bins, over: window).isUneven)
    }
}
