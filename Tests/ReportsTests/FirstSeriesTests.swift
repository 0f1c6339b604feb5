import Analysis
import Charts
import DNSWire
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// First queries in reports. Their time is the time to the first answer. The report also shows its parts.
struct FirstSeriesTests {
    /// Two resolvers over TLS. `near` has the shorter query time, and `far` has the shorter time to the first
    /// answer.
    private func fixture(rounds: Int = 12) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "near"
        fixture.add("near", transport: "tls", outcome: Fixture.noise(2, 0.5, seed: 1))
        fixture.add(
            "far",
            endpoint: "127.0.0.1:5312",
            transport: "tls",
            outcome: Fixture.noise(9, 0.5, seed: 2)
        )
        fixture.add(
            "near",
            transport: "tls",
            series: .first,
            outcome: opening(10, 20, Fixture.noise(2, 0.5, seed: 1))
        )
        fixture.add(
            "far",
            endpoint: "127.0.0.1:5312",
            transport: "tls",
            series: .first,
            outcome: opening(1, 2, Fixture.noise(9, 0.5, seed: 2))
        )
        return fixture
    }

    private func opening(
        _ connect: Double?,
        _ handshake: Double,
        _ query: @escaping (Int) -> Observation
    ) -> (Int) -> Observation {
        { number in
            var observation = query(number)
            observation.extras = .init(
                connect: connect.map { Int64($0 * 1e6) },
                handshake: Int64(handshake * 1e6),
                connection: number % 3 == 0 ? .resumed : .new
            )
            return observation
        }
    }

    @Test func `a transport that connects in the handshake has no connect time`() throws {
        var fixture = try Fixture(rounds: 40)
        fixture.add(
            "near",
            endpoint: "127.0.0.1:5313",
            transport: "quic",
            series: .first,
            outcome: opening(nil, 3, Fixture.noise(9, 0.5, seed: 3))
        )
        let report = fixture.report
        let row = try #require(report.rows(of: .first).first)
        #expect(row.parts?.connect == nil)
        #expect(row.parts?.handshake == 3)
        let lines = ResolverColumns(rows: [row]).openings.lines(width: 100)
        #expect(lines.last?.contains("–") == true)
    }

    @Test func `summary, ranks and verdicts use the first answer`() throws {
        let report = try fixture().report
        #expect(report.series == [.cached, .first])
        #expect(report.rows(of: .cached).map(\.target.label) == ["near", "far"])
        let rows = report.rows(of: .first)
        #expect(rows.map(\.target.label) == ["far", "near"])
        #expect(rows.map(\.rank) == [1...1, 2...2])
        let medians = rows.map { $0.latency.median ?? 0 }
        #expect(medians[0] > 11 && medians[0] < 14 && medians[1] > 31 && medians[1] < 34)
        let comparison = try #require(report.evidence(of: .first)?.candidates.first?.comparison)
        #expect(comparison.verdict == .switch)
        let difference = try #require(comparison.medianDifference)
        #expect(difference > 18 && difference < 22)
        #expect(report.evidence(of: .cached)?.candidates.first?.comparison.verdict == .keep)
    }

    @Test func `charts draw the first answer`() throws {
        let report = try fixture().report
        let times = try #require(report.charts(of: .first, only: .rounds).first).subjects[1]
        #expect(times.answers.count == 120 && times.answers.allSatisfy { $0 > 31 })
        let points = times.rounds.flatMap(\.points).compactMap(\.milliseconds)
        #expect(points.count == 120 && points.allSatisfy { $0 > 31 })
    }

    @Test func `two runs are compared by their first answers`() throws {
        let rounds = RunRounds(of: CountedSamples(of: try fixture().recording))
        let first = try #require(rounds.subjects.last)
        #expect(first.series == .first)
        for outcome in rounds.rounds.flatMap({ ($0[first] ?? [:]).values }) {
            guard case .answered(let time) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(time > 11)
        }
        #expect(rounds.rounds.count == 12)
    }

    @Test func `windows of history have the first answer and its parts`() throws {
        let fixture = try fixture()
        var tally = WindowTally(by: .resolver, clock: HistoryFixture.berlin)
        tally.add(whole: fixture.recording)
        let context = HistoryFixture.context(rounds: 0..<12)
        let rows = WindowReport(of: tally, context: context).rows.map(\.figures)
        let near = try #require(rows.last)
        #expect(near.target.series == .first && near.latency.minimum ?? 0 > 31)
        #expect(near.parts?.handshake == 20)
        let hours = HistoryHours(whole: fixture.recording, clock: HistoryFixture.berlin)
        let totals = hours.timelines.filter { $0.subject.target.series == .first }
            .compactMap { $0.total().answers.min() }
        #expect(totals.allSatisfy { $0 > 11 } && totals.count == 2)
        var timeline = HistoryTimeline(context: context, rounds: [], isHourly: true)
        timeline.add(fixture.recording)
        let bins = timeline.bins.filter { $0.key.target.series == .first }.flatMap(\.value)
        #expect(!bins.isEmpty && bins.allSatisfy { $0.latency.minimum ?? 0 > 11 })
    }

    @Test func `every format shows the parts of the first answer`() throws {
        let report = try fixture().report
        let text = TextFormat(width: 100).render(report)
        let lines = text.split(separator: "\n")
        let head = try #require(lines.firstIndex { $0.hasPrefix("  medians of") })
        let cells = lines[head + 1].split(separator: " ")
        #expect(cells[0] == "far" && cells[1] == "1.0" && cells[3] == "2.0")
        #expect(lines[head + 1].hasSuffix("80 new, 40 resumed"))
        #expect(lines.count { $0.hasPrefix("  medians of") } == 1)
        let markdown = MarkdownFormat().render(report)
        #expect(markdown.contains("| median | connect | handshake | query | p95 |"))
        #expect(markdown.contains("| 1.0 ms | 2.0 ms | 9."))
        #expect(HTMLFormat().render(report).contains("handshake"))
        let csv = CSVFormat().render(report).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let column = try #require(csv[0].firstIndex(of: "median_handshake_ms"))
        let uses = try #require(csv[0].firstIndex(of: "connections"))
        #expect(csv.dropFirst().map { $0[column] } == ["", "", "2.000", "20.000"])
        #expect(
            csv.dropFirst().map { $0[uses] } == ["", "", "new 80 resumed 40", "new 80 resumed 40"]
        )
        let json = try JSONSerialization.jsonObject(with: Data(JSONFormat().render(report).utf8))
        let rows = try #require((json as? [String: Any])?["resolvers"] as? [[String: Any]])
        #expect(rows.map { $0["median_connect_ms"] as? Double } == [nil, nil, 1, 10])
        #expect((rows[2]["connections"] as? [String: Int]) == ["new": 80, "resumed": 40])
        #expect(rows[0]["connections"] == nil)
    }

    @Test func `without first queries of the baseline another transport is the baseline`() throws {
        var fixture = try fixture()
        fixture.targets[0].transport = "udp"
        let evidence = fixture.report.evidence(of: .first)
        #expect(evidence?.baseline == 2)
        #expect(fixture.report.rows.filter(\.isBaseline).map(\.target.series) == [.cached, .first])
    }

    @Test func `a resolver with unverified answers is marked`() throws {
        var fixture = try Fixture(rounds: 8)
        fixture.add("blind", transport: "tls") { number in
            var observation = Observation.answer(5)
            observation.extras = .init(connection: .reused, flags: number == 0 ? .unverified : [])
            return observation
        }
        fixture.add("plain", outcome: Fixture.noise(9, 1, seed: 1))
        let report = fixture.report
        #expect(report.rows[0].remarks(nil) == "not verified")
        #expect(report.rows[1].remarks(nil).isEmpty)
        let csv = CSVFormat().render(report).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let column = try #require(csv[0].firstIndex(of: "unverified"))
        #expect(csv[1][column] == "1" && csv[2][column] == "")
    }

    @Test(arguments: [(8, false), (9, false), (40, true)])
    func `reopened connections are noted`(opened: Int, isTold: Bool) throws {
        var fixture = try Fixture(rounds: 8)
        fixture.add("kept", transport: "tls") { number in
            var observation = Observation.answer(5)
            observation.extras = .init(connection: number < opened ? .new : .reused)
            return observation
        }
        #expect(fixture.report.warnings.map(\.code).contains("reopened") == isTold)
    }
}
