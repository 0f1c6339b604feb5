import Foundation
import Testing

@testable import Statistics

/// Compares strategies, their savings and the bounds of races with Reference/strategies.py.
struct StrategyTests {
    private static let first = [12.0, 30, .infinity, 250, 14, 11, .infinity, 18]
    private static let second = [14.0, 15, 16, 20, .infinity, 13, .infinity, 90]
    private static let rows = zip(first, second).map { [$0, $1] }

    @Test(
        arguments: [
            (.race([0, 1]), [12, 15, 16, 20, 14, 11, .infinity, 18], 2),
            (
                .fallback(0, 1, after: 25, listens: true),
                [12, 30, 41, 45, 14, 11, .infinity, 18], 1.5
            ),
            (
                .fallback(0, 1, after: 1000, listens: true),
                [12, 30, 1016, 250, 14, 11, .infinity, 18], 1.25
            ),
            (
                .fallback(0, 1, after: 200, listens: false),
                [12, 30, 216, 220, 14, 11, .infinity, 18], 1.375
            ),
        ] as [(Strategy, [Double], Double)]
    )
    func `a strategy has the times of its definition`(
        strategy: Strategy,
        times: [Double],
        queries: Double
    ) throws {
        #expect(Self.rows.flatMap(strategy.times) == times)
        let figures = try #require(StrategyFigures(of: strategy, over: [Self.rows]))
        #expect(figures.queries == queries)
        #expect(figures.lookups == 8 && figures.failedShare == 0.125)
    }

    @Test func `equal shares have the times of all resolvers and one query each`() throws {
        let shares = Strategy.shares([0, 1])
        let figures = try #require(StrategyFigures(of: shares, over: [Self.rows]))
        #expect(Self.rows.flatMap(shares.times).sorted() == (Self.first + Self.second).sorted())
        #expect(figures.queries == 1 && figures.failedShare == 0.25 && figures.wins.isEmpty)
    }

    @Test func `the first answer wins, and equal answers share the win`() throws {
        let rows = [[10.0, 20], [30, 20], [15, 15], [.infinity, .infinity]]
        let race = try #require(StrategyFigures(of: .race([0, 1]), over: [rows]))
        #expect(race.wins == [0: 0.375, 1: 0.375])
        let late: [[Double]] = [[10, 1], [60, 5], [60, 45], [.infinity, 5]]
        let hedged = Strategy.fallback(0, 1, after: 20, listens: true)
        #expect(late.map(hedged.winners) == [[0], [1], [0], [1]])
        let deaf = Strategy.fallback(0, 1, after: 20, listens: false)
        #expect(late.map(deaf.winners) == [[0], [1], [1], [1]])
    }

    @Test func `a row without a resolver is excluded from strategies that ask it`() throws {
        let rounds = [[[10.0, .nan], [12, 9]], [[11, .nan]]]
        let race = try #require(StrategyFigures(of: .race([0, 1]), over: rounds))
        #expect(race.lookups == 1 && race.rounds == 1)
        #expect(StrategyFigures(of: .alone(0), over: rounds)?.lookups == 3)
        #expect(StrategyFigures(of: .alone(1), over: [[[3, .nan]]]) == nil)
        let compared = StrategyComparison.all(
            .slow,
            of: [.race([0, 1]), .alone(1)],
            beside: 0,
            over: [[[10, .nan]]]
        )
        #expect(compared == [nil, nil])
    }

    @Test func `the winners of races are asked in proportion to their wins`() throws {
        let rows = (0..<20).map { [Double($0 < 15 ? 10 : 90), 30, 200] }
        let race = try #require(StrategyFigures(of: .race([0, 1, 2]), over: [rows]))
        let learned = Strategy.winners([Int](repeating: 0, count: 15) + [1, 1, 1, 1, 1])
        #expect(race.learned == learned && learned.members == [0, 1])
        let figures = try #require(StrategyFigures(of: learned, over: [rows]))
        #expect(agree(figures.slowShare, 0, within: 0) && figures.median.value == 10)
        // Row 19 is slow at the first resolver, which is asked in 15 of 20 look-ups.
        #expect(learned.times(rows[19]).count { $0 == 90 } == 15)
        #expect(figures.learned == nil && !learned.contains(0))
    }

    // MARK: - The slowest race

    private static let racers: [[Double]] = [
        [10, 20], [12, 11], [200, 13], [11, 180], [14, 30], [13, 12], [300, 250],
        [15, .infinity], [10, 14], [11, 16],
    ]

    @Test func `the slowest race is between the observed race and the best member`() {
        let hits = Self.racers.map { row in
            [row[0] < 200, row[1] < 180 || row[1] == .infinity]
        }
        let known = RaceBound(Self.racers, hits: hits)
        let unknown = RaceBound(Self.racers, hits: hits.map { $0.map { _ in true } })
        #expect([0.5, 0.8, 0.9].map(known.quantile) == [12, 15, 200])
        #expect([0.5, 0.8, 0.9].map(unknown.quantile) == [12, 15, 200])
        let seen = [0.5, 0.8, 0.9].map {
            ClusteredQuantile($0, of: Self.racers.map(Strategy.race([0, 1]).times))?.value
        }
        #expect(seen == [11, 14, 15])
        #expect(
            RaceBound([[.infinity, .infinity]], hits: [[true, false]]).quantile(0.5) == .infinity
        )
    }

    // MARK: - Intervals

    @Test(arguments: [
        (0.5, 15.0, 17.0, 1.0817952846938352, 174), (0.9, 20, 210, 2.9629629629629632, 63),
        (0.95, 74, 210, 1.0256410256410247, 183),
    ])
    func `a quantile's interval includes the dependence within a round`(
        p: Double,
        lower: Double,
        upper: Double,
        effect: Double,
        count: Int
    ) throws {
        let rounds = (0..<40).map { r in
            (0..<5).map { d in
                let late = (r % 9 == 4 ? 60 : 0) + ((r * 5 + d) % 37 == 0 ? 200 : 0)
                return Double(10 + (7 * r + 3 * d) % 11 + late)
            }
        }
        let quantile = try #require(ClusteredQuantile(p, of: rounds))
        #expect(quantile.lower == lower && quantile.upper == upper)
        #expect(agree(quantile.designEffect, effect, within: 1e-9))
        #expect(quantile.effectiveCount == count)
    }

    /// In every tenth round, no resolver answers.
    @Test func `losses of whole rounds increase the design effect of an infinite quantile`() throws
    {
        let rounds = (0..<40).map { round in
            (0..<5).map { round % 10 == 3 ? .infinity : Double(10 + $0) }
        }
        let quantile = try #require(ClusteredQuantile(0.95, of: rounds))
        #expect(quantile.value == .infinity && quantile.upper == nil)
        #expect(agree(quantile.designEffect, 200.0 / 39, within: 1e-9))
        #expect(quantile.effectiveCount == 36)
        #expect(quantile.lower == 14)
        let silent = try #require(ClusteredQuantile(0.5, of: [[.infinity], [.infinity]]))
        #expect(silent.value == .infinity && silent.designEffect == 1)
    }

    @Test func `one round has a quantile but no interval`() throws {
        let quantile = try #require(ClusteredQuantile(0.5, of: [[3, 1, 2], []]))
        #expect(quantile.value == 2 && quantile.lower == nil && quantile.upper == nil)
        #expect(ClusteredQuantile(0.5, of: [[], []]) == nil)
    }

    // MARK: - Means different from one half

    private static let shares = [0.1, 0, 0.2, 0, 0.1, 0.3, 0, 0.1, 0, 0, 0.1, 0.2]

    @Test(
        arguments: [
            (0.005, 14.21449922835058, Double?.none), (0.01, 9.588353276090228, nil),
            (0.05, 0.41647545114486384, nil), (0.2, nil, 1.0351612897937896),
            (0.3, nil, 2.343649767718629), (0.5, -2.8218468913681636, 6.023950442882237),
        ] as [(Double, Double?, Double?)]
    )
    func `evidence of a mean equals the documented values to nine digits`(
        mean: Double,
        above: Double?,
        below: Double?
    ) throws {
        var process = EProcess(mean: mean)
        for share in Self.shares { process.add(share) }
        let seen = try #require(MeanEvidence(of: Self.shares))
        if let above {
            #expect(agree(process.logEAbove, above, within: 1e-9))
            #expect(agree(seen.logEAbove(mean), above, within: 1e-9))
        }
        if let below {
            #expect(agree(process.logEBelow, below, within: 1e-9))
            #expect(agree(seen.logEBelow(mean), below, within: 1e-9))
        }
    }

    @Test func `the interval of a mean equals the documented values to nine digits`() throws {
        let interval = try #require(MeanEvidence(of: Self.shares)).interval()
        #expect(agree(interval.lowerBound, 0.02594736690945926, within: 1e-9))
        #expect(agree(interval.upperBound, 0.38338349701371083, within: 1e-9))
        let none = try #require(MeanEvidence(of: [0, 0, 0])).interval()
        #expect(none.lowerBound == 0 && none.upperBound < 1)
        #expect(MeanEvidence(of: []) == nil)
    }

    // MARK: - Verdicts

    @Test func `enough savings are better, and savings without effect are not`() {
        // One in ten look-ups is slow at the first resolver, and five in ten at the second resolver.
        let rounds = (0..<40).map { round in
            (0..<10).map { name in
                [name == round % 10 ? 300.0 : 10, (name + round) % 2 == 0 ? 300.0 : 10]
            }
        }
        let verdicts = { (count: Int) in
            StrategyComparison.all(
                .slow,
                of: [.race([0, 1]), .alone(1), .alone(0)],
                beside: 0,
                over: Array(rounds.prefix(count))
            )
            .map { $0?.verdict }
        }
        #expect(verdicts(6) == [.undecided, .undecided, .undecided])
        #expect(verdicts(40) == [.undecided, .notBetter, .undecided])
        let saving = rounds.map { $0.map { [$0[0], 10] } }
        let race = StrategyComparison.all(.slow, of: [.race([0, 1])], beside: 0, over: saving)[0]
        #expect(race?.verdict == .better)
        #expect(agree(race?.saved, 0.1, within: 1e-12))
        #expect(race?.interval.contains(0.1) == true)
    }

    @Test(arguments: [
        (Strategy.race([1, 0]), true), (.race([1, 2]), false),
        (.fallback(0, 1, after: 30, listens: true), true),
        (.fallback(0, 1, after: 30, listens: false), false),
        (.fallback(1, 0, after: 30, listens: true), false), (.shares([0, 1]), false),
    ])
    func `only asking both at once is never slower`(strategy: Strategy, contains: Bool) {
        #expect(strategy.contains(0) == contains)
        let rows = [[10.0, 20, 5], [900, 10, 5], [.infinity, 40, 9]]
        let isNever = rows.allSatisfy { row in strategy.times(row).allSatisfy { $0 <= row[0] } }
        #expect(!contains || isNever)
    }

    // MARK: - A thousand data sets

    @Test func `a thousand data sets have the reference's results`() throws {
        let file = ReferenceGolden.folder.appending(path: "strategies.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1000)
        for (number, line) in lines.enumerated() {
            let expected = line.split(separator: "\t").map(String.init)
            let found = StrategyExample(number).columns
            let isAlike =
                expected.count == found.count + 1
                && zip(found, expected.dropFirst()).allSatisfy { found, expected in
                    if case .word(let word) = found { return word == expected }
                    guard case .number(let value) = found else { return expected == "-" }
                    guard value.isFinite else { return expected == "inf" }
                    return agree(value, Double(expected), within: 1e-6)
                }
            #expect(isAlike, "\(number): \(found)")
        }
    }
}

/// Times from the formula of the reference's `Example`.
private struct StrategyExample {
    enum Column {
        case number(Double), word(String), none

        init(_ value: Double?) { self = value.map(Column.number) ?? .none }
    }

    let number: Int
    let resolvers: Int
    let rounds: [[[Double]]]

    init(_ number: Int) {
        self.number = number
        let resolvers = 2 + number % 3
        self.resolvers = resolvers
        rounds = (0..<(5 + number % 37)).map { r in
            (0..<(1 + number % 6)).map { d in
                (0..<resolvers).map { Self.time(number, $0, r, d) }
            }
        }
    }

    private static func time(_ n: Int, _ k: Int, _ r: Int, _ d: Int) -> Double {
        if (r + 10 * d + 13 * k + n) % (40 + n % 50) == 0 { return .infinity }
        let noise = (37 * r + 101 * d + 17 * k + r * k * n) % 23
        let miss = isHit(n, k, r, d) ? 0 : 60 + 10 * ((r + d + n) % 9)
        let slow = (r * (1 + n % 5)) % (6 + n % 9) == 1 ? 150 : 0
        let far = k == 1 && n % 4 == 3 ? 90 : 0
        return Double(8 + (n * 31 + k * k * 17) % 29 + far + miss + slow) + 0.5 * Double(noise)
    }

    private static func isHit(_ n: Int, _ k: Int, _ r: Int, _ d: Int) -> Bool {
        (7 * r + 3 * d + 5 * k + n) % (8 + n % 13) != 0
    }

    private var strategies: [Strategy] {
        let everybody = Array(0..<resolvers)
        return [
            .alone(1), .race([0, 1]), .race(everybody),
            .fallback(0, 1, after: Double(20 + number % 60), listens: true),
            .fallback(0, 1, after: 200, listens: false), .shares(everybody),
        ]
    }

    /// The columns of a row of the reference's table, without its number.
    var columns: [Column] {
        let place = number % strategies.count
        guard let figures = StrategyFigures(of: strategies[place], over: rounds) else { return [] }
        var columns: [Column] = []
        for quantile in [figures.median, figures.p95] {
            columns += [
                .number(quantile.value), Column(quantile.lower), Column(quantile.upper),
                .number(quantile.designEffect), .number(Double(quantile.effectiveCount)),
            ]
        }
        columns += [figures.slowShare, figures.failedShare, figures.queries].map(Column.number)
        for measure in [StrategyComparison.Measure.slow, .failed] {
            let compared = StrategyComparison.all(
                measure,
                of: strategies,
                beside: 0,
                over: rounds
            )[place]
            guard let compared else { return [] }
            columns += [
                compared.saved, compared.interval.lowerBound, compared.interval.upperBound,
                compared.logEAbove, compared.logEBelow,
            ].map(Column.number)
            columns.append(.word(compared.verdict.rawValue))
        }
        let hits = rounds.indices.flatMap { r in
            rounds[r].indices.map { d in
                (0..<resolvers).map { Self.isHit(number, $0, r, d) }
            }
        }
        let bound = RaceBound(Array(rounds.joined()), hits: hits)
        return columns + [0.5, 0.9, 0.95].map { .number(bound.quantile($0)) }
    }
}
