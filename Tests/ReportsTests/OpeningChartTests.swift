import Charts
import DNSWire
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// The data of the chart of first answers.
struct OpeningChartTests {
    private static let heading = "Time to the first answer of a connection, by part"

    /// An answer after `query` milliseconds over a connection that was opened for this query. The times of
    /// the parts are in milliseconds.
    private static func opened(
        _ use: ConnectionUse,
        connect: Double? = nil,
        handshake: Double? = nil,
        query: Double
    ) -> Observation {
        var observation = Observation.answer(query)
        observation.extras = .init(
            connect: connect.map { Int64($0 * 1e6) },
            handshake: handshake.map { Int64($0 * 1e6) },
            connection: use
        )
        return observation
    }

    /// A resolver over UDP, TCP, TLS and QUIC. `first` returns the outcomes of its first queries over TLS.
    private func fixture(label: String = "near", first: (Int) -> Observation) throws -> Fixture {
        var fixture = try Fixture(rounds: 10)
        fixture.context.baseline = label
        fixture.add(label) { _ in .answer(3) }
        fixture.add(label, transport: "tcp") { number in
            Self.opened(.new, connect: 2, query: 4 + Double(number % 3))
        }
        fixture.add(label, transport: "tls") { _ in .answer(3.5) }
        fixture.add(label, transport: "tls", series: .first, outcome: first)
        fixture.add(label, transport: "quic", series: .first) { _ in
            Self.opened(.new, handshake: 5, query: 4)
        }
        return fixture
    }

    private func openings(_ report: ComparisonReport) throws -> [ChartSubject] {
        try #require(report.openingChart).subjects
    }

    @Test func `each moment is the median of its own times`() throws {
        // No query has both a slow connect and a slow handshake. So the medians of the parts do not add up to
        // the median of the sum.
        let report = try fixture { number in
            let isSlow = number % 5 < 3
            return Self.opened(
                .new,
                connect: isSlow ? 30 : 2,
                handshake: isSlow ? 4 : 40,
                query: number % 5 == 4 ? 1 : 6
            )
        }.report
        let subjects = try openings(report)
        #expect(subjects.map { $0.member?.name ?? "" } == ["udp", "tcp", "tls", "quic"])
        let tls = subjects[2]
        // Three of five answers take 30+4+6 ms. The others take 2+40+6 ms and 2+40+1 ms.
        #expect(tls.opening?.connected == 30)
        #expect(tls.opening?.secured == 34)
        #expect(tls.summary.median == 40)
        #expect(
            tls.summary.median
                == report.rows(of: .first).first { $0.target.transport == "tls" }?
                .latency.median
        )
        #expect(tls.opening?.kept?.median == 3.5)
        #expect(tls.opening?.use == nil)
    }

    @Test func `plain transports are shown too, and QUIC connects in its handshake`() throws {
        let subjects = try openings(
            try fixture { _ in Self.opened(.new, connect: 3, handshake: 6, query: 3) }.report
        )
        #expect(subjects[0].opening == ConnectionSetup() && subjects[0].summary.median == 3)
        #expect(subjects[1].opening?.connected == 2 && subjects[1].opening?.secured == nil)
        #expect(subjects[1].summary.median == 7)
        #expect(subjects[3].opening?.connected == nil && subjects[3].opening?.secured == 5)
        #expect(subjects[3].summary.median == 9 && subjects[3].opening?.kept == nil)
    }

    @Test func `resumed sessions are distinguished from new sessions`() throws {
        let subjects = try openings(
            try fixture { number in
                switch number {
                case 0..<10: Self.opened(.new, connect: 3, handshake: 9, query: 3)
                case 10..<70: Self.opened(.resumed, connect: 3, handshake: 5, query: 3)
                case 70..<95: Self.opened(.early, connect: 3, query: 4)
                default: .none(.timeout)
                }
            }.report
        )
        let tls = subjects.filter { $0.member?.name == "tls" }
        #expect(tls.map(\.opening?.use) == ["new", "resumed", "early"])
        #expect(tls.map(\.summary.answered) == [10, 60, 25])
        // The kind of a lost connection is unknown. The losses count with the most frequent kind, resumed
        // connections.
        #expect(tls.map(\.summary.count) == [10, 65, 25])
        #expect(tls.map(\.summary.median) == [15, 11, 7])
        #expect(tls[2].opening?.secured == nil)
        #expect(subjects.last?.opening?.use == "new")
    }

    @Test func `losses count as slower than all answers`() throws {
        for (lost, median) in [(40, 9.0), (60, nil)] {
            let report = try fixture { number in
                number < lost
                    ? .none(.timeout) : Self.opened(.new, connect: 2, handshake: 4, query: 3)
            }.report
            let tls = try openings(report)[2]
            #expect(tls.summary.median == median)
            #expect(tls.opening?.connected == median.map { _ in 2 })
        }
        // A query that waits for the connection of another query has no connection of its own. Its timeout
        // still counts as a loss.
        let silent = try openings(
            try fixture { number in
                var observation = Observation.none(.timeout)
                if number > 0 { observation.extras = .init(connection: .reused) }
                return observation
            }.report
        )[2]
        #expect(silent.summary.count == 100 && silent.summary.answered == 0)
    }

    @Test func `the chart exists only with first queries`() throws {
        let report = try fixture { _ in Self.opened(.new, connect: 3, handshake: 6, query: 3) }
            .report
        for text in [SVGFormat().render(report), HTMLFormat().render(report)] {
            #expect(text.contains(Self.heading))
            #expect(text.contains("cached names, encrypted connections kept"))
        }
        let alone = SVGFormat(only: .opening).render(report)
        #expect(alone.contains(Self.heading) && !alone.contains("Query time"))
        #expect(!SVGFormat(only: .bars).render(report).contains(Self.heading))
        let plain = try Fixture.lab().report
        #expect(plain.openingChart == nil)
        #expect(!SVGFormat().render(plain).contains(Self.heading))
        #expect(!HTMLFormat().render(plain).contains(Self.heading))
        let nothing = SVGFormat(only: .opening).render(plain)
        #expect(nothing.contains("No first queries of encrypted connections to show."))
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\u{1B}[2J\u{202E}", "a, b\nc", "",
        String(repeating: "x", count: 5000),
    ])
    func `labels remain text`(label: String) throws {
        let report = try fixture(label: label) { number in
            Self.opened(number < 5 ? .new : .resumed, connect: 3, handshake: 6, query: 3)
        }.report
        let text = SVGFormat(only: .opening).render(report)
        #expect(!text.contains("<script") && text.hasSuffix("</svg>\n"))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let subjects = try openings(report)
        for width in [20, 33, 80] {
            let lines = Table(openings: subjects).lines(width: width)
            #expect(lines.allSatisfy { $0.displayWidth <= width })
        }
    }

    @Test func `a history draws the chart from samples, and states that sums cannot`() throws {
        let fixture = try fixture { _ in Self.opened(.new, connect: 3, handshake: 6, query: 3) }
        let context = HistoryFixture.context(rounds: 0..<12)
        var timeline = HistoryTimeline(context: context, rounds: [])
        timeline.add(fixture.recording)
        let drawing = HistoryDrawing(.opening, of: timeline)
        #expect(!drawing.showsNothing && drawing.svg().contains(Self.heading))
        #expect(drawing.singles().map(\.name) == ["near"])
        let text = drawing.text(width: 80, height: 40, colour: false)
        #expect(text.contains("░ connect, ▒ handshake, █ query, ◆ query on a kept connection"))
        #expect(text.contains("First queries of a connection: near (quic) was fastest"))

        var summed = HistoryTimeline(context: context, rounds: [])
        for sum in HistoryFixture.sums(of: fixture.recording) { summed.add(sum) }
        let nothing = HistoryDrawing(.opening, of: summed)
        #expect(nothing.showsNothing && !nothing.isEmpty)
        #expect(
            nothing.text(width: 80, height: 40, colour: false).contains("--exact reads samples")
        )
    }

    @Test func `distributions have one chart per series and one plot per resolver`() throws {
        var fixture = try fixture { number in
            Self.opened(number < 5 ? .new : .resumed, connect: 3, handshake: 6, query: 3)
        }
        fixture.add("far", endpoint: "127.0.0.1:5312") { _ in .answer(9) }
        let charts = fixture.report.series.flatMap {
            fixture.report.charts(of: $0, only: .distribution)
        }
        #expect(
            charts.map(\.scope) == [
                "cached names, encrypted connections kept", "first queries of a connection",
            ]
        )
        let members = charts.map { $0.subjects.compactMap(\.member) }
        #expect(members[0].map(\.resolver) == ["near", "near", "near", "far"])
        #expect(members[1].map(\.name).sorted() == ["quic", "tls, resumed"])
        // The transport has the same place in both series.
        #expect(members[0][2].place == members[1].first { $0.name != "quic" }?.place)
    }
}
