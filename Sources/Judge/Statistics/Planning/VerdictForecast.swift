/// A forecast of the duration of a comparison until its verdict, from rounds that were measured before. The
/// rounds are drawn repeatedly, with replacement, until their evidence suffices (Efron 1979, Ann. Statist.
/// 7:1).
///
/// No distribution of the latencies is assumed. The only assumption is that names, jitter and losses stay the
/// same.
package struct VerdictForecast: Sendable {
    /// Baseline − candidate of each pair, minus the lower median of its hour, in milliseconds, per round. A
    /// change from hour to hour is not jitter within a run. ±∞ and NaN are kept.
    let centred: [[Double]]
    private let rules: ComparisonRules
    private let logThreshold: Double
    /// The minimum number of rounds, without a failure, that exclude too many failures for a `switch`.
    private let roundsForLoss: Int

    /// The share of runs that have their verdict within the forecast number of rounds.
    package static let power = 0.9
    /// The minimum number of earlier rounds for a forecast.
    package static let fewestEarlier = 30
    /// The minimum number of rounds in an hour for its median.
    package static let fewestOfHour = 6
    /// The maximum number of rounds that are drawn.
    package static let mostRounds = 2000
    private static let draws = 400
    private static let seed: UInt64 = 1

    /// Creates the forecast for one of `candidates` that are compared at the same time. `hours` contains its
    /// earlier rounds, grouped by hour.
    package init(hours: [[PairedRound]], rules: ComparisonRules, candidates: Int = 1) {
        centred = Self.centred(hours)
        self.rules = rules
        let queries = centred.reduce(0) { $0 + $1.count }
        let needed = rules.fewestQueries * centred.count
        roundsForLoss = queries > 0 ? (needed + queries - 1) / queries : 0
        logThreshold = EProcess.logThreshold(alpha: rules.alpha, tests: 2 * Double(candidates))
    }

    /// The number of earlier rounds in the forecast.
    package var earlier: Int { centred.count }

    /// Whether the earlier rounds are enough.
    package var isFounded: Bool { earlier >= Self.fewestEarlier }

    /// The minimum number of rounds for a verdict at any difference.
    package var fewestRounds: Int {
        max(rules.minimumRounds, EProcess.fewestRounds(for: logThreshold))
    }

    /// Returns the number of rounds after which 9 of 10 runs have their verdict, faster by more than the
    /// margin or not, if the median difference is `difference` milliseconds.
    ///
    /// `nil` if it exceeds `most`, if the difference equals the margin, and if the earlier rounds are too
    /// few.
    package func rounds(forDifference difference: Double, most: Int = mostRounds) -> Int? {
        guard isFounded, difference != rules.margin else { return nil }
        let side: Double = difference > rules.margin ? 1 : -1
        let excesses = shares(forDifference: difference).map { $0 - 0.5 }
        let factors = excesses.map { EProcess.logFactors(side * $0) }
        let floor = max(rules.minimumRounds, side > 0 ? roundsForLoss : 0)
        let needed = Int((Self.power * Double(Self.draws)).rounded(.up))
        var ends: [Int] = []
        for draw in 0..<Self.draws {
            // Each draw has its own sequence, so that a larger difference never takes longer.
            var random = RandomSequence(seed: Self.seed, part: draw)
            let end = Self.crossing(logThreshold, from: floor, to: most) {
                factors[random.next(below: factors.count)]
            }
            if let end { ends.append(end) }
            if draw + 1 - ends.count > Self.draws - needed { return nil }
        }
        return ends.sorted()[needed - 1]
    }

    /// Returns the smallest difference above the margin, in milliseconds, that 9 of 10 runs of `rounds`
    /// rounds detect; `nil` if they detect none. It is accurate to a thousandth, or to a nanosecond.
    package func smallestDifference(foundIn rounds: Int) -> Double? {
        let rounds = min(rounds, Self.mostRounds)
        func isFound(_ difference: Double) -> Bool {
            self.rounds(forDifference: difference, most: rounds) != nil
        }
        var (missed, found) = (rules.margin, rules.margin + 1)
        while !isFound(found) {
            guard found < Self.largestDifference else { return nil }
            (missed, found) = (found, rules.margin + 2 * (found - rules.margin))
        }
        // If the rounds never vary, any difference is detected.
        while found - missed > 0.001 * max(found, 0.001) {
            let middle = (missed + found) / 2
            if isFound(middle) { found = middle } else { missed = middle }
        }
        return found
    }

    /// A minute in milliseconds. No resolver that answers is slower.
    private static let largestDifference = 60_000.0

    /// Returns the range that usually contains the true number of rounds, for a forecast of `rounds`.
    package func range(around rounds: Int) -> ClosedRange<Int> {
        let precision = Self.precisions.last { earlier >= $0.earlier } ?? Self.precisions[0]
        let ends = [
            (Double(rounds) * precision.low).rounded(.down),
            (Double(rounds) * precision.high).rounded(.up),
        ].map { max(fewestRounds, Int($0)) }
        return ends[0]...ends[1]
    }

    /// The ratio of the true number of rounds to the forecast, from `earlier` rounds on. The ratios are
    /// approximate, from simulated histories of ten networks and differences.
    package struct Precision: Hashable, Sendable {
        package let earlier: Int
        package let low: Double
        package let high: Double
    }

    /// The next better precision; `nil` if this is the best.
    package var nextPrecision: Precision? { Self.precisions.first { $0.earlier > earlier } }

    private static let precisions = [
        Precision(earlier: fewestEarlier, low: 0.6, high: 2.1),
        Precision(earlier: 100, low: 0.7, high: 1.3),
        Precision(earlier: 300, low: 0.8, high: 1.2),
    ]

    /// Returns U of each earlier round for a median difference of `difference` milliseconds.
    func shares(forDifference difference: Double) -> [Double] {
        centred.compactMap { round in
            PairedRound(round.map { $0 + difference }).share(above: rules.margin)
        }
    }

    private static func centred(_ hours: [[PairedRound]]) -> [[Double]] {
        hours.flatMap { hour -> [[Double]] in
            let rounds = hour.map(\.pairs).filter { !$0.isEmpty }
            guard rounds.count >= fewestOfHour else { return [] }
            let pairs = rounds.joined().filter { !$0.isNaN }.sorted()
            guard let median = pairs.isEmpty ? nil : pairs[(pairs.count - 1) / 2],
                median.isFinite
            else { return [] }
            return rounds.map { $0.map { $0 - median } }
        }
    }

    /// Returns the first round from `floor` to `most` at which the evidence has reached a threshold; `nil` if
    /// it does not. `next` returns ln(1 ± λⱼ (U − ½)) of each bet.
    static func crossing(
        _ logThreshold: Double,
        from floor: Int,
        to most: Int,
        next: () -> [Double]
    ) -> Int? {
        var capital = [Double](repeating: 0, count: EProcess.bets.count)
        var hasReached = false
        guard most > 0 else { return nil }
        for round in 1...most {
            let factors = next()
            var largest = -Double.infinity
            for bet in capital.indices {
                capital[bet] += factors[bet]
                largest = max(largest, capital[bet])
            }
            // The mean cannot exceed the largest.
            if !hasReached, largest >= logThreshold {
                hasReached = EProcess.logMean(ofExponentials: capital) >= logThreshold
            }
            if hasReached, round >= floor { return round }
        }
        return nil
    }
}
