import Analysis
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// Changes that are established at many places together.
struct FleetChangeTests {
    private static let rounds = 0..<672
    private static let hour = 324

    /// Two weeks of `places` places. At the first `slow` places, meadow is 6 ms slower in the last twelve
    /// hours. At the last `ofLine` places, all resolvers are slower, because the line of the place is slower.
    private func report(places: Int = 8, slow: Int, ofLine: Int = 0) throws -> ChangesReport {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        for place in 0..<places {
            var fixture = HistoryFixture()
            fixture.vantage = "place \(place + 1)"
            hours.add(
                whole: try fixture.recording(rounds: Self.rounds) { query in
                    let base = [12.0, 20, 16][query.resolver] + Double(place)
                    let cycle = 2 * sin(Double(query.hourOfDay) / 24 * 2 * .pi)
                    let isSlow =
                        place >= places - ofLine || query.resolver == 0 && place < slow
                    let step = isSlow && query.hour >= Self.hour ? 6.0 : 0
                    return .answer(base + cycle + step + query.noise)
                }
            )
        }
        return ChangesReport(of: hours, context: HistoryFixture.context(rounds: Self.rounds))
    }

    @Test func `a change at many places names the places`() throws {
        let report = try report(slow: 6)
        let fleet = try #require(report.changes.fleet?.first)
        let start = Int(HistoryFixture.start.nanoseconds / 3_600_000_000_000)
        #expect(fleet.target.label == "meadow" && fleet.hour == start + Self.hour)
        #expect(fleet.establishedHour - fleet.hour < 9)
        #expect(fleet.places == (1...6).map { "place \($0)" } && fleet.count == 8)
        #expect(report.changes.fleet?.count == 1)
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(
            text.hasPrefix(
                "meadow became slower at 6 of 8 places from 2026-03-29 13:00: place 1, place 2, "
            ) && text.contains(" and 1 more."),
            "\(text)"
        )
        // The text names 8 of 18 unchanged resolvers.
        #expect(text.replacing("\n", with: " ").contains(" and 10 more."), "\(text)")
        let json = report.render(as: .json, width: 100, colour: false)
        #expect(json.contains("\"fleet_changes\": ") && json.contains("\"places\": 8"))
    }

    @Test func `a place at which all resolvers are slower does not count`() throws {
        let report = try report(slow: 0, ofLine: 8)
        #expect(report.changes.fleet == [])
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(!text.contains("became slower"))
    }

    @Test func `incidents of one hour are in the order of their places`() throws {
        let report = try report(slow: 0, ofLine: 8)
        let places = report.changes.incidents.compactMap { incident -> String? in
            guard case .change(let group) = incident else { return nil }
            return group.members[0].subject.vantage
        }
        #expect(places == (1...8).map { "place \($0)" })
    }

    @Test func `few places are reported one by one`() throws {
        let report = try report(places: 4, slow: 4)
        #expect(report.changes.fleet == nil)
        #expect(!report.render(as: .json, width: 100, colour: false).contains("fleet_changes"))
    }
}
