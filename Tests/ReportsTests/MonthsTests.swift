import Analysis
import Samples
import Statistics
import Testing

@testable import Reports

/// Two months of four kinds of users, and the conclusions from these months.
struct MonthsTests {
    enum Month: String, CaseIterable {
        /// All resolvers are 3 ms slower at weekends, on a noisy line.
        case home
        /// One resolver becomes 6 ms slower on a day of the second month.
        case administrator
        /// Two sites of one resolver answer in turn, for five days each.
        case observer
        /// One resolver loses six times as many queries in the second month.
        case researcher

        func outcome(_ query: HistoryFixture.Query) -> Observation {
            let day = query.round / 48
            let base = [11.0, 20, 15][query.resolver] + (self == .home ? 8 : 2) * query.noise
            switch self {
            case .home: return .answer(base + (day % 7 >= 5 ? 3 : 0))
            case .administrator:
                return .answer(base + (query.resolver == 1 && day >= 41 ? 6 : 0))
            case .observer:
                let isFar = query.resolver == 0 && day / 5 % 2 == 1
                return .answer(base + (isFar ? 25 : 0))
            case .researcher:
                let share = query.resolver == 2 ? (day >= 30 ? 0.03 : 0.005) : 0
                return query.noise < share ? .none(.timeout) : .answer(base)
            }
        }

        func hours(_ rounds: Range<Int>) throws -> HistoryHours {
            var hours = HistoryHours(clock: .utc)
            hours.add(whole: try HistoryFixture().recording(rounds: rounds, outcome: outcome))
            return hours
        }
    }

    private static let half = 30 * 48
    private static let second = HistoryFixture.context(rounds: half..<(2 * half), clock: .utc)

    private func changes(_ month: Month) throws -> ChangesReport {
        ChangesReport(of: try month.hours(0..<(2 * Self.half)), context: Self.second)
    }

    private func against(_ month: Month) throws -> WindowDiffReport {
        WindowDiffReport(
            before: try month.hours(0..<Self.half),
            now: try month.hours(Self.half..<(2 * Self.half)),
            context: Self.second
        )
    }

    private func comparison(_ month: Month) throws -> ComparisonReport {
        let baseline = WindowBaseline("harbour", isInUse: true, rules: ComparisonRules())
        return ComparisonReport(
            ofHours: try month.hours(Self.half..<(2 * Self.half)),
            against: baseline,
            window: Self.second
        )
    }

    private func facts(of report: some Report) -> [String] {
        report.document.sections.flatMap { [$0.headline] + $0.facts }
    }

    @Test func `weekends at home are not a change`() throws {
        let report = try changes(.home)
        #expect(report.findings.isEmpty && report.changes.unchanged.count == 3)
        #expect(facts(of: report).first == "No incident was found.")
        #expect(!facts(of: try against(.home)).joined().contains("slower"))
    }

    @Test func `a step is one change, with its size and its hour`() throws {
        let report = try changes(.administrator)
        let change = try #require(report.findings.first?.change)
        #expect(report.findings.count == 1 && report.findings.first?.name == "harbour")
        #expect(abs(change.size - 6) < 0.5)
        let begun = HistoryFixture.moment(round: 41 * 48).hoursSinceEpoch
        #expect(abs(change.hour - begun) <= 3)
        let headline = try #require(facts(of: report).first)
        #expect(headline.contains(#/^One incident: harbour, 6\.\d ms slower since /#))
    }

    @Test func `two alternating sites are one line`() throws {
        let told = facts(of: try changes(.observer))
        #expect(told.count { $0.contains("meadow") && !$0.contains("--baseline") } == 2)
        #expect(told[0].contains("meadow, alternates between "))
    }

    @Test func `losses are reported if latency did not change`() throws {
        let told = facts(of: try changes(.researcher)).filter { $0.contains("Packet loss: ") }
        #expect(told.count == 1 && told[0].contains(#/brook [23]\.\d % \(before: 0\.\d %\)/#))
        #expect(facts(of: try against(.researcher)).joined().contains("packet loss"))
    }

    @Test(arguments: Month.allCases)
    func `the verdict over a month follows from its interval`(month: Month) throws {
        for candidate in try comparison(month).evidence.flatMap(\.candidates) {
            let comparison = candidate.comparison
            let lower = try #require(comparison.interval.lower)
            let upper = try #require(comparison.interval.upper)
            switch comparison.verdict {
            case .switch: #expect(lower >= comparison.margin)
            case .keep where comparison.reason != .reliability:
                #expect(upper <= comparison.margin)
            case .keep, .tooClose, .undecided: break
            }
        }
    }

    @Test(arguments: Month.allCases)
    func `no fact appears twice on a page`(month: Month) throws {
        let pages = [
            facts(of: try changes(month)), facts(of: try against(month)),
            facts(of: try comparison(month)),
        ]
        for facts in pages {
            for (index, fact) in facts.enumerated() where !fact.isEmpty {
                let others = facts.indices.filter {
                    $0 != index && facts[$0].contains(fact.dropLast())
                }
                #expect(others.isEmpty, "\(fact)")
            }
        }
    }
}
