import Statistics
import Testing

@testable import Charts

/// What the chart of first answers draws, and what it says.
struct OpeningTests {
    private func drawing(
        _ subjects: [ChartSubject],
        _ form: Sheet.Form = .document
    ) throws -> ParsedDrawing {
        let sheet = Sheet(title: "Finding", charts: [Chart(.opening, of: subjects)])
        return try #require(ParsedDrawing(sheet.svg(form)))
    }

    /// One resolver over TLS: 10 ms to connect, 20 until it is secured, 40 until it answers.
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
    func `a part is as long as the time between its medians`(form: Sheet.Form) throws {
        let drawing = try drawing([plain], form)
        // The axis ends at the answer. The first of each look is the legend's.
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
            // Between two parts the ground shows.
            let width = (end - start) * unit - (end == 40 ? 0 : 1)
            #expect(abs(box.number("width") - width) < 0.02)
        }
        let diamond = try #require(
            drawing.all("path").last { $0.attributes["class"] == "f5" }?.extent
        )
        let middle = (diamond.x.lowerBound + diamond.x.upperBound) / 2
        #expect(abs(middle - (zero + 5 * unit)) < 0.2)
    }

    @Test func `what is drawn is said`() throws {
        let drawing = try drawing(.openings())
        let texts = drawing.all("text").map(\.text)
        #expect(texts.contains("time since the start of the connection (ms)"))
        #expect(texts.contains { $0.hasPrefix("Each part ends at the median") })
        #expect(texts.contains("query on a kept connection"))
        #expect(texts.contains("harbour – current resolver, over udp"))
        #expect(texts.filter { ["meadow", "cliff"].contains($0) } == ["meadow", "cliff"])
        #expect(texts.filter { $0 == "tls" }.count == 3)
    }

    @Test func `a reader without eyes gets every moment`() throws {
        let description = try #require(drawing([plain]).all("desc").first).text
        #expect(
            description == "near (tls): connected after 10.0 ms, handshake over after 20.0 ms, "
                + "first answer after 40.0 ms, failed 0.0 % of 3 queries, on a kept connection 5.0 ms."
        )
        let titles = try drawing([plain]).all("title").map(\.text)
        #expect(titles.contains { description.hasPrefix($0) })
    }

    @Test func `one slow resolver does not squash the others`() throws {
        let drawing = try drawing(.openings())
        let texts = drawing.all("text").map(\.text)
        #expect(texts.contains("945.0 ms") && !texts.contains("1000"))
        #expect(texts.contains { $0.hasPrefix("Arrow: beyond the axis; with dots") })
        #expect(texts.contains("> 5 s") && texts.contains("–"))
    }

    @Test func `kinds of connections are told apart and explained`() throws {
        let texts = try drawing(.resumptions()).all("text").map(\.text)
        for label in ["udp", "tls, new (2)", "tls, resumed (90)", "quic, early (90)"] {
            #expect(texts.contains(label))
        }
        let words = texts.joined(separator: " ")
        #expect(words.contains("resumed: resumed session"))
        #expect(words.contains("(0-RTT)"))
        // Where all are new there is nothing to tell.
        #expect(try !drawing(.openings()).all("text").contains { $0.text.contains("0-RTT") })
    }

    @Test func `it is not drawn of queries that opened nothing`() throws {
        let sheet = Sheet(title: "Finding", of: .lab(rounds: 2, names: 1))
        #expect(!sheet.charts.map(\.kind).contains(.opening))
        let texts = try drawing([]).all("text").map(\.text)
        #expect(texts.contains("No first queries of encrypted connections to show."))
    }

    @Test(arguments: [0, 7, 8, 9, 20, 79, 400])
    func `a bar of text is as wide as asked for`(width: Int) {
        for subjects in [[ChartSubject].openings(), .resumptions(), .lab(rounds: 1, names: 1)] {
            let bars = TerminalBars(openings: subjects, width: width)
            #expect(bars.rows.count == subjects.count)
            #expect(bars.rows.allSatisfy { $0.count == width })
            #expect(bars.axis.count <= width)
        }
    }

    @Test func `a bar of text ends at the answer`() throws {
        let bars = TerminalBars(openings: [plain], width: 43)
        #expect(bars.rows == ["░░░░░◆░░░░░▒▒▒▒▒▒▒▒▒▒███████████████████   "])
        #expect(bars.axis.hasSuffix("40 ms"))
    }
}

/// Charts of resolvers that were asked over several transports.
struct GroupedPanelTests {
    @Test func `each resolver has a plot of its own on the same axes`() throws {
        let subjects = [ChartSubject].transports(rounds: 10, names: 2)
        for kind in [ChartKind.distribution, .rounds] {
            let sheet = Sheet(title: "Finding", charts: [Chart(kind, of: subjects)])
            let drawing = try #require(ParsedDrawing(sheet.svg()))
            let texts = drawing.all("text")
            let headings = texts.filter { ["meadow", "brook", "harbour"].contains($0.text) }
            #expect(headings.map(\.text) == ["meadow", "brook", "harbour"])
            #expect(texts.filter { $0.text == "quic" || $0.text.hasPrefix("quic –") }.count == 3)
            // The largest tick of all plots is the same, at the same place.
            let ends = texts.filter { $0.attributes["text-anchor"] == "middle" }
                .reduce(into: [:]) { ends, text in
                    ends[text.text, default: []].append(text.number("x"))
                }
            for places in ends.values {
                #expect(places.count % 3 == 0)
            }
            // What only one resolver needs is explained once.
            #expect(Set(texts.map(\.text)).count { $0.hasPrefix("Further left") } <= 1)
        }
    }

    @Test func `a transport has the same style with whatever resolver`() {
        let subjects = [ChartSubject].transports(rounds: 1, names: 1)
        let styles = SeriesStyle.assigned(to: subjects)
        #expect(styles.prefix(4).map { $0?.index } == [0, 1, 2, 3])
        #expect(Array(styles.prefix(4)) == Array(styles.suffix(4)))
    }

    @Test func `more resolvers than there is room for are told of`() throws {
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

    @Test func `one resolver over several transports needs no plots of their own`() throws {
        let subjects = Array([ChartSubject].transports(rounds: 2, names: 1).prefix(4))
        let sheet = Sheet(title: "Finding", charts: [Chart(.distribution, of: subjects)])
        let texts = try #require(ParsedDrawing(sheet.svg())).all("text").map(\.text)
        #expect(texts.contains("meadow (quic)") && !texts.contains("meadow"))
    }
}
