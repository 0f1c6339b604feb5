import Analysis
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// Notices about an error budget that is used up too fast.
struct BudgetNoticeTests {
    private static let now = HistoryFixture.moment(round: 24)

    /// Twelve hours with a round every half hour. Brook exceeds the limit of 50 ms from round 12 on. No
    /// resolver answers in round 3.
    private func recording() throws -> Recording {
        try HistoryFixture().recording(rounds: 0..<24) { query in
            if query.resolver == 2, query.round >= 12 { return .answer(80) }
            return query.round == 3 ? .none(.timeout) : .answer(20)
        }
    }

    private func notices(past: [SentNotice] = [], interval: Double = 1800) throws -> [Notice] {
        let objective = try ServiceObjective(parsing: "p95 < 50ms", of: "--objective")
        let rounds = try CountedSamples(of: recording()).rounds(within: objective, from: "desk")
        return NoticeRules(past: past, now: Self.now)
            .burning(objective, rounds, by: BurnRule.rules(interval: interval))
    }

    @Test func `the rounds of one place are counted, without excluded rounds`() throws {
        let objective = try ServiceObjective(parsing: "p95 < 50ms", of: "--objective")
        let rounds = try CountedSamples(of: recording()).rounds(within: objective, from: "desk")
        #expect(rounds.count == 3 && rounds.values.allSatisfy { $0.count == 23 })
        let brook = try #require(rounds.first { $0.key.label == "brook" }?.value)
        #expect(
            brook.map(\.count.within) == Array(repeating: 2, count: 11)
                + Array(repeating: 0, count: 12)
        )
        #expect(brook.last?.start == HistoryFixture.moment(round: 23).nanoseconds)
        #expect(
            try CountedSamples(of: recording()).rounds(within: objective, from: "elsewhere").isEmpty
        )
    }

    @Test func `a notice states the burn rate, its start, and that it continues`() throws {
        let notices = try notices()
        try #require(notices.count == 1)
        #expect(notices[0].kind == .budgetBurning && notices[0].target.label == "brook")
        #expect(notices[0].title == "brook uses up its error budget")
        #expect(
            notices[0].text(HistoryFixture.berlin)
                == "brook uses up the error budget of p95 < 50 ms 20.0 times as fast as it allows: "
                + "late or failed were 24 of 24 queries since 2026-03-16 06:00, and 6 of 6 queries since "
                + "2026-03-16 10:30."
        )
        let document = NoticeDocument(
            notices,
            vantage: "desk",
            now: Self.now,
            clock: HistoryFixture.berlin,
            toolVersion: "1"
        )
        #expect(document.json.contains("\"kind\": \"budget-burning\""))
        #expect(document.json.contains("\"burn_rate\": 20.0"))
    }

    @Test(arguments: [(5.9, 0), (6.1, 1)])
    func `a burn rate is reported again after six hours`(hoursAgo: Double, count: Int) throws {
        let target = try #require(try recording().targets.first { $0.label == "brook" })
        let sent = Self.now.advanced(by: .seconds(-3600 * hoursAgo))
        let past = SentNotice(
            target: target,
            kind: "budget-burning",
            since: sent,
            sent: sent,
            isDelivered: true
        )
        #expect(try notices(past: [past]).count == count)
    }

    @Test func `rounds that are too far apart for the windows give no notice`() throws {
        #expect(try notices(interval: 60).isEmpty)
    }
}
