/// One-sided e-processes of pairs of resolvers, which are updated when a decision needs them.
///
/// Memory cannot hold the pairs of many resolvers, and most pairs decide nothing. The rounds are stored, and
/// also the sums of the pairs that the last decision needed. A pair that is needed later is summed from the
/// first round on.
struct PairEvidence: Sendable {
    private struct Pair: Hashable {
        let row: Int
        let column: Int
    }

    private struct Process {
        /// Σ ln(1 − λⱼ (U − ½)) of each bet.
        var sums = [Double](repeating: 0, count: EProcess.bets.count)
        /// The number of rounds in the sums.
        var rounds = 0
        /// Whether ln E has ever reached the threshold.
        var isEnough = false

        /// Adds the logarithms of a round's factors. Returns the greatest of the sums.
        mutating func add(_ logs: [Double]) -> Double {
            var greatest = -Double.infinity
            for bet in logs.indices {
                sums[bet] += logs[bet]
                greatest = max(greatest, sums[bet])
            }
            return greatest
        }
    }

    private let margin: Double
    private let threshold: Double
    /// The minimum number of rounds for ln E to reach the threshold, minus one because of rounding.
    private let silentRounds: Int
    /// The outcomes per round and resolver, one per question.
    private var rounds: [[[QueryOutcome]]] = []
    /// The pairs that were needed since the last round, and the pairs that were needed before it.
    private var current: [Pair: Process] = [:]
    private var earlier: [Pair: Process] = [:]
    /// ln(1 − λⱼ (U − ½)) per share. Rounds have few questions, and therefore few distinct shares.
    private var factors: [Double: [Double]] = [:]

    /// Creates the evidence. `margin` is in milliseconds. `threshold` is the required ln E.
    init(margin: Double, threshold: Double) {
        (self.margin, self.threshold) = (margin, threshold)
        silentRounds = EProcess.fewestRounds(for: threshold) - 1
    }

    /// Adds the next round.
    mutating func add(_ outcomes: [[QueryOutcome]]) {
        rounds.append(outcomes)
        (earlier, current) = (current, [:])
    }

    /// Returns whether ln E has ever reached the threshold. Then the column's resolver is not faster than the
    /// row's by more than the margin.
    mutating func isEnough(row: Int, column: Int) -> Bool {
        guard rounds.count >= silentRounds, row != column else { return false }
        let pair = Pair(row: row, column: column)
        var process =
            current.removeValue(forKey: pair) ?? earlier.removeValue(forKey: pair) ?? Process()
        while !process.isEnough, process.rounds < rounds.count {
            defer { process.rounds += 1 }
            guard let share = share(inRound: process.rounds, row, column) else { continue }
            let logs = factors[share] ?? EProcess.logFactors(0.5 - share)
            factors[share] = logs
            // The mean cannot exceed the greatest, and computing it takes 32 exponentials.
            guard process.add(logs) >= threshold else { continue }
            process.isEnough = EProcess.logMean(ofExponentials: process.sums) >= threshold
        }
        current[pair] = process
        return process.isEnough
    }

    /// Returns the greatest ln E so far that the column's resolver is not faster than the row's by more than
    /// the margin.
    func greatest(row: Int, column: Int) -> Double {
        var process = Process()
        return rounds.indices.reduce(0) { greatest, round in
            guard let share = share(inRound: round, row, column) else { return greatest }
            _ = process.add(EProcess.logFactors(0.5 - share))
            return max(greatest, EProcess.logMean(ofExponentials: process.sums))
        }
    }

    /// Returns U of the row compared with the column; `nil` if the round has no pair of the two.
    private func share(inRound number: Int, _ row: Int, _ column: Int) -> Double? {
        let outcomes = rounds[number]
        guard outcomes.indices.contains(row), outcomes.indices.contains(column) else { return nil }
        let pairs = zip(outcomes[row], outcomes[column]).lazy.compactMap {
            $0.difference(from: $1)
        }
        return PairedRound.share(of: pairs, above: margin)
    }
}
