import Analysis
import Fixtures
import Samples
import Testing

@testable import Reports

/// Rounds that a window does not contain, or that contain no information.
extension WindowReportTests {
    @Test func `rounds without information are excluded and named`() throws {
        let document = try document(try report(by: .resolver))
        let rows = try #require(document["rows"] as? [[String: Any]])
        let meadow = try #require(rows.first { $0["name"] as? String == "meadow" })
        // 336 rounds of two names, without 16 missing rounds, 3 rounds of an outage, and 2 rounds without a
        // route. In the rounds without a route, no query was sent.
        #expect(meadow["sent"] as? Int == 2 * (336 - 16 - 3 - 2))
        #expect(meadow["timeouts"] as? Int == 0 && meadow["offline"] as? Int == 4)
        func spans(_ key: String) throws -> [String] {
            try #require(document[key] as? [[String: Any]]).map { span in
                "\(span["since"] ?? "") \(span["until"] ?? "") \(span["rounds"] ?? "")"
            }
        }
        #expect(
            try spans("outages") == ["2026-03-23T19:00:00.000000Z 2026-03-23T20:00:00.000000Z 3"]
        )
        #expect(
            try spans("offline") == ["2026-03-24T05:00:00.000000Z 2026-03-24T05:30:00.000000Z 2"]
        )
        #expect(
            try spans("gaps") == ["2026-03-25T00:30:00.000000Z 2026-03-25T09:00:00.000000Z 16"]
        )
        let codes = try #require(document["notes"] as? [[String: String]]).map { $0["code"] }
        #expect(codes == ["offline-rounds", "outages", "gaps", "clock-change"])
    }

    @Test func `rounds and samples may have different sources`() throws {
        let rounds = Self.week.filter { !(420..<424).contains($0) }.map { round in
            RoundMoment(
                vantage: "desk",
                started: HistoryFixture.moment(round: round),
                marks: round == 500 ? .outage : []
            )
        }
        var tally = WindowTally(by: .resolver, clock: .utc, rounds: rounds)
        tally.add(try HistoryFixture.week())
        let context = HistoryFixture.context(rounds: Self.week, clock: .utc)
        let document = try document(WindowReport(of: tally, context: context))
        #expect(document["rounds"] as? Int == 332)
        #expect((document["outages"] as? [Any])?.count == 1)
        #expect((document["offline"] as? [Any])?.isEmpty == true)
        let gaps = try #require(document["gaps"] as? [[String: Any]])
        #expect(gaps.map { $0["rounds"] as? Int } == [4])
    }

    @Test func `a round with a suspension is excluded`() throws {
        var recording = try HistoryFixture.week()
        let place = try #require(recording.rounds.firstIndex { $0.number == 340 })
        recording.rounds[place].marks = .suspended
        var tally = WindowTally(by: .resolver, clock: .utc)
        tally.add(whole: recording)
        let context = HistoryFixture.context(rounds: Self.week, clock: .utc)
        let report = WindowReport(of: tally, context: context)
        let told = report.notes.filter { $0.code == "suspended" }.map(\.text)
        let text = "The machine was suspended in 1 round: "
        #expect(told.count == 1 && told[0].hasPrefix(text), "\(told)")
        #expect(try rows(report).allSatisfy { $0["sent"] as? Int == 2 * (336 - 16 - 3 - 2 - 1) })
    }

    @Test func `hourly sums with a half-hour clock are noted`() throws {
        let summed = try report(by: .day, sums: true, clock: HistoryFixture.kolkata)
        #expect(summed.notes.contains { $0.code == "partial-hours" })
        let exact = try report(by: .day, clock: HistoryFixture.kolkata)
        #expect(!exact.notes.contains { $0.code == "partial-hours" })
    }

    @Test func `a report without rounds says so`() throws {
        let tally = WindowTally(by: .hour, clock: .utc)
        let context = HistoryFixture.context(rounds: Self.week, clock: .utc)
        let text = WindowReport(of: tally, context: context)
            .render(as: .text, width: 100, colour: false)
        #expect(text.hasPrefix("Nothing was measured from 2026-03-22 23:00 to") == true)
    }
}
