import Analysis
import Fixtures
import Samples
import Statistics
import Testing

@testable import Reports

/// Thirty days. From a certain hour on, one resolver has fewer of ten names in its cache. Only its warm-ups
/// show the change.
struct CacheReportTests {
    private static let rounds = 0..<1_440

    /// Four of ten names are cache misses on average, and six in the hours for which `isEmptier` returns
    /// true. The number varies by one.
    private func recording(_ isEmptier: (Int) -> Bool) throws -> Recording {
        var fixture = HistoryFixture()
        fixture.names = (1...10).map { "n\($0).example" }
        return try fixture.recording(rounds: Self.rounds) { query in
            let base = [12.0, 20, 16][query.resolver] + Double(query.name) / 2
            var answer = Observation.answer(base + query.noise)
            guard query.name == 0 else { return answer }
            let usual = query.resolver == 0 && isEmptier(query.hour) ? 6.0 : 4
            let misses = UInt32(usual + 3 * query.noise - 1)
            answer.add(warmup: WarmupTally(hits: 10 - misses, misses: misses, missTime: 60_000_000))
            return answer
        }
    }

    private func hours(_ recording: Recording) -> HistoryHours {
        let hours = HistoryHours(whole: recording, clock: HistoryFixture.berlin)
        return hours
    }

    private func report(_ hours: HistoryHours) -> ChangesReport {
        ChangesReport(of: hours, context: HistoryFixture.context(rounds: Self.rounds))
    }

    @Test func `a cache with fewer names is reported without a cause`() throws {
        var report = report(hours(try recording { $0 >= 240 }))
        report.changes.explain(with: [], known: []) { _ in
            Issue.record("the samples of a change of the cache were asked for")
            return CauseHours(clock: .utc)
        }
        for format in [OutputFormat.text, .csv, .json, .markdown] {
            let text = report.render(as: format, width: 100, colour: false)
            try Golden.expect(text, in: "cache.\(format.rawValue)")
        }
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1 && finding.change.kind == .lessCached)
        #expect(report.changes.establishedCauses(besides: []) == [])
    }

    @Test func `hourly sums give the same change as samples`() throws {
        let recording = try recording { $0 >= 240 }
        var sums = HistoryHours(clock: HistoryFixture.berlin)
        for sum in HistoryFixture.sums(of: recording) { sums.add(sum) }
        let changes = report(sums).findings.map(\.change)
        #expect(changes.count == 1 && changes == report(hours(recording)).findings.map(\.change))
    }

    @Test func `a change over all transports of a resolver is reported once`() throws {
        var recording = try recording { $0 >= 240 }
        recording.targets[1].label = recording.targets[0].label
        recording.targets[1].transport = "tcp"
        for (index, sample) in recording.samples.enumerated() where sample.target == 1 {
            // In a round, the samples of one resolver follow those of another. The first resolver asked the
            // same name ten samples earlier.
            let first = recording.samples[index - 10].observation.extras?.warmup
            recording.samples[index].observation.add(warmup: first)
        }
        let report = report(hours(recording))
        #expect(report.findings.map(\.change.kind) == [.lessCached])
        let context = HistoryFixture.context(rounds: Self.rounds)
        let tally = WindowTally(whole: recording, by: .resolver, clock: HistoryFixture.berlin)
        let window = WindowReport(of: tally, context: context)
        #expect(ResolverHealth(of: "meadow", in: window, changes: report).state == .lessCached)
    }

    @Test func `a resolver is degraded until its cache has the names again`() throws {
        let empty = try recording { $0 >= 240 }
        let full = try recording { (240..<420).contains($0) }
        for (recording, state, words) in [
            (
                empty, ResolverHealth.State.lessCached,
                "meadow had fewer names in its cache than before"
            ), (full, .fine, "meadow was OK"),
        ] {
            let tally = WindowTally(whole: recording, by: .resolver, clock: HistoryFixture.berlin)
            let window = WindowReport(
                of: tally,
                context: HistoryFixture.context(rounds: Self.rounds)
            )
            let health = ResolverHealth(of: "meadow", in: window, changes: report(hours(recording)))
            #expect(health.state == state)
            #expect(health.words("meadow") == words)
        }
        let changes = report(hours(full)).findings
        #expect(changes.map(\.change.kind) == [.lessCached])
        let sentence = try #require(changes.last).sentence(clock: .utc)
        #expect(sentence.contains(/points fewer names in its cache from 2026-03-.* to 2026-04-0/))
    }

    @Test func `a notice of fewer cached names is sent once`() throws {
        let hours = hours(try recording { $0 >= 240 })
        let change = try #require(report(hours).findings.first?.change)
        let end = Timestamp(hoursSinceEpoch: change.establishedHour + 1)
        let judged = Changes(judging: hours, until: end)
        let notices = NoticeRules(past: [], now: end)
            .changes(in: judged, judged: nil)
        let notice = try #require(notices.first)
        #expect(notices.count == 1 && notice.kind == .lessCached)
        #expect(notice.title == "meadow has fewer names in its cache")
        #expect(
            notice.text(.utc)
                .hasPrefix("meadow: 19.0 points fewer names in its cache since 2026-03-")
        )
        let told = SentNotice(
            target: notice.target,
            kind: "less-cached",
            since: Timestamp(hoursSinceEpoch: change.hour - 6),
            sent: end,
            isDelivered: true
        )
        let again = NoticeRules(past: [told], now: end.advanced(by: .seconds(9000)))
        #expect(again.changes(in: judged, judged: nil) == [])
    }
}
