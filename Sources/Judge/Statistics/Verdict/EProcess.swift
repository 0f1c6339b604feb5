import LibC

/// Evidence, which may be looked at after every round, that shares from 0 to 1 are above or below a
/// mean m on average, ½ as a rule: the capital of 32 bets on either side (Waudby-Smith & Ramdas 2024,
/// JRSS-B 86:1).
///
/// E+ = mean over j of ∏ (1 + λⱼ (Uᵣ − m) / 2m) and E− = mean over j of ∏ (1 − λⱼ (Uᵣ − m) / 2(1 − m)),
/// with λⱼ at the positive of 64 Chebyshev nodes: the Gauss quadrature of the Jeffreys prior. While the
/// mean of each round, given those before, is at most (or at least) m, P(E ever ≥ 1/α) ≤ α (Ville
/// 1939), however the names of a round depend on each other.
package struct EProcess: Hashable, Sendable {
    /// λ₁ … λ₃₂, from 1.9994 to 0.0491.
    static let bets = (1...32).map { 2 * cos(.pi * Double(2 * $0 - 1) / 128) }

    /// m, between 0 and 1.
    let mean: Double
    /// ln E after the last round.
    package private(set) var logEAbove = 0.0
    package private(set) var logEBelow = 0.0
    /// Σᵣ ln(1 ± …) of each bet: the order of the rounds does not matter to them.
    private var above = unplayed
    private var below = unplayed
    /// One for all that have no round yet: most of many candidates never have one of every kind.
    private static let unplayed = [Double](repeating: 0, count: bets.count)

    package init(mean: Double = 0.5) { self.mean = mean }

    /// Takes a round's share, held within 0…1; what is no number is no round.
    package mutating func add(_ share: Double) {
        guard !share.isNaN else { return }
        let excess = min(max(share, 0), 1) - mean
        for (index, bet) in Self.bets.enumerated() {
            above[index] += Self.logFactor(bet, excess / (2 * mean))
            below[index] += Self.logFactor(bet, -excess / (2 * (1 - mean)))
        }
        logEAbove = Self.logMean(ofExponentials: above)
        logEBelow = Self.logMean(ofExponentials: below)
    }

    /// ln of p = min(1, 2 / max(E+, E−)): valid at whichever round one stops.
    package var logPValue: Double { min(0, log(2) - max(logEAbove, logEBelow)) }

    /// ln of p = min(1, 2 / E+), for a rise alone.
    package var logPValueAbove: Double { min(0, log(2) - logEAbove) }

    /// Takes a round of which the sign alone counts; one without says nothing.
    package mutating func add(signOf excess: Double) {
        if excess != 0 { add(excess > 0 ? 1 : 0) }
    }

    /// ln E above ½ after so many rounds whose share was 1, and so many of 0.
    static func logEvidence(won: Int, lost: Int) -> Double {
        let factors = zip(logFactors(0.5), logFactors(-0.5))
        return logMean(ofExponentials: factors.map { Double(won) * $0 + Double(lost) * $1 })
    }

    /// Fewest rounds after which ln E can reach a threshold: all are won.
    static func fewestRounds(for logThreshold: Double) -> Int {
        var rounds = 0
        while logEvidence(won: rounds, lost: 0) < logThreshold { rounds += 1 }
        return rounds
    }

    /// ln of the E that a test in one direction takes, one of `tests` at once.
    package static func logThreshold(alpha: Double, tests: Double) -> Double {
        let greatest = tests / alpha
        // Of the least levels it is beyond all numbers, and its logarithm is not.
        return greatest.isFinite ? log(greatest) : log(tests) - log(alpha)
    }

    /// ln(1 + λⱼ x) of each bet, where x is U − ½ for a mean of ½.
    static func logFactors(_ excess: Double) -> [Double] { bets.map { logFactor($0, excess) } }

    private static func logFactor(_ bet: Double, _ excess: Double) -> Double {
        log1p(bet * excess)
    }

    /// ln of the mean of exp(x).
    static func logMean(ofExponentials logarithms: some Collection<Double>) -> Double {
        guard let largest = logarithms.max() else { return 0 }
        let sum = logarithms.reduce(0) { $0 + exp($1 - largest) }
        return largest + log(sum / Double(logarithms.count))
    }
}

/// Several tests at once, with a chance of at most α to reject any true hypothesis (Holm 1979).
struct HolmTest {
    /// Which hypotheses are rejected.
    let rejections: [Bool]
    /// The level that each was held against, or, of those that stand, would have been next.
    let levels: [Double]

    /// From the smallest of m on, p is held against α / m, α / (m − 1), …, up to the first that
    /// stands; equal ones against the same, so that the order in which they come says nothing.
    /// `logPValues` are natural logarithms.
    init(_ logPValues: [Double], alpha: Double) {
        var rejections = [Bool](repeating: false, count: logPValues.count)
        var levels = [Double](repeating: alpha, count: logPValues.count)
        var tests = logPValues.count
        // What differs by the order of a sum alone is equal.
        let ascending = logPValues.map { ($0 * 1e9).rounded() }.enumerated()
            .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
        var (last, level) = (Double.nan, alpha)
        for (index, value) in ascending {
            if value != last { (last, level) = (value, alpha / Double(tests)) }
            levels[index] = level
            guard logPValues[index] <= log(levels[index]) else { continue }
            rejections[index] = true
            tests -= 1
        }
        self.rejections = rejections
        self.levels = levels
    }
}
