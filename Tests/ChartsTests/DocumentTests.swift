import Statistics
import Testing

@testable import Charts

extension ParsedDrawing.Element {
    /// The bounding box of a text, as the layout estimates it.
    var textExtent: (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        guard let style = attributes["class"].flatMap(TextStyle.init(rawValue:)) else { return nil }
        let width = style.width(text)
        let (x, y) = (number("x"), number("y"))
        let left =
            switch attributes["text-anchor"] {
            case "middle": x - width / 2
            case "end": x - width
            default: x
            }
        return (left...(left + width), (y - style.size * 0.75)...(y + style.size * 0.2))
    }
}

/// Whole documents, read by an XML parser.
struct DocumentTests {
    static let sheets: [(name: String, subjects: [ChartSubject])] = [
        ("lab", .lab()), ("crowd of 40", .crowd(40)), ("crowd of 13", .crowd(13)),
        ("one", .crowd(1, rounds: 1, names: 1)), ("none", []), ("silent", silent),
        ("odd numbers", oddNumbers), ("many names", .crowd(3, rounds: 3, names: 20)),
        ("hostile labels", hostile), ("transports", .transports(rounds: 5, names: 4)),
        ("first answers", .openings()), ("resumed sessions", .resumptions()),
    ]

    /// Every chart of the subjects.
    private static func sheet(_ index: Int) -> Sheet {
        let subjects = sheets[index].subjects
        return Sheet(
            title: "A finding",
            charts: ChartKind.ofRun.map { Chart($0, of: subjects) },
            footer: "n = 1"
        )
    }

    private static let silent: [ChartSubject] = (0..<3).map { index in
        SimulatedResolver(label: "silent-\(index)", base: 1, jitter: 1, loss: 1)
            .subject(rounds: 5, names: ["a.example"], seed: 1)
    }

    private static let oddNumbers: [ChartSubject] = [
        [0, 0, 0], [.nan, .infinity, -3], [1e300, .leastNonzeroMagnitude], [12],
    ].map { (times: [Double]) in
        let points = times.enumerated().map {
            (round: $0 == 0 ? -9e18 : 9e18, milliseconds: Optional($1))
        }
        return ChartSubject(
            label: "odd",
            summary: .fixture(answers: times, failed: 1, timeout: .nan),
            answers: AnswerTimes(times),
            rounds: [("odd.example", points)],
            opening: ConnectionSetup(
                connected: times[0],
                secured: times.last,
                kept: .fixture(answers: times, failed: 0, timeout: .infinity)
            )
        )
    }

    private static let hostileText =
        "</text></svg><script>alert('1')</script>\"&amp;<!--\u{0}\u{1B}[31m\u{202E}\u{FFFE}]]>\n"

    private static let hostile: [ChartSubject] = [ChartSubject].lab(rounds: 2, names: 1).map {
        var subject = $0
        subject.label = hostileText + String(repeating: "w", count: 300)
        subject.rounds[0].name = hostileText
        subject.member = (subject.label, subject.label, place: .max)
        subject.opening = ConnectionSetup(connected: 3, secured: 4, use: hostileText)
        return subject
    }

    @Test(arguments: sheets.indices, Sheet.Form.allCases)
    func `all marks are inside the document`(index: Int, form: Sheet.Form) throws {
        let sheet = Self.sheet(index)
        let drawing = try #require(ParsedDrawing(sheet.svg(form)))
        let root = try #require(drawing.elements.first)
        #expect(drawing.elements.count > 8)
        let width = root.attributes["width"] ?? ""
        #expect(root.attributes["viewBox"] == "0 0 \(width) \(root.attributes["height"] ?? "")")
        #expect(root.number("width") == form.width)
        for element in drawing.elements {
            guard let (x, y) = element.extent else { continue }
            // The margin of a page has no room for times of several days.
            if form != .document, Int(element.text) ?? 0 > 86_400 { continue }
            #expect(
                x.lowerBound >= 0 && x.upperBound <= form.width && y.lowerBound >= 0
                    && y.upperBound <= root.number("height"),
                "\(element)"
            )
        }
    }

    @Test(arguments: sheets.indices, Sheet.Form.allCases)
    func `no texts overlap`(index: Int, form: Sheet.Form) throws {
        let sheet = Self.sheet(index)
        let drawing = try #require(ParsedDrawing(sheet.svg(form)))
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

    @Test func `hostile text stays text`() throws {
        let sheet = Sheet(
            title: Self.hostileText,
            subtitle: Self.hostileText,
            charts: ChartKind.ofRun.map { Chart($0, of: Self.hostile) },
            footer: Self.hostileText,
            identifier: "a\" onload=\"x"
        )
        let svg = sheet.svg()
        let drawing = try #require(ParsedDrawing(svg))
        #expect(drawing.all("script").isEmpty && drawing.all("svg").count == 1)
        #expect(drawing.elements[0].attributes["onload"] == nil)
        #expect(drawing.elements[1].text.contains("<script>alert('1')</script>"))
        #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(!svg.contains("\u{202E}"))
    }

    @Test func `the description contains the figures for screen readers`() throws {
        let drawing = try #require(ParsedDrawing(Sheet(title: "Finding", of: .lab()).svg()))
        let root = drawing.elements[0]
        #expect(root.attributes["role"] == "img")
        #expect(root.attributes["aria-labelledby"] == "dnstempo-title dnstempo-desc")
        let description = try #require(drawing.all("desc").first)
        #expect(description.attributes["id"] == "dnstempo-desc")
        #expect(
            description.text.contains("harbour (current resolver): median 23.0 ms, p95 46.1 ms")
        )
        #expect(description.text.matches(of: /cliff: median/).count == 1)
    }
}
