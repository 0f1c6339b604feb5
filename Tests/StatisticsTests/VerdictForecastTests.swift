import Foundation
import Testing

@testable import Statistics

/// Compares the forecast with Reference/reference.py, and tests its properties.
struct VerdictForecastTests {
    private let golden: ReferenceGolden.Plan

    init() throws { golden = try ReferenceGolden.read().plan }

    private static func hours(_ differences: [[[Double]]]) -> [[PairedRound]] {
        differences.map { $0.map { PairedRound($0) } }
    }

    /// Returns a forecast from six rounds per hour. Each round has five pairs within ±6 ms of the level of
    /// its hour.
    private func forecast(
        rounds: Int = 36,
        margin: Double = 5,
        lossTolerance: Double? = nil,
        candidates: Int = 1
    ) -> VerdictForecast {
        var source = CongruentialGenerator(state: 20)
        let hours = (0..<rounds / 6).map { hour in
            (0..<6).map { _ in
                PairedRound(
                    (0..<5).map { _ in Double(source.below(12_000) - 6_000 + 900 * hour) / 1000 }
                )
            }
        }
        return VerdictForecast(
            hours: hours,
            rules: ComparisonRules(margin: margin, lossTolerance: lossTolerance),
            candidates: candidates
        )
    }

    @Test func `only a forecast of a gain includes the queries that exclude failures`() {
        let tolerance = ComparisonRules.usualLossTolerance
        #expect(ComparisonRules(lossTolerance: tolerance).fewestQueries == 53)
        #expect(ComparisonRules().fewestQueries == 0)
        let forecast = forecast(lossTolerance: tolerance)
        // Each round has five pairs.
        #expect(forecast.rounds(forDifference: 60) == 11)
        #expect(self.forecast().rounds(forDifference: 60) == forecast.fewestRounds)
        #expect(forecast.rounds(forDifference: -60) == forecast.fewestRounds)
    }

    /// Returns the crossing for the reference's sequence of rounds.
    static func crossing(
        _ forecast: VerdictForecast,
        difference: Double,
        margin: Double,
        candidates: Int,
        to most: Int
    ) -> Int? {
        let shares = forecast.shares(forDifference: difference)
        guard !shares.isEmpty else { return nil }
        let side: Double = difference > margin ? 1 : -1
        var round = 0
        return VerdictForecast.crossing(
            EProcess.logThreshold(alpha: 0.05, tests: 2 * Double(candidates)),
            from: 7,
            to: most
        ) {
            defer { round += 1 }
            return EProcess.logFactors(side * (shares[5 * round % shares.count] - 0.5))
        }
    }

    // MARK: - The reference

    @Test func `rounds are centred per hour as in the reference`() {
        let forecast = VerdictForecast(hours: Self.hours(golden.hours), rules: ComparisonRules())
        #expect(forecast.earlier == 12)
        #expect(forecast.centred.count == golden.centred.count)
        for (round, expected) in zip(forecast.centred, golden.centred) {
            #expect(zip(round, expected).allSatisfy { agree($0, $1, within: 1e-9) })
        }
    }

    @Test func `evidence reaches its threshold at the reference's round`() throws {
        try #require(golden.crossings.count == 6)
        for expected in golden.crossings {
            let forecast = VerdictForecast(hours: Self.hours(golden.hours), rules: expected.rules)
            let found = Self.crossing(
                forecast,
                difference: expected.difference,
                margin: expected.margin,
                candidates: expected.candidates,
                to: 3000
            )
            #expect(found == expected.round, "\(expected)")
        }
    }

    @Test func `the forecast number of rounds equals the reference`() throws {
        try #require(golden.forecasts.count == 6)
        for expected in golden.forecasts {
            let forecast = VerdictForecast(
                hours: Self.hours(golden.longer),
                rules: expected.rules,
                candidates: expected.candidates
            )
            let found = forecast.rounds(forDifference: expected.difference)
            #expect(found == expected.rounds, "\(expected)")
        }
    }

    @Test func `a thousand random data sets have the reference's results`() throws {
        let file = ReferenceGolden.folder.appending(path: "plan.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        try #require(lines.count == 1000)
        for line in lines {
            let expected = line.split(separator: "\t").map(String.init)
            let seed = try #require(UInt64(expected[0]))
            let dataset = ReferenceDataset(seed: seed)
            let rounds = dataset.rounds.map { $0[0] }.filter { !$0.pairs.isEmpty }
            let hours = stride(from: 0, to: rounds.count, by: 7).map {
                Array(rounds[$0..<min($0 + 7, rounds.count)])
            }
            let rules = ComparisonRules(margin: dataset.margin)
            let forecast = VerdictForecast(hours: hours, rules: rules)
            let sum = forecast.centred.joined().filter(\.isFinite).reduce(0, +)
            let crossings = [4.0, -4].map { shift in
                Self.crossing(
                    forecast,
                    difference: dataset.margin + shift,
                    margin: dataset.margin,
                    candidates: 1,
                    to: 100
                )
            }
            let isAlike =
                "\(forecast.earlier)" == expected[1]
                && agree(sum, Double(expected[2]), within: 1e-6)
                && crossings == [Int(expected[3]), Int(expected[4])]
            #expect(isAlike, "\(seed): \(forecast.earlier) \(sum) \(crossings)")
        }
    }

    // MARK: - Properties

    @Test func `a larger difference never takes longer`() throws {
        let forecast = forecast()
        let rounds = [5.5, 6, 6.5, 7, 8, 10, 14].map { forecast.rounds(forDifference: $0) }
        #expect(rounds.compactMap(\.self).count >= 5)
        let numbers = rounds.map { $0 ?? .max }
        #expect(numbers == numbers.sorted(by: >))
        #expect(numbers.last == forecast.fewestRounds)
    }

    @Test func `a forecast is reproducible`() {
        #expect(forecast().rounds(forDifference: 8) == forecast().rounds(forDifference: 8))
    }

    @Test func `no number of rounds decides a difference equal to the margin`() {
        #expect(forecast(margin: 5).rounds(forDifference: 5) == nil)
        #expect(forecast(margin: 0).rounds(forDifference: 0) == nil)
    }

    @Test func `a difference next to the margin exceeds the maximum of rounds`() {
        var source = CongruentialGenerator(state: 21)
        let hour = (0..<60).map { _ in
            PairedRound((0..<5).map { _ in Double(source.below(12_000)) / 1000 })
        }
        let forecast = VerdictForecast(hours: [hour], rules: ComparisonRules(margin: 5))
        #expect(forecast.rounds(forDifference: 5.001) == nil)
        #expect(forecast.rounds(forDifference: 4.999) == nil)
        #expect(forecast.rounds(forDifference: 9) != nil)
    }

    @Test func `fewer than thirty rounds give no forecast`() {
        #expect(forecast(rounds: 24).rounds(forDifference: 20) == nil)
        #expect(!forecast(rounds: 24).isFounded)
        #expect(forecast(rounds: 30).rounds(forDifference: 20) == 7)
    }

    @Test func `hours of five rounds, and hours without an answer, are excluded`() {
        let hour = [PairedRound](repeating: PairedRound([1, 2]), count: 5)
        let five = [[PairedRound]](repeating: hour, count: 9)
        let silent = [[PairedRound](repeating: PairedRound([.infinity, .nan]), count: 6)]
        #expect(VerdictForecast(hours: five, rules: ComparisonRules()).earlier == 0)
        #expect(VerdictForecast(hours: silent, rules: ComparisonRules()).earlier == 0)
    }

    @Test func `several candidates take more rounds`() throws {
        let one = try #require(forecast().rounds(forDifference: 8))
        let twelve = try #require(forecast(candidates: 12).rounds(forDifference: 8))
        #expect(one < twelve)
        #expect(forecast(candidates: 1).fewestRounds == 7)
        #expect(forecast(candidates: 5).fewestRounds == 10)
        #expect(forecast(candidates: 12).fewestRounds == 11)
        #expect(forecast(candidates: 64).fewestRounds == 14)
    }

    @Test(arguments: [
        (earlier: 30, range: 24...84), (earlier: 96, range: 24...84),
        (earlier: 102, range: 28...52), (earlier: 294, range: 28...52),
        (earlier: 300, range: 32...48),
    ])
    func `more earlier rounds narrow the range`(earlier: Int, range: ClosedRange<Int>) {
        #expect(forecast(rounds: earlier).range(around: 40) == range)
    }

    @Test func `no range begins before a verdict is possible`() {
        #expect(forecast().range(around: 8).lowerBound == 7)
    }

    @Test func `the next better precision is reported`() {
        #expect(forecast(rounds: 36).nextPrecision?.earlier == 100)
        #expect(forecast(rounds: 102).nextPrecision?.earlier == 300)
        #expect(forecast(rounds: 300).nextPrecision == nil)
    }

    @Test(arguments: [0.0, 5], [12, 30, 100])
    func `the smallest difference is found within the given rounds`(margin: Double, rounds: Int)
        throws
    {
        let forecast = forecast(margin: margin)
        let smallest = try #require(forecast.smallestDifference(foundIn: rounds))
        #expect(smallest > margin)
        #expect(try #require(forecast.rounds(forDifference: smallest)) <= rounds)
        let smaller = margin + (smallest - margin) * 0.98
        #expect(forecast.rounds(forDifference: smaller) ?? .max > rounds)
    }

    @Test(arguments: [0.0, 5])
    func `without variance, any difference above the margin is found`(margin: Double) throws {
        let hour = [PairedRound](repeating: PairedRound([3, 3, 3]), count: 36)
        let forecast = VerdictForecast(hours: [hour], rules: ComparisonRules(margin: margin))
        let smallest = try #require(forecast.smallestDifference(foundIn: 30))
        #expect(smallest > margin && smallest <= margin + 0.001 * max(margin, 0.001))
    }

    @Test func `too few rounds, and most losses, find no difference`() {
        #expect(forecast().smallestDifference(foundIn: 6) == nil)
        let lossy = [PairedRound](
            repeating: PairedRound([-.infinity, -.infinity, 1, 2, 3, 4]),
            count: 36
        )
        let few = VerdictForecast(hours: [lossy], rules: ComparisonRules())
        #expect(few.smallestDifference(foundIn: 8) == nil)
    }
}
