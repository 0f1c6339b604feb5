import Statistics
import Testing

@testable import Charts

/// Whole documents of charts over time, read by an XML parser.
struct HistoryDocumentTests {
    static let histories: [(name: String, subjects: [ChartSubject], scale: TimeScale)] = [
        ("two weeks", .months(hours: 336, queries: 20), .weeks(hours: 336)),
        ("crowd", crowd, .weeks(hours: 48)),
        ("one hour", [.fixture([.fixture(hour: 0)])], .weeks(hours: 1)),
        ("none", [], .weeks(hours: 5)), ("empty", [.fixture([])], .weeks(hours: 5)),
        ("silent", [.fixture([.fixture(hour: 0, answers: [], failed: 3)])], .weeks(hours: 5)),
        ("odd numbers", odd, TimeScale(window: .min ..< .max, ticks: [])),
        ("hostile", hostile, hostileScale),
    ]

    private static let crowd: [ChartSubject] = (0..<20).map { (index: Int) -> ChartSubject in
        let marks = (0..<index).map { (site: Int) -> TimeMark in
            let moment = SimulatedHistory.start + Int64(site * 9000)
            return TimeMark(moment: moment, label: "site \(site) of many")
        }
        let history = SimulatedHistory(
            label: "resolver-\(index + 1)@2001:db8:53:\(index)::53",
            role: index == 19 ? .current : .other,
            base: Double(8 + index * index * index),
            jitter: 3,
            loss: index % 5 == 4 ? 1 : 0.01,
            marks: marks
        )
        return history.subject(hours: 48, queries: 5, seed: UInt64(index))
    }

    private static let oddTimes: [[Double]] = [
        [0], [.nan, .infinity, -3], [1e300, .leastNonzeroMagnitude], [12, 12],
    ]

    private static let odd: [ChartSubject] = oddTimes.indices.map { (hour: Int) in
        .fixture([.fixture(hour: hour, answers: oddTimes[hour], failed: hour)], timeout: .nan)
    }

    private static let year = [ChartSubject].months(hours: 8760, queries: 10)

    private static let text =
        "</text></svg><script>alert('1')</script>\"&amp;<!--\u{0}\u{1B}[31m\u{202E}\u{FFFE}]]>\n"

    private static let hostile: [ChartSubject] = [ChartSubject]
        .months(hours: 120, queries: 3).map {
            var subject = $0
            subject.label = text + String(repeating: "w", count: 300)
            subject.marks = [TimeMark(moment: SimulatedHistory.start + 9, label: text)]
            return subject
        }

    private static let hostileScale = TimeScale(
        window: SimulatedHistory.start..<(SimulatedHistory.start + 432_000),
        ticks: [TimeMark(moment: SimulatedHistory.start, label: text)],
        offsets: [(0, .max)],
        clockChanges: [text]
    )

    private static func sheet(_ kind: ChartKind, _ index: Int) -> Sheet {
        let (_, subjects, scale) = histories[index]
        return Sheet(
            title: "A finding",
            charts: [Chart(kind, of: subjects, over: scale)],
            footer: "n = 1"
        )
    }

    private static let cases = ChartKind.overTime.flatMap { kind in
        Sheet.Form.allCases.map { (kind: kind, form: $0) }
    }

    @Test(arguments: cases, histories.indices)
    func `all marks are inside the document and no texts overlap`(
        drawn: (kind: ChartKind, form: Sheet.Form),
        index: Int
    ) throws {
        let sheet = Self.sheet(drawn.kind, index)
        let drawing = try #require(ParsedDrawing(sheet.svg(drawn.form)))
        let height = drawing.elements[0].number("height")
        for element in drawing.elements {
            guard let (x, y) = element.extent else { continue }
            let isInside =
                x.lowerBound >= 0 && x.upperBound <= drawn.form.width && y.lowerBound >= 0
                && y.upperBound <= height
            #expect(isInside, "\(element.name) \(element.attributes) \(element.text)")
        }
        let boxes = drawing.all("text").compactMap { element in
            element.extent.map { (element.text, $0) }
        }
        for (place, (text, box)) in boxes.enumerated() {
            for (other, against) in boxes[(place + 1)...] {
                let apart = !box.x.overlaps(against.x) || !box.y.overlaps(against.y)
                #expect(apart, "\(text) and \(other)")
            }
        }
    }

    @Test(arguments: ChartKind.overTime)
    func `hostile text stays text`(kind: ChartKind) throws {
        let svg = Self.sheet(kind, Self.histories.count - 1).svg()
        let drawing = try #require(ParsedDrawing(svg))
        #expect(drawing.all("script").isEmpty && drawing.all("svg").count == 1)
        #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(!svg.contains("\u{202E}"))
    }

    @Test(arguments: ChartKind.overTime)
    func `a year of six resolvers fits into a small file`(kind: ChartKind) {
        let chart = Chart(kind, of: Self.year, over: .weeks(hours: 8760))
        let svg = Sheet(title: "A finding", charts: [chart]).svg()
        #expect(svg.utf8.count < 300_000)
    }

    @Test(arguments: ChartKind.overTime, [0.04, 0.003])
    func `a time below a millisecond is never drawn as 0`(kind: ChartKind, time: Double) {
        let fast = ChartSubject.fixture((0..<5).map { TimeBin.fixture(hour: $0, answers: [time]) })
        let chart = Chart(kind, of: [fast], over: .weeks(hours: 5))
        let svg = Sheet(title: "A finding", charts: [chart]).svg()
        #expect(svg.contains(">median \(time) ms, p95 "))
        #expect(!svg.contains("0.0 ms") && !svg.contains("0.00 ms"))
        #expect(svg.contains(">\(time)</text>") || kind != .heatmap)
    }

    @Test func `each resolver's own file has the shared axes and colours`() throws {
        let subjects = [ChartSubject].months(hours: 48, queries: 20)
        let all = Chart(.timeline, of: subjects, over: .weeks(hours: 48))
        #expect(all.single.count == subjects.count)
        let both = TimeRows(all, columnLimit: 100)
        let fourth = TimeRows(all.single[3], columnLimit: 100)
        #expect(fourth.rows.map(\.subject.label) == ["hollow"])
        #expect(fourth.durations == both.durations)
        #expect(fourth.rows[0].style == both.rows[3].style)
        #expect(all.single[3].sentences.count == 1)
    }

    @Test(arguments: ChartKind.overTime)
    func `each file contains its resolver, even among many resolvers`(kind: ChartKind) {
        for single in Chart(kind, of: Self.crowd, over: .weeks(hours: 48)).single {
            #expect(single.panel.nothing == nil && single.drawn.count == 1)
            #expect(single.omission.isEmpty)
        }
    }

    @Test func `the notes describe how the figures were processed`() {
        let chart = Chart(.timeline, of: .months(), over: .weeks(hours: 1440))
        let notes = chart.panel.notes.joined(separator: " ")
        #expect(notes.contains("Each column: 4 hours."))
        #expect(notes.contains("Hatched: not measured."))
        #expect(notes.contains("The clock changed: Sunday, 29 March, 23 hours long."))
        let crowd = Chart(.smoke, of: Self.crowd, over: .weeks(hours: 48))
        #expect(crowd.panel.notes.contains("8 more resolvers are not drawn."))
        let unlike = [10.0, 12, 2000].map {
            ChartSubject.fixture([.fixture(hour: 0, answers: [$0])])
        }
        let wide = Chart(.timeline, of: unlike, over: .weeks(hours: 5))
        #expect(wide.panel.notes.contains { $0.hasPrefix("Logarithmic axis.") })
    }

    @Test func `the description contains figures and changes for screen readers`() throws {
        let chart = Chart(.timeline, of: .months(), over: .weeks(hours: 1440))
        let svg = Sheet(title: "A finding", charts: [chart]).svg()
        let description = try #require(ParsedDrawing(svg)?.all("desc").first?.text)
        #expect(description.contains("harbour (current resolver): median 25."))
        #expect(description.contains("; 5.0 ms slower."))
    }
}
