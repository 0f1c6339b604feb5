/// An interval of the median paired difference, in milliseconds. An open end is `nil`.
package struct DifferenceInterval: Hashable, Sendable {
    package var lower: Double?
    package var upper: Double?

    package init(lower: Double? = nil, upper: Double? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether the interval is entirely above zero, or entirely below; `nil` while this is open.
    package var isAboveZero: Bool? {
        if let lower, lower > 0 { return true }
        if let upper, upper < 0 { return false }
        return nil
    }

    /// Returns whether both ends are finite, and `difference` lies between them or on an end.
    package func encloses(_ difference: Double) -> Bool {
        guard let lower, let upper else { return false }
        return lower <= difference && difference <= upper
    }

    /// Creates the interval of the median difference that is valid at all rounds at once.
    ///
    /// The lower end is the difference after the last x at which E+ (with D > x) reaches 2/α. The upper end
    /// is the difference before the first x at which E− (with D ≥ x) reaches it. E+ falls with x and E−
    /// rises, so each end is found by bisection (Howard & Ramdas 2022, Bernoulli 28:3). Between two
    /// differences, neither changes. An interval at the `level` α of a test therefore cannot contradict the
    /// test.
    ///
    /// An end is open if E reaches 2/α at no x. As in the test, E+ takes the lower bounds of differences with
    /// an error, and E− takes their upper bounds.
    package init(of rounds: [PairedRound], level: Double = 0.05) {
        let least = ShareEvidence(of: rounds) { -$0 }
        guard let last = least.finiteDifferences.last else { return }
        let threshold = EProcess.logThreshold(alpha: level, tests: 2)
        if least.logEAbove(-.infinity) >= threshold {
            let differences = least.finiteDifferences
            let next = differences.partitioningIndex { least.logEAbove($0) < threshold }
            lower = next < differences.count ? differences[next] : last
        }
        let isExact = rounds.allSatisfy { $0.error == 0 }
        let greatest = isExact ? least : ShareEvidence(of: rounds) { $0 }
        if greatest.logEBelow(.infinity) >= threshold {
            let differences = greatest.finiteDifferences
            let first = differences.partitioningIndex { greatest.logEBelow($0) >= threshold }
            upper = differences[max(first - 1, 0)]
        }
    }
}

/// E+ and E− of the same rounds at any difference. Rounds with the same number of pairs have few distinct
/// shares. The logarithms are therefore computed once per share, instead of once per round.
struct ShareEvidence {
    /// All finite differences, with repetitions, ascending.
    let finiteDifferences: [Double]
    private let groups: [RoundGroup]

    /// `shift` returns what is added to the differences of a round, from their error.
    init(of rounds: [PairedRound], shift: (Double) -> Double) {
        var differences: [Int: [Double]] = [:]
        for round in rounds where !round.pairs.isEmpty {
            let by = shift(round.error)
            differences[round.pairs.count, default: []] +=
                by == 0 ? round.pairs : round.pairs.map { $0 + by }
        }
        groups = differences.sorted { $0.key < $1.key }.map {
            RoundGroup(differences: $0.value, size: $0.key)
        }
        finiteDifferences = differences.values.joined().filter(\.isFinite).sorted()
    }

    /// ln E+, in which D > x counts as a win.
    func logEAbove(_ x: Double) -> Double { logE(sign: 1) { $0 > x } }

    /// ln E−, in which D ≥ x counts as a win.
    func logEBelow(_ x: Double) -> Double { logE(sign: -1) { $0 >= x } }

    private func logE(sign: Int, isWin: (Double) -> Bool) -> Double {
        var sums = [Double](repeating: 0, count: EProcess.bets.count)
        for group in groups { group.addLogarithms(to: &sums, sign: sign, isWin: isWin) }
        return EProcess.logMean(ofExponentials: sums)
    }
}

/// Rounds with the same number of pairs.
private struct RoundGroup {
    /// The differences of successive rounds, `size` per round; NaN if both failed.
    let differences: [Double]
    let size: Int
    /// ln(1 + λⱼ (h / 2m − ½)) for each number of half wins h from 0 to 2m, with 32 values each.
    private let logarithms: [Double]

    init(differences: [Double], size: Int) {
        self.differences = differences
        self.size = size
        logarithms = (0...(2 * size)).flatMap { halves in
            EProcess.logFactors(Double(halves) / Double(2 * size) - 0.5)
        }
    }

    /// Adds Σᵣ ln(1 ± λⱼ (Uᵣ − ½)) to the sum of each bet.
    func addLogarithms(to sums: inout [Double], sign: Int, isWin: (Double) -> Bool) {
        var rounds = [Int](repeating: 0, count: 2 * size + 1)
        var start = 0
        while start < differences.count {
            var halves = 0
            for index in start..<(start + size) {
                let difference = differences[index]
                if isWin(difference) { halves += 2 } else if difference.isNaN { halves += 1 }
            }
            rounds[halves] += 1
            start += size
        }
        for (halves, count) in rounds.enumerated() where count > 0 {
            // 1 − λ(U − ½) is 1 + λ((1 − U) − ½).
            let row = (sign > 0 ? halves : 2 * size - halves) * sums.count
            for bet in sums.indices { sums[bet] += Double(count) * logarithms[row + bet] }
        }
    }
}
