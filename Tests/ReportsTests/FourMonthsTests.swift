import Analysis
import Fixtures
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// Four months of five resolvers with known incidents: an outage of the line, a slow week of the line, the
/// drift of one resolver, and a step of another one.
struct FourMonthsTests {
    private static let labels = ["quad9", "google", "cloud", "isp", "dns0"]
    private static let levels = [14.0, 18, 12, 9, 25]
    private static let days = 119
    private static let rounds = 0..<(48 * days)

    private static let outage = 42 * 48 + 6..<42 * 48 + 13
    private static let slowWeek = 65 * 48 + 8..<72 * 48 + 8
    private static let drift = 85 * 48
    private static let step = 101 * 48 + 28

    private static let history = HistoryFixture(
        labels: labels,
        names: ["example.com", "example.net", "example.org"],
        endpoints: ["9.9.9.9:53", "8.8.8.8:53", "1.1.1.1:53", "203.0.113.1:53", "193.110.81.0:53"]
    )

    /// The hours of the months. Each level wanders slowly, and each answer has a skewed delay.
    private static func hours(seed: UInt64) throws -> HistoryHours {
        var random = SplitMix64(seed: seed)
        var wander = [Double](repeating: 0, count: labels.count)
        var round = -1
        let recording = try history.recording(rounds: rounds) { query in
            if query.round != round {
                round = query.round
                if round % 2 == 0 {
                    for index in wander.indices {
                        wander[index] = 0.9 * wander[index] + 0.2 * random.normal()
                    }
                }
            }
            let isLost = Double.random(in: 0..<1, using: &random) < 0.002
            let delay = exp(0.6 * random.normal())
            if isLost || outage.contains(round) { return .none(.timeout) }
            var level = levels[query.resolver] + wander[query.resolver] + delay
            level += 1.2 * sin((Double(query.hourOfDay) - 14) / 12 * .pi)
            if slowWeek.contains(round) { level += 8 }
            let driftDays = Double(round - drift) / 48
            if query.resolver == 0, driftDays > 0 { level += min(9, 0.35 * driftDays) }
            if query.resolver == 1, round >= step { level += 5 }
            return .answer(level)
        }
        return HistoryHours(whole: recording, clock: .utc)
    }

    private static let context = HistoryFixture.context(rounds: rounds, clock: .utc)

    /// Whether `hour` since 1970 is at most an hour from the start of a round.
    private func isNear(_ hour: Int?, _ round: Int) -> Bool {
        hour.map { abs($0 - HistoryFixture.moment(round: round).hoursSinceEpoch) <= 1 } ?? false
    }

    /// Returns whether the intervals of the slow week's members, of the drift and of the step contain the true
    /// sizes.
    private func covered(by report: ChangesReport) throws -> [Bool] {
        let incidents = report.changes.incidents
        #expect(incidents.count == 4, "\(incidents.sentences(clock: .utc))")

        let outages = incidents.compactMap(\.outage)
        let outage = try #require(outages.first)
        #expect(outages.count == 1)
        #expect(outage.subject == nil)
        #expect(outage.start == HistoryFixture.moment(round: Self.outage.lowerBound))
        #expect(outage.end == HistoryFixture.moment(round: Self.outage.upperBound))

        let groups = incidents.compactMap { incident -> ChangeGroup? in
            guard case .change(let group) = incident else { return nil }
            return group
        }
        let week = try #require(groups.first { $0.scope == .line })
        #expect(isNear(week.start, Self.slowWeek.lowerBound))
        #expect(isNear(week.end, Self.slowWeek.upperBound))
        #expect(week.members.count == 5)

        let drift = try #require(groups.first { $0.kind == .drift })
        #expect(drift.members.map(\.target.label) == ["quad9"])

        let step = try #require(groups.first { $0.scope == .one && $0.kind == .step })
        #expect(step.members.map(\.target.label) == ["google"])
        #expect(isNear(step.start, Self.step))
        #expect(step.end == nil)

        return week.members.map { $0.change.interval.contains(8) }
            + [
                drift.members[0].change.interval.contains(9),
                step.members[0].change.interval.contains(5),
            ]
    }

    @Test func `each incident is found once, with its size`() throws {
        let seeds = 1...12
        var covered = [Int](repeating: 0, count: 7)
        for seed in seeds {
            let report = ChangesReport(
                of: try Self.hours(seed: UInt64(seed)),
                context: Self.context
            )
            for (index, isCovered) in try self.covered(by: report).enumerated() where isCovered {
                covered[index] += 1
            }
        }
        // With intervals of 95 %, fewer than 9 of 12 happen by chance once in 450 times.
        #expect(covered.allSatisfy { $0 >= 9 }, "\(covered)")
    }
}
