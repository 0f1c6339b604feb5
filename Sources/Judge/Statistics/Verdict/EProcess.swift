import LibC

/// Evidence that shares from 0 to 1 are, on average, above or below a mean m, usually ½. It may be examined
/// after every round. It is the capital of 32 bets on each side (Waudby-Smith & Ramdas 2024, JRSS-B 86:1).
///
/// E+ = mean over j of ∏ (1 + λⱼ (Uᵣ − m) / 2m) and E− = mean over j of ∏ (1 − λⱼ (Uᵣ − m) / 2(1 − m)).
///
/// The λⱼ are the positive ones of 64 Chebyshev nodes: the Gauss quadrature of the Jeffreys prior. Assume
/// that the mean of each round, given all earlier rounds, is at most (or at least) m. Then P(E ever ≥ 1/α) ≤
/// α (Ville 1939). The names of a round may depend on each other in any way.
package struct EProcess: Hashable, Sendable {
    /// λ₁ … λ₃₂, from 1.9994 to 0.0491.
    static let bets = (1...32).map { 2 * cos(.pi * Double(2 * $0 - 1) / 128) }

    /// m, between 0 and 1.
    let mean: Double
    /// ln E after the last round.
    package private(set) var logEAbove = 0.0
    package private(set) var logEBelow = 0.0
    /// Σᵣ ln(1 ± …) of each bet. The sums do not depend on the order of the rounds.
    private var above = unplayed
    private var below = unplayed
    /// The sums before the first round. All processes share this array, because most of many candidates never
    /// have a round of every kind.
    private static let unplayed = [Double](repeating: 0, count: bets.count)

    package init(mean: Double = 0.5) { self.mean = mean }

    /// Adds a round's share, clamped to 0…1. NaN is ignored.
    package mutating func add(_ share: Double) {
        if !share.isNaN { add(share...share) }
    }

    /// Adds a round whose share is known within bounds, which are clamped to 0…1. E+ takes the lower bound, and
    /// E− the upper one, so that neither is larger than with the true share.
    package mutating func add(_ share: ClosedRange<Double>) {
        let share = share.clamped(to: 0...1)
        let (least, greatest) = (share.lowerBound - mean, share.upperBound - mean)
        for (index, bet) in Self.bets.enumerated() {
            above[index] += Self.logFactor(bet, least / (2 * mean))
            below[index] += Self.logFactor(bet, -greatest / (2 * (1 - mean)))
        }
        logEAbove = Self.logMean(ofExponentials: above)
        logEBelow = Self.logMean(ofExponentials: below)
    }

    /// ln of p = min(1, 2 / max(E+, E−)). It is valid at every round at which the process stops.
    package var logPValue: Double { min(0, log(2) - max(logEAbove, logEBelow)) }

    /// ln of p = min(1, 2 / E+), for a test of a rise only.
    package var logPValueAbove: Double { min(0, log(2) - logEAbove) }

    /// Adds a round by its sign only. Zero is ignored.
    package mutating func add(signOf excess: Double) {
        if excess != 0 { add(excess > 0 ? 1 : 0) }
    }

    /// Returns ln E above ½ after `won` rounds with share 1 and `lost` rounds with share 0.
    static func logEvidence(won: Int, lost: Int) -> Double {
        let factors = zip(logFactors(0.5), logFactors(-0.5))
        return logMean(ofExponentials: factors.map { Double(won) * $0 + Double(lost) * $1 })
    }

    /// Returns the minimum number of rounds for ln E to reach a threshold, if all rounds are won.
    static func fewestRounds(for logThreshold: Double) -> Int {
        var rounds = 0
        while logEvidence(won: rounds, lost: 0) < logThreshold { rounds += 1 }
        return rounds
    }

    /// Returns the ln E that a test in one direction requires, for one of `tests` simultaneous tests.
    package static func logThreshold(alpha: Double, tests: Double) -> Double {
        let greatest = tests / alpha
        // For the smallest levels the quotient overflows, but its logarithm does not.
        return greatest.isFinite ? log(greatest) : log(tests) - log(alpha)
    }

    /// Returns ln(1 + λⱼ x) of each bet. For a mean of ½, x is U − ½.
    static func logFactors(_ excess: Double) -> [Double] { bets.map { logFactor($0, excess) } }

    private static func logFactor(_ bet: Double, _ excess: Double) -> Double {
        log1p(bet * excess)
    }

    /// Returns ln of the mean of exp(x).
    static func logMean(ofExponentials logarithms: some Collection<Double>) -> Double {
        guard let largest = logarithms.max() else { return 0 }
        let sum = logarithms.reduce(0) { $0 + exp($1 - largest) }
        return largest + log(sum / Double(logarithms.count))
    }
}

/// Several simultaneous tests. The probability that any true hypothesis is rejected is at most α (Holm 1979).
struct HolmTest {
    /// Whether each hypothesis is rejected.
    let rejections: [Bool]
    /// The level at which each hypothesis was tested. For those not rejected, it is the level of the next
    /// step.
    let levels: [Double]

    /// Tests the hypotheses, from the smallest p of m on, at the levels α / m, α / (m − 1), …, up to the
    /// first that is not rejected.
    ///
    /// Equal p-values share a level, so the result does not depend on their order. `logPValues` are natural
    /// logarithms.
    init(_ logPValues: [Double], alpha: Double) {
        var rejections = [Bool](repeating: false, count: logPValues.count)
        var levels = [Double](repeating: alpha, count: logPValues.count)
        var tests = logPValues.count
        // Values that differ only by the order of a sum count as equal.
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
