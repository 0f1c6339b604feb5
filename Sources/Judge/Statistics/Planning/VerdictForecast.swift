/// Forecast of how long a comparison lasts until its verdict, made of rounds that were measured
/// before: they are drawn again and again, with replacement, until their evidence would suffice
/// (Efron 1979, Ann. Statist. 7:1). No law of the latencies is assumed, only that names, jitter and
/// losses will be as they were.
package struct VerdictForecast: Sendable {
    /// Baseline − candidate of each pair less the lower median of its hour, in milliseconds, by
    /// round: what changes from hour to hour is no jitter of a run. ±∞ and NaN stay.
    let centred: [[Double]]
    private let rules: ComparisonRules
    private let logThreshold: Double
    /// Rounds before which failures are too little known for a `switch`, where none fails.
    private let roundsForLoss: Int

    /// Share of runs that have their verdict after so many rounds.
    package static let power = 0.9
    /// Earlier rounds without which nothing is foretold.
    package static let fewestEarlier = 30
    /// Rounds without which the median of an hour says too little.
    package static let fewestOfHour = 6
    /// Rounds beyond which none are drawn.
    package static let mostRounds = 2000
    private static let draws = 400
    private static let seed: UInt64 = 1

    /// The forecast of one of `candidates` that are compared at once, from its earlier rounds by
    /// hour.
    package init(hours: [[PairedRound]], rules: ComparisonRules, candidates: Int = 1) {
        centred = Self.centred(hours)
        self.rules = rules
        let queries = centred.reduce(0) { $0 + $1.count }
        let needed = rules.fewestQueries * centred.count
        roundsForLoss = queries > 0 ? (needed + queries - 1) / queries : 0
        logThreshold = EProcess.logThreshold(alpha: rules.alpha, tests: 2 * Double(candidates))
    }

    /// Earlier rounds that it is made of.
    package var earlier: Int { centred.count }

    /// Whether they are enough.
    package var isFounded: Bool { earlier >= Self.fewestEarlier }

    /// Rounds before which there is no verdict, whatever the difference is.
    package var fewestRounds: Int {
        max(rules.minimumRounds, EProcess.fewestRounds(for: logThreshold))
    }

    /// Rounds after which 9 of 10 runs have their verdict where the median difference is so many
    /// milliseconds: faster by more than the margin, or not. `nil` where that takes more than
    /// `most`, where the difference is the margin itself, and where too few rounds were earlier.
    package func rounds(forDifference difference: Double, most: Int = mostRounds) -> Int? {
        guard isFounded, difference != rules.margin else { return nil }
        let side: Double = difference > rules.margin ? 1 : -1
        let excesses = shares(forDifference: difference).map { $0 - 0.5 }
        let factors = excesses.map { EProcess.logFactors(side * $0) }
        let floor = max(rules.minimumRounds, side > 0 ? roundsForLoss : 0)
        let needed = Int((Self.power * Double(Self.draws)).rounded(.up))
        var ends: [Int] = []
        for draw in 0..<Self.draws {
            // Its own sequence: a larger difference then never takes longer.
            var random = RandomSequence(seed: Self.seed, part: draw)
            let end = Self.crossing(logThreshold, from: floor, to: most) {
                factors[random.next(below: factors.count)]
            }
            if let end { ends.append(end) }
            if draw + 1 - ends.count > Self.draws - needed { return nil }
        }
        return ends.sorted()[needed - 1]
    }

    /// The smallest difference above the margin, in milliseconds and to a thousandth of it or a
    /// nanosecond, that 9 of 10 runs of so many rounds find; `nil` where they find none.
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
        // Of rounds that never vary, any difference is found.
        while found - missed > 0.001 * max(found, 0.001) {
            let middle = (missed + found) / 2
            if isFound(middle) { found = middle } else { missed = middle }
        }
        return found
    }

    /// A minute in milliseconds: no resolver that answers at all is slower.
    private static let largestDifference = 60_000.0

    /// Rounds among which the true number lies as a rule, for a forecast of so many.
    package func range(around rounds: Int) -> ClosedRange<Int> {
        let precision = Self.precisions.last { earlier >= $0.earlier } ?? Self.precisions[0]
        let ends = [
            (Double(rounds) * precision.low).rounded(.down),
            (Double(rounds) * precision.high).rounded(.up),
        ].map { max(fewestRounds, Int($0)) }
        return ends[0]...ends[1]
    }

    /// How far the true number of rounds is from the forecast, in parts of it, from so many earlier
    /// rounds on: about what simulated histories had of ten networks and differences.
    package struct Precision: Hashable, Sendable {
        package let earlier: Int
        package let low: Double
        package let high: Double
    }

    /// The next better one; `nil` where there is none.
    package var nextPrecision: Precision? { Self.precisions.first { $0.earlier > earlier } }

    private static let precisions = [
        Precision(earlier: fewestEarlier, low: 0.6, high: 2.1),
        Precision(earlier: 100, low: 0.7, high: 1.3),
        Precision(earlier: 300, low: 0.8, high: 1.2),
    ]

    /// U of each earlier round, had its median difference been so many milliseconds.
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

    /// The first round from `floor` to `most` at which evidence has reached a threshold; `nil` if
    /// none has. `next` gives ln(1 ± λⱼ (U − ½)) of each bet.
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
            // The mean is no more than the largest.
            if !hasReached, largest >= logThreshold {
                hasReached = EProcess.logMean(ofExponentials: capital) >= logThreshold
            }
            if hasReached, round >= floor { return round }
        }
        return nil
    }
}
