import Foundation
import Testing

@testable import Statistics

/// Compares every formula of a verdict with Reference/reference.py.
struct VerdictReferenceTests {
    private let golden: ReferenceGolden

    init() throws { golden = try ReferenceGolden.read() }

    @Test func `evidence of shares equals the reference to nine digits`() throws {
        try #require(golden.shares.count >= 8)
        for expected in golden.shares {
            var process = EProcess()
            for share in expected.U { process.add(share) }
            let pairs = [
                (process.logEAbove, expected.logEplus), (process.logEBelow, expected.logEminus),
            ]
            #expect(pairs.allSatisfy { agree($0, $1, within: 1e-9) }, "\(expected.name)")
        }
    }

    @Test func `seven rounds of wins are certain and six are not`() {
        var process = EProcess()
        for round in 1...7 {
            process.add(1)
            #expect((process.logPValue <= log(0.05)) == (round == 7))
        }
        #expect(agree(process.logEAbove, 3.9805208137332664, within: 1e-9))
    }

    @Test func `a level near zero requires many rounds, but a finite number`() throws {
        #expect(EProcess.logThreshold(alpha: 0.05, tests: 6) == log(6 / 0.05))
        for alpha in [2.3e-308, .leastNonzeroMagnitude] {
            let threshold = EProcess.logThreshold(alpha: alpha, tests: 6)
            try #require(threshold.isFinite)
            #expect(agree(threshold, log(6) - log(alpha), within: 1e-9))
            #expect((1000...1200).contains(EProcess.fewestRounds(for: threshold)))
        }
    }

    @Test func `intervals of rates equal the reference to nine digits`() throws {
        try #require(golden.proportions.count >= 16)
        for expected in golden.proportions {
            let (successes, count) = (expected.successes, expected.count)
            let wilson = ProportionInterval.wilson(
                successes: successes,
                of: count,
                alpha: expected.alpha
            )
            let anytime = ProportionInterval.anytime(
                successes: successes,
                of: count,
                alpha: expected.alpha
            )
            let pairs = [
                (wilson.lowerBound, expected.wilson[0]), (wilson.upperBound, expected.wilson[1]),
                (anytime.lowerBound, expected.anytime[0]),
                (anytime.upperBound, expected.anytime[1]),
            ]
            #expect(pairs.allSatisfy { agree($0, $1, within: 1e-9) }, "\(successes) of \(count)")
        }
    }

    @Test func `ranks equal the binomial distribution in integers`() throws {
        try #require(golden.ranks.count >= 56)
        for expected in golden.ranks {
            let ranks = QuantileInterval.ranks(of: expected.count, quantile: expected.quantile)
            #expect([ranks.lower, ranks.upper] == expected.ranks, "\(expected)")
        }
    }

    @Test func `Holm's test rejects the same hypotheses as the reference`() {
        for expected in golden.holm {
            let reversed = HolmTest(expected.logPValues.reversed(), alpha: 0.05)
            let levels = HolmTest(expected.logPValues, alpha: 0.05).levels
            #expect(levels == reversed.levels.reversed())
            let rejected = HolmTest(expected.logPValues, alpha: 0.05).rejections
            #expect(rejected == expected.rejected)
        }
    }

    @Test func `autocorrelation equals the reference to nine digits`() throws {
        for expected in golden.autocorrelation {
            let found = try #require(Autocorrelation(of: expected.values))
            #expect(agree(found.coefficient, expected.coefficient, within: 1e-9))
        }
    }

    @Test func `scenarios end as in the reference`() throws {
        try #require(golden.comparisons.count >= 30)
        for scenario in golden.comparisons {
            let rounds = scenario.candidates.map { runs in
                runs.flatMap { run in
                    repeatElement(PairedRound(run.pairs.map(\.difference)), count: run.times)
                }
            }
            var process = ComparisonProcess(
                candidates: rounds.count,
                rules: ComparisonRules(margin: scenario.margin)
            )
            process.tampering = scenario.tampering
            for round in rounds[0].indices { process.add(rounds.map { $0[round] }) }
            let found = process.comparisons(
                ending: scenario.interrupted ? .interrupted : .budgetSpent
            )
            for (comparison, expected) in zip(found, scenario.results) {
                let differing = Self.differing(comparison, expected)
                #expect(differing.isEmpty, "\(scenario.name)")
            }
        }
    }

    /// Returns the figures that differ, with both values.
    private static func differing(
        _ comparison: Comparison,
        _ expected: ReferenceGolden.Result
    ) -> [String] {
        let figures = comparison.figures
        var differing = expected.figures.compactMap { name, value -> String? in
            let figure = figures[name] ?? .nan
            return agree(figure, value, within: 1e-9) ? nil : "\(name) \(figure, default: "–")"
        }
        let verdict = [comparison.verdict.rawValue, comparison.reason.rawValue]
        if verdict != [expected.verdict, expected.reason] {
            differing.append(verdict.joined(separator: " "))
        }
        return differing
    }
}
