/// An interval of the median paired difference, in milliseconds; an open end is `nil`.
package struct DifferenceInterval: Hashable, Sendable {
    package var lower: Double?
    package var upper: Double?

    package init(lower: Double? = nil, upper: Double? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether all of it is above zero, or below; `nil` while that is open.
    package var isAboveZero: Bool? {
        if let lower, lower > 0 { return true }
        if let upper, upper < 0 { return false }
        return nil
    }

    /// Whether both ends are finite and `difference` lies between them, or on one.
    package func encloses(_ difference: Double) -> Bool {
        guard let lower, let upper else { return false }
        return lower <= difference && difference <= upper
    }

    /// The interval of the median difference that holds at every round at once: from the difference
    /// after the last x at which E+ (with D > x) reaches 2/α to that before the first at which E−
    /// (with D ≥ x) does. E+ falls with x and E− rises, so that each end is found by halving (Howard &
    /// Ramdas 2022, Bernoulli 28:3); between two differences both stand still, so that an interval at
    /// the `level` α of a test cannot speak against it.
    ///
    /// An end is open where E reaches 2/α at no x.
    package init(of rounds: [PairedRound], level: Double = 0.05) {
        let evidence = ShareEvidence(of: rounds)
        let differences = evidence.finiteDifferences
        guard let last = differences.last else { return }
        let threshold = EProcess.logThreshold(alpha: level, tests: 2)
        if evidence.logEAbove(-.infinity) >= threshold {
            let next = differences.partitioningIndex { evidence.logEAbove($0) < threshold }
            lower = next < differences.count ? differences[next] : last
        }
        if evidence.logEBelow(.infinity) >= threshold {
            let first = differences.partitioningIndex { evidence.logEBelow($0) >= threshold }
            upper = differences[max(first - 1, 0)]
        }
    }
}

/// E+ and E− of the same rounds at any difference. Rounds with equally many pairs have few distinct
/// shares, so that the logarithms are taken once for each and not once a round.
struct ShareEvidence {
    /// Ascending, each as often as it was seen.
    let finiteDifferences: [Double]
    private let groups: [RoundGroup]

    init(of rounds: [PairedRound]) {
        var differences: [Int: [Double]] = [:]
        for round in rounds where !round.pairs.isEmpty {
            differences[round.pairs.count, default: []] += round.pairs
        }
        groups = differences.sorted { $0.key < $1.key }.map {
            RoundGroup(differences: $0.value, size: $0.key)
        }
        finiteDifferences = differences.values.joined().filter(\.isFinite).sorted()
    }

    /// ln E+ with D > x as a win.
    func logEAbove(_ x: Double) -> Double { logE(sign: 1) { $0 > x } }

    /// ln E− with D ≥ x as a win.
    func logEBelow(_ x: Double) -> Double { logE(sign: -1) { $0 >= x } }

    private func logE(sign: Int, isWin: (Double) -> Bool) -> Double {
        var sums = [Double](repeating: 0, count: EProcess.bets.count)
        for group in groups { group.addLogarithms(to: &sums, sign: sign, isWin: isWin) }
        return EProcess.logMean(ofExponentials: sums)
    }
}

/// Rounds with the same number of pairs.
private struct RoundGroup {
    /// Round after round, `size` each; NaN where both failed.
    let differences: [Double]
    let size: Int
    /// ln(1 + λⱼ (h / 2m − ½)) for each number of half wins h from 0 to 2m, 32 each.
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
