/// One-sided e-processes of pairs of resolvers, which are brought up to date when a decision needs them.
///
/// The pairs of many resolvers are more than memory holds, and most of them decide nothing. The rounds
/// are kept, and the sums of the pairs that the last decision needed. A pair that is needed later is
/// summed up from the first round on.
struct PairEvidence: Sendable {
    private struct Pair: Hashable {
        let row: Int
        let column: Int
    }

    private struct Process {
        /// Σ ln(1 − λⱼ (U − ½)) of each bet.
        var sums = [Double](repeating: 0, count: EProcess.bets.count)
        /// Rounds that the sums take into account.
        var rounds = 0
        /// Whether ln E has been at the threshold.
        var isEnough = false

        /// Adds the logarithms of a round's factors; returns the greatest of the sums.
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
    /// Fewest rounds after which ln E can be at the threshold, less one for rounding.
    private let silentRounds: Int
    /// By round and resolver, one outcome per question.
    private var rounds: [[[QueryOutcome]]] = []
    /// The pairs that were needed since the last round, and those that were needed before it.
    private var current: [Pair: Process] = [:]
    private var earlier: [Pair: Process] = [:]
    /// ln(1 − λⱼ (U − ½)) by share: rounds have few questions, and so few shares.
    private var factors: [Double: [Double]] = [:]

    /// `margin` is in milliseconds, `threshold` the ln E that is enough.
    init(margin: Double, threshold: Double) {
        (self.margin, self.threshold) = (margin, threshold)
        silentRounds = EProcess.fewestRounds(for: threshold) - 1
    }

    /// Takes the next round.
    mutating func add(_ outcomes: [[QueryOutcome]]) {
        rounds.append(outcomes)
        (earlier, current) = (current, [:])
    }

    /// Whether ln E was ever at the threshold: that the column's resolver is not faster than the row's by
    /// more than the margin.
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
            // The mean is no more than the greatest, and takes 32 exponentials.
            guard process.add(logs) >= threshold else { continue }
            process.isEnough = EProcess.logMean(ofExponentials: process.sums) >= threshold
        }
        current[pair] = process
        return process.isEnough
    }

    /// The greatest ln E of that.
    func greatest(row: Int, column: Int) -> Double {
        var process = Process()
        return rounds.indices.reduce(0) { greatest, round in
            guard let share = share(inRound: round, row, column) else { return greatest }
            _ = process.add(EProcess.logFactors(0.5 - share))
            return max(greatest, EProcess.logMean(ofExponentials: process.sums))
        }
    }

    /// U of the row against the column; `nil` where the round has no pair of theirs.
    private func share(inRound number: Int, _ row: Int, _ column: Int) -> Double? {
        let outcomes = rounds[number]
        guard outcomes.indices.contains(row), outcomes.indices.contains(column) else { return nil }
        let pairs = zip(outcomes[row], outcomes[column]).lazy.compactMap {
            $0.difference(from: $1)
        }
        return PairedRound.share(of: pairs, above: margin)
    }
}
