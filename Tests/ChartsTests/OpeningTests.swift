import Statistics
import Testing

@testable import Charts

/// The marks and texts of the chart of first answers.
struct OpeningTests {
    private func drawing(
        _ subjects: [ChartSubject],
        _ form: Sheet.Form = .document
    ) throws -> ParsedDrawing {
        let sheet = Sheet(title: "Finding", charts: [Chart(.opening, of: subjects)])
        return try #require(ParsedDrawing(sheet.svg(form)))
    }

    /// One resolver over TLS: connected after 10 ms, secured after 20 ms, answered after 40 ms.
    private var plain: ChartSubject {
        ChartSubject(
            label: "near (tls)",
            member: ("near", "tls", place: 0),
            summary: .fixture(answers: [40, 40, 40], failed: 0),
            opening: ConnectionSetup(
                connected: 10,
                secured: 20,
                kept: .fixture(answers: [5], failed: 0)
            )
        )
    }

    @Test(arguments: Sheet.Form.allCases)
    func `a part's length is the time between its medians`(form: Sheet.Form) throws {
        let drawing = try drawing([plain], form)
        // The axis ends at the answer. The first mark of each style belongs to the legend.
        let scale = try #require(drawing.all("text").last { $0.text == "40" }).number("x")
        let zero = try #require(drawing.all("text").last { $0.text == "0" }).number("x")
        func part(_ style: String) throws -> ParsedDrawing.Element {
            let found = drawing.all("rect").filter { $0.attributes["class"] == style }
            #expect(found.count == 2)
            return try #require(found.last)
        }
        let unit = (scale - zero) / 40
        for (style, start, end) in [("f-rest", 0.0, 10.0), ("pale f4", 10, 20), ("f0", 20, 40)] {
            let box = try part(style)
            #expect(abs(box.number("x") - (zero + start * unit)) < 0.02)
            // The background is visible between two parts.
            let width = (end - start) * unit - (end == 40 ? 0 : 1)
            #expect(abs(box.number("width") - width) < 0.02)
        }
        let diamond = try #require(
            drawing.all("path").last { $0.attributes["class"] == "f5" }?.extent
        )
        let middle = (diamond.x.lowerBound + diamond.x.upperBound) / 2
        #expect(abs(middle - (zero + 5 * unit)) < 0.2)
    }

    @Test func `the description states the drawn figures`() throws {
        let drawing = try drawing(.openings())
        let texts = drawing.all("text").map(\.text)
        #expect(texts.contains("time since the start of the connection (ms)"))
        #expect(texts.contains { $0.hasPrefix("Each part ends at the median") })
        #expect(texts.contains("query on a kept connection"))
        #expect(texts.contains("harbour – current resolver, over udp"))
        #expect(texts.filter { ["meadow", "cliff"].contains($0) } == ["meadow", "cliff"])
        #expect(texts.filter { $0 == "tls" }.count == 3)
    }

    @Test func `the description contains every moment for screen readers`() throws {
        let description = try #require(drawing([plain]).all("desc").first).text
        #expect(
            description == "near (tls): connected after 10.0 ms, handshake over after 20.0 ms, "
                + "first answer after 40.0 ms, failed 0.0 % of 3 queries, on a kept connection 5.0 ms."
        )
        let titles = try drawing([plain]).all("title").map(\.text)
        #expect(titles.contains { description.hasPrefix($0) })
    }

    @Test func `one slow resolver does not compress the others`() throws {
        let drawing = try drawing(.openings())
        let texts = drawing.all("text").map(\.text)
        #expect(texts.contains("945.0 ms") && !texts.contains("1000"))
        #expect(texts.contains { $0.hasPrefix("Arrow: beyond the axis; with dots") })
        #expect(texts.contains("> 5 s") && texts.contains("–"))
    }

    @Test func `kinds of connections are distinguished and explained`() throws {
        let texts = try drawing(.resumptions()).all("text").map(\.text)
        for label in ["udp", "tls, new (2)", "tls, resumed (90)", "quic, early (90)"] {
            #expect(texts.contains(label))
        }
        let words = texts.joined(separator: " ")
        #expect(words.contains("resumed: resumed session"))
        #expect(words.contains("(0-RTT)"))
        // If all connections are new, the chart explains no kinds of connections.
        #expect(try !drawing(.openings()).all("text").contains { $0.text.contains("0-RTT") })
    }

    @Test func `the chart is empty without queries that opened connections`() throws {
        let sheet = Sheet(title: "Finding", of: .lab(rounds: 2, names: 1))
        #expect(!sheet.charts.map(\.kind).contains(.opening))
        let texts = try drawing([]).all("text").map(\.text)
        #expect(texts.contains("No first queries of encrypted connections to show."))
    }

    @Test(arguments: [0, 7, 8, 9, 20, 79, 400])
    func `a text bar has the requested width`(width: Int) {
        for subjects in [[ChartSubject].openings(), .resumptions(), .lab(rounds: 1, names: 1)] {
            let bars = TerminalBars(openings: subjects, width: width)
            #expect(bars.rows.count == subjects.count)
            #expect(bars.rows.allSatisfy { $0.count == width })
            #expect(bars.axis.count <= width)
        }
    }

    @Test func `a text bar ends at the answer`() throws {
        let bars = TerminalBars(openings: [plain], width: 43)
        #expect(bars.rows == ["░░░░░◆░░░░░▒▒▒▒▒▒▒▒▒▒███████████████████   "])
        #expect(bars.axis.hasSuffix("40 ms"))
    }
}

/// Charts of resolvers that were queried over several transports.
struct GroupedPanelTests {
    @Test func `each resolver has its own plot on the same axes`() throws {
        let subjects = [ChartSubject].transports(rounds: 10, names: 2)
        for kind in [ChartKind.distribution, .rounds] {
            let sheet = Sheet(title: "Finding", charts: [Chart(kind, of: subjects)])
            let drawing = try #require(ParsedDrawing(sheet.svg()))
            let texts = drawing.all("text")
            let headings = texts.filter { ["meadow", "brook", "harbour"].contains($0.text) }
            #expect(headings.map(\.text) == ["meadow", "brook", "harbour"])
            #expect(texts.filter { $0.text == "quic" || $0.text.hasPrefix("quic –") }.count == 3)
            // The largest tick of all plots has the same value and position.
            let ends = texts.filter { $0.attributes["text-anchor"] == "middle" }
                .reduce(into: [:]) { ends, text in
                    ends[text.text, default: []].append(text.number("x"))
                }
            for places in ends.values {
                #expect(places.count % 3 == 0)
            }
            // A note for only one resolver appears once.
            #expect(Set(texts.map(\.text)).count { $0.hasPrefix("Further left") } <= 1)
        }
    }

    @Test func `a transport has the same style for every resolver`() {
        let subjects = [ChartSubject].transports(rounds: 1, names: 1)
        let styles = SeriesStyle.assigned(to: subjects)
        #expect(styles.prefix(4).map { $0?.index } == [0, 1, 2, 3])
        #expect(Array(styles.prefix(4)) == Array(styles.suffix(4)))
    }

    @Test func `the notes mention resolvers that did not fit`() throws {
        var subjects: [ChartSubject] = []
        for number in 0..<11 {
            for var subject in [ChartSubject].transports(rounds: 2, names: 1).prefix(2) {
                subject.member?.resolver = "resolver-\(number)"
                subject.role = number == 10 ? .current : .other
                subjects.append(subject)
            }
        }
        let sheet = Sheet(title: "Finding", charts: [Chart(.distribution, of: subjects)])
        let texts = try #require(ParsedDrawing(sheet.svg())).all("text").map(\.text)
        #expect(texts.contains("3 more resolvers are not drawn."))
        #expect(texts.contains("resolver-6") && !texts.contains("resolver-7"))
        #expect(texts.contains("resolver-10"))
    }

    @Test func `one resolver over several transports has a single plot`() throws {
        let subjects = Array([ChartSubject].transports(rounds: 2, names: 1).prefix(4))
        let sheet = Sheet(title: "Finding", charts: [Chart(.distribution, of: subjects)])
        let texts = try #require(ParsedDrawing(sheet.svg())).all("text").map(\.text)
        #expect(texts.contains("meadow (quic)") && !texts.contains("meadow"))
    }
}
