import Analysis
import Reports
import Samples
import Statistics
import Testing

/// Notices of a change. In twenty days, one resolver becomes 8 ms slower after ten days.
struct ChangeNoticeTests {
    private let hours: HistoryHours
    private let finding: ChangeFinding

    init() throws {
        var hours = HistoryHours(clock: .utc)
        let recording = try HistoryFixture().recording(rounds: 0..<960) { query in
            .answer([12.0, 20, 16][query.resolver] + query.noise + (Self.isSlow(query) ? 8 : 0))
        }
        hours.add(whole: recording)
        self.hours = hours
        let context = HistoryFixture.context(rounds: 0..<960, clock: .utc)
        finding = try #require(ChangesReport(of: hours, context: context).findings.first)
    }

    private static func isSlow(_ query: HistoryFixture.Query) -> Bool {
        query.resolver == 0 && query.hour >= 240
    }

    private func end(_ hours: Int) -> Timestamp {
        Timestamp(nanoseconds: Int64(finding.change.establishedHour + hours) * 3_600_000_000_000)
    }

    private func notices(
        hoursLater: Int,
        judgedHoursLater: Int? = nil,
        past: [SentNotice] = []
    ) -> [Notice] {
        let end = end(hoursLater)
        return NoticeRules(past: past, now: end)
            .changes(
                in: Changes(judging: hours, until: end),
                judged: judgedHoursLater.map { self.end($0) }
            )
    }

    private func told(_ kind: Notice.Kind, hoursOff: Int = 0, delivered: Bool = true) -> SentNotice
    {
        SentNotice(
            target: finding.target,
            kind: kind.rawValue,
            since: Timestamp(
                nanoseconds: Int64(finding.change.hour + hoursOff) * 3_600_000_000_000
            ),
            sent: end(1),
            isDelivered: delivered
        )
    }

    @Test func `a notice of a change mentions unverified answers`() throws {
        var hours = HistoryHours(clock: .utc)
        let fixture = HistoryFixture()
        var recording = try fixture.recording(rounds: 0..<960) { query in
            .answer([12.0, 20, 16][query.resolver] + query.noise + (Self.isSlow(query) ? 8 : 0))
        }
        for index in recording.samples.indices {
            recording.samples[index].observation.extras = .init(flags: .unverified)
        }
        hours.add(whole: recording)
        let notices = NoticeRules(past: [], now: end(1))
            .changes(in: Changes(judging: hours, until: end(1)), judged: nil)
        #expect(notices.map { $0.text(.utc).hasSuffix(". No certificate was verified.") } == [true])
    }

    @Test func `a change is reported once it is established`() throws {
        let notices = notices(hoursLater: 1)
        try #require(notices.count == 1)
        let notice = notices[0]
        #expect(notice.kind == .slower && notice.target.label == "meadow")
        #expect(notice.title == "meadow is slower")
        #expect(notice.text(.utc).hasPrefix("meadow: 8.0 ms slower since 2026-03-2"))
    }

    @Test func `a change is reported once, although later hours move its date`() {
        #expect(notices(hoursLater: 3, past: [told(.slower)]).isEmpty)
        #expect(notices(hoursLater: 3, past: [told(.slower, hoursOff: -6)]).isEmpty)
    }

    @Test func `a notice that later hours do not support is withdrawn once`() {
        let early = notices(hoursLater: 3, past: [told(.slower, hoursOff: -60)])
        #expect(early.map(\.kind) == [.slower, .withdrawn])
        let wrong = notices(hoursLater: 3, past: [told(.slower), told(.faster)])
        #expect(wrong.map(\.kind) == [.withdrawn])
        #expect(
            wrong.first?.text(.utc).hasSuffix(
                "' is withdrawn, because later hours do not support it."
            )
                == true
        )
        #expect(wrong.first?.title == "meadow: notice withdrawn: faster")
        #expect(
            notices(hoursLater: 3, past: [told(.slower), told(.faster), told(.withdrawn)]).isEmpty
        )
    }

    @Test func `a notice that was not delivered is sent again after an hour`() {
        let failed = told(.slower, delivered: false)
        #expect(notices(hoursLater: 1, past: [failed]).isEmpty)
        #expect(notices(hoursLater: 2, past: [failed]).count == 1)
    }

    @Test func `an old change is not reported, unless no round followed it`() {
        #expect(notices(hoursLater: 24).count == 1)
        #expect(notices(hoursLater: 25).isEmpty)
        #expect(notices(hoursLater: 90, judgedHoursLater: 0).count == 1)
        #expect(notices(hoursLater: 90, judgedHoursLater: 60).isEmpty)
    }
}
