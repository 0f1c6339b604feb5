import Analysis
import Charts
import DNSWire
import Fixtures
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// Windows in which resolvers were queried over several transports.
struct TransportHistoryTests {
    /// The data and the length of a window.
    enum Source: CaseIterable {
        /// A day of samples. Rounds are the unit of the evidence.
        case day
        /// Ten days, read from samples or from hourly sums.
        case samples, sums

        var rounds: Range<Int> { self == .day ? 0..<48 : 0..<480 }
    }

    private func report(
        _ source: Source,
        by grouping: WindowGrouping = .resolver,
        of asked: [TransportHistory.Asked] = TransportHistory.asked
    ) throws -> WindowReport {
        let recording = try TransportHistory.recording(rounds: source.rounds, of: asked)
        let rounds = TransportHistory.rounds(source.rounds)
        var tally = WindowTally(by: grouping, clock: HistoryFixture.berlin, rounds: rounds)
        if grouping.tellsTransports {
            tally.evidence = TransportEvidence(among: recording.targets, rounds: rounds)
        }
        if source == .sums {
            for sum in HistoryFixture.sums(of: recording) { tally.add(sum) }
        } else {
            tally.add(recording)
        }
        return WindowReport(of: tally, context: HistoryFixture.context(rounds: source.rounds))
    }

    private func document(_ report: some Report) throws -> [String: Any] {
        let text = report.render(as: .json, width: 80, colour: false)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
    }

    // MARK: - Layout

    @Test(arguments: [
        (Source.day, WindowGrouping.resolver, OutputFormat.text),
        (.sums, .resolver, .text), (.sums, .resolver, .markdown), (.samples, .transport, .text),
        (.day, .vantage, .text),
    ])
    func `the transports of a resolver are listed below it`(
        source: Source,
        grouping: WindowGrouping,
        format: OutputFormat
    ) throws {
        let text = try report(source, by: grouping).render(as: format, width: 80, colour: false)
        try Golden.expect(text, in: "transports-\(source)-\(grouping.rawValue).\(format.rawValue)")
    }

    @Test func `a page repeats the resolver in every row, because rows can be sorted`() throws {
        let page = try report(.sums).render(as: .html)
        #expect(page.contains(">over<"))
        let rows = page.matches(of: /<th[^>]*>(near|far|mid)</)
        #expect(rows.count { $0.1 == "near" } >= 5 && rows.count { $0.1 == "far" } >= 3)
        #expect(page.contains("What encryption costs here"))
        #expect(page.contains("near over TLS vs UDP"))
    }

    @Test(arguments: Source.allCases)
    func `with one transport per resolver, no transport is shown`(source: Source) throws {
        let alone = TransportHistory.asked.filter { $0.transport == "udp" }
        for format in [OutputFormat.text, .markdown, .json, .html] {
            let text = try report(source, of: alone).render(as: format, width: 80)
            #expect(!text.contains("ncryption"))
            #expect(!text.contains("near (") && !text.contains("handshake"))
            #expect(!text.contains(format == .html ? ">over<" : "| over |"))
        }
        let rows = try report(source, of: alone).rows.map(\.figures.name)
        #expect(rows == ["near", "mid", "far"])
    }

    // MARK: - Figures

    @Test(arguments: Source.allCases)
    func `the cost of encryption is reported for every window`(source: Source) throws {
        let costs = try report(source).encryption
        // The best resolver comes first, as in the table.
        #expect(costs.map(\.label) == ["near", "near", "far"])
        #expect(costs.map(\.encrypted) == ["tls", "h3", "tls"])
        #expect(costs.map(\.plain) == ["udp", "udp", "udp"])
        let unit = costs.map(\.comparison.unit)
        #expect(unit.allSatisfy { $0 == (source == .day ? .round : .hour) })
        let tolerance = source == .day ? 0.15 : 0.55
        for (cost, (added, opening)) in zip(costs, [(2.0, 42.0), (1, 26), (3, 75)]) {
            let known = try #require(cost.added)
            #expect(abs(known - added) < tolerance)
            // Quantiles of sketches have an error of 1 %, which the interval includes.
            let interval = cost.addedInterval
            #expect(try #require(interval.lower) < added && added < #require(interval.upper))
            let once = try #require(cost.connections.cost)
            #expect(abs(once - opening) < 0.02 * (opening + 40))
            #expect(cost.connections.resumed == source.rounds.count * 2 / 3)
        }
        let carried = try #require(costs.first?.connections.queriesPerConnection)
        let opened = source == .day ? 1 : 10
        #expect(carried == Double(source.rounds.count * 2) / Double(opened))
    }

    @Test(arguments: Source.allCases)
    func `the parts of first queries are reported as measured`(source: Source) throws {
        let rows = try report(source).rows.map(\.figures).filter { $0.target.series == .first }
        #expect(rows.map(\.target.transport) == ["tls", "h3", "tls"])
        for (row, known) in zip(rows, [(12.0, 30.0, 14.1), (nil, 26, 13.1), (25, 50, 28.1)]) {
            let parts = try #require(row.parts)
            let exact = source != .sums
            func isClose(_ value: Double, _ other: Double) -> Bool {
                abs(value - other) <= (exact ? 0.02 : 0.012) * other
            }
            #expect((parts.connect == nil) == (known.0 == nil))
            #expect(isClose(parts.connect ?? 1, known.0 ?? 1))
            #expect(isClose(parts.handshake, known.1) && isClose(parts.query, known.2))
            if exact { #expect(parts.connect == known.0 && parts.handshake == known.1) }
            #expect(row.connections?.uses[.resumed] == source.rounds.count * 2 / 3)
        }
    }

    @Test func `hourly sums have the same connections as samples`() throws {
        let (exact, summed) = (try document(report(.samples)), try document(report(.sums)))
        let rows = try [exact, summed].map { try #require($0["rows"] as? [[String: Any]]) }
        try #require(rows[0].count == rows[1].count)
        for (left, right) in zip(rows[0], rows[1]) {
            #expect(left["connections"] as? [String: Int] == right["connections"] as? [String: Int])
            for key in ["median_connect_ms", "median_handshake_ms", "median_query_ms"] {
                let values = [left, right].map { $0[key] as? Double }
                guard let value = values[0], let other = values[1] else {
                    #expect(values[0] == values[1])
                    continue
                }
                #expect(abs(value - other) <= 0.0101 * value)
            }
        }
        let costs = try [exact, summed].map { try #require($0["encryption"] as? [[String: Any]]) }
        for (left, right) in zip(costs[0], costs[1]) {
            for key in ["unit", "resolver", "plain", "encrypted", "series"] {
                #expect(left[key] as? String == right[key] as? String)
            }
            for key in ["rounds", "pairs", "connections_opened", "connections_resumed"] {
                #expect(left[key] as? Int == right[key] as? Int && left[key] is Int)
            }
            #expect(
                left["queries_per_connection"] as? Double
                    == right["queries_per_connection"] as? Double
            )
            let once = try [left, right].map { try #require($0["connection_ms"] as? Double) }
            #expect(abs(once[0] - once[1]) <= 0.0101 * (once[0] + 60))
        }
    }

    @Test func `samples at the edges of hourly sums are added to them`() throws {
        let whole = try TransportHistory.recording(rounds: 0..<480)
        let edge = try TransportHistory.recording(rounds: 480..<481)
        var tally = WindowTally(by: .resolver, clock: HistoryFixture.berlin)
        for sum in HistoryFixture.sums(of: whole) { tally.add(sum) }
        tally.add(whole: edge)
        let report = WindowReport(of: tally, context: HistoryFixture.context(rounds: 0..<481))
        let near = try #require(report.rows.map(\.figures).first { $0.target.series == .first })
        let uses = try #require(near.connections?.uses)
        #expect(uses.values.reduce(0, +) == 962)
        #expect(abs((near.parts?.handshake ?? 0) / 30 - 1) <= 0.0101)
    }

    @Test func `the overview of a week shows the cost of encryption`() throws {
        let rounds = 0..<336
        let context = HistoryFixture.context(rounds: rounds)
        let recording = try TransportHistory.recording(rounds: rounds)
        let evidence = TransportEvidence(
            among: recording.targets,
            rounds: TransportHistory.rounds(rounds)
        )
        let moments = TransportHistory.rounds(rounds)
        var tally = OverviewTally(context, rounds: moments, evidence: evidence)
        tally.add(recording)
        let overview = OverviewReport(of: tally, inUse: "near", rules: .init(), context: context)
        let costs = try #require(try document(overview)["encryption"] as? [[String: Any]])
        #expect(costs.map { $0["encrypted"] as? String } == ["tls", "h3", "tls"])
        let links: PageLinks = (
            resolver: { "/\($0)" }, comparison: { "/\($0)/\($1)" }, place: { "/?\($0)" }
        )
        let page = try #require(overview.week).fragments(links, inUse: "near")
            .map(\.markup).joined()
        #expect(page.contains(">over<") && page.contains(">near, first</a>"))
        #expect(page.contains("What encryption costs here"))
        #expect(page.contains(">30.0&nbsp;ms<"))
    }

    @Test func `the timeline of a resolver shows the cost of encryption`() throws {
        let rounds = 0..<96
        let context = HistoryFixture.context(rounds: rounds)
        let near = TransportHistory.asked.filter { $0.label == "near" }
        let recording = try TransportHistory.recording(rounds: rounds, of: near)
        var timeline = HistoryTimeline(context: context, rounds: TransportHistory.rounds(rounds))
        timeline.evidence = TransportEvidence(
            among: recording.targets,
            rounds: TransportHistory.rounds(rounds)
        )
        timeline.add(recording)
        let report = TimelineReport(of: timeline)
        #expect(
            report.timelines.map(\.name) == [
                "near (udp), cached", "near (tls), cached", "near (h3), cached",
                "near (tls), first", "near (h3), first",
            ]
        )
        let page = report.fragments(next: .nothing).map(\.markup).joined()
        #expect(page.contains("What encryption costs here") && page.contains(">30.0&nbsp;ms<"))
        #expect(page.contains("First queries of a connection: near (h3) was fastest"))
        let document = try document(report)
        #expect((document["encryption"] as? [Any])?.count == 2)
        let resolvers = try #require(document["resolvers"] as? [[String: Any]])
        #expect(resolvers.map { $0["median_handshake_ms"] as? Double } == [nil, nil, nil, 30, 26])
    }

    @Test func `bars of a terminal have a table for first queries`() throws {
        let rounds = 0..<96
        var timeline = HistoryTimeline(
            context: HistoryFixture.context(rounds: rounds),
            rounds: TransportHistory.rounds(rounds)
        )
        timeline.add(try TransportHistory.recording(rounds: rounds))
        let text = HistoryDrawing(.bars, of: timeline).text(width: 80, height: 40, colour: false)
        try Golden.expect(text, in: "transports-bars.txt")
    }

    @Test func `a comparison of windows lists transports below resolvers`() throws {
        var hours = [0..<96, 96..<192].map { _ in HistoryHours(clock: HistoryFixture.berlin) }
        for (index, rounds) in [0..<96, 96..<192].enumerated() {
            hours[index].add(whole: try TransportHistory.recording(rounds: rounds))
        }
        let report = WindowDiffReport(
            before: hours[0],
            now: hours[1],
            context: HistoryFixture.context(rounds: 96..<192)
        )
        let text = report.render(as: .text, width: 80, colour: false)
        try Golden.expect(text, in: "transports-against.txt")
    }
}
