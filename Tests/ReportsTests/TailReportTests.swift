import Analysis
import Fixtures
import Samples
import Statistics
import Testing

@testable import Reports

/// Thirty days in which three of nine names become 20 ms slower at one resolver.
struct TailReportTests {
    private static let rounds = 0..<1_440

    /// The fourth, fifth and sixth name are slow in the hours for which `isSlow` returns true.
    private func recording(
        rounds: Range<Int> = Self.rounds,
        _ isSlow: (Int) -> Bool
    ) throws -> Recording {
        var fixture = HistoryFixture()
        fixture.names = (1...9).map { "n\($0).example" }
        return try fixture.recording(rounds: rounds) { query in
            let base = [12.0, 20, 16][query.resolver] + Double(query.name) / 2
            let isLate = query.resolver == 0 && (3..<6).contains(query.name) && isSlow(query.hour)
            return .answer(base + query.noise + (isLate ? 20 : 0))
        }
    }

    private func report(_ recording: Recording, rounds: Range<Int> = Self.rounds) -> ChangesReport {
        let hours = HistoryHours(whole: recording, clock: HistoryFixture.berlin)
        return ChangesReport(of: hours, context: HistoryFixture.context(rounds: rounds))
    }

    private func explained(_ recording: Recording) -> ChangesReport {
        HistoryFixture.explained(recording, rounds: Self.rounds)
    }

    @Test func `slower names are reported with the change of the median and the cause`() throws {
        let report = explained(try recording { $0 >= 240 })
        for format in [OutputFormat.text, .csv, .json, .markdown] {
            let text = report.render(as: format, width: 100, colour: false)
            try Golden.expect(text, in: "tail.\(format.rawValue)")
        }
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1 && finding.change.kind == .slowerTail)
        #expect(finding.cause?.cause == .names)
        #expect(finding.markText == "18.5 ms slower at p90")
        let sentence = finding.sentence(clock: HistoryFixture.berlin)
        #expect(sentence.contains(" before, median unchanged). Cause: some of the names ("))
    }

    @Test func `a change of the median is reported with its size`() throws {
        var finding = try #require(report(try recording { $0 >= 240 }).findings.first)
        finding.change.medianMoved = 3.24
        let slower = finding.sentence(clock: .utc)
        #expect(slower.contains(" before, median 3.2 ms slower)."))
        finding.change.medianMoved = -3.24
        #expect(finding.sentence(clock: .utc).contains(" before, median 3.2 ms faster)."))
    }

    @Test func `a resolver with slower names is degraded until they recover`() throws {
        let slow = try recording { $0 >= 240 }
        let back = try recording { (240..<360).contains($0) }
        for (recording, state, words) in [
            (slow, ResolverHealth.State.slowerTail, "meadow was slower at p90 than before"),
            (back, .fine, "meadow was OK"),
        ] {
            let tally = WindowTally(whole: recording, by: .resolver, clock: HistoryFixture.berlin)
            let context = HistoryFixture.context(rounds: Self.rounds)
            let window = WindowReport(of: tally, context: context)
            let health = ResolverHealth(of: "meadow", in: window, changes: report(recording))
            #expect(health.state == state)
            #expect(health.words("meadow") == words)
        }
        let changes = explained(back).findings
        #expect(changes.map(\.change.kind) == [.slowerTail])
        #expect(changes.map(\.cause?.cause) == [.names] && changes[0].end != nil)
    }

    @Test func `alternating changes of the p90 are one line`() throws {
        let rounds = 0..<2_880
        let recording = try recording(rounds: rounds) { $0 / 120 % 2 == 1 }
        let text = report(recording, rounds: rounds)
            .render(as: .text, width: 200, colour: false)
        #expect(
            text.contains(#/One incident: meadow, p90 alternates between 1\d\.\d and 3\d\.\d ms/#)
        )
    }

    @Test func `a notice of a slower p90 is sent once`() throws {
        let recording = try recording { $0 >= 240 }
        let hours = HistoryHours(whole: recording, clock: .utc)
        let change = try #require(report(recording).findings.first?.change)
        let end = Timestamp(hoursSinceEpoch: change.establishedHour + 1)
        let judged = Changes(judging: hours, until: end)
        let rules = NoticeRules(past: [], now: end)
        let notice = try #require(rules.changes(in: judged, judged: nil).first)
        #expect(notice.kind == .slowerTail && notice.title == "meadow is slower at p90")
        #expect(notice.text(.utc).hasPrefix("meadow: 18.5 ms slower at p90 since 2026-03-2"))
        let told = SentNotice(
            target: notice.target,
            kind: "slower-tail",
            since: Timestamp(hoursSinceEpoch: change.hour - 6),
            sent: end,
            isDelivered: true
        )
        let again = NoticeRules(past: [told], now: end.advanced(by: .seconds(9000)))
        #expect(again.changes(in: judged, judged: nil) == [])
    }

    @Test func `every kind of change has a notice with its name`() {
        #expect(LevelChange.Kind.allCases.allSatisfy { Notice.Kind(rawValue: $0.rawValue) != nil })
    }
}
