import Foundation
import Statistics

/// Prints the frequency of wrong verdicts, the number of rounds to a verdict, and the cost of the interval,
/// as lines for Scripts/bench. The word after the program selects causes, patterns or the scan of incidents.
@main
enum VerdictBench {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil: printVerdicts()
        case "patterns": PatternErrors.printAll()
        case "scan": IncidentCosts.printAll()
        default: CauseErrors.printAll()
        }
    }

    private static func printVerdicts() {
        FalseDecisions.printAll()
        RoundsToVerdict.printAll()
        LossyCandidates.printAll()
        RankErrors.printAll()
        EliminationErrors.printAll()
        VolleyPairing.printAll()
        TailErrors.printAll()
        CacheErrors.printAll()
        FleetErrors.printAll()
        printIntervalCost(rounds: 300, names: 10)
        printIntervalCost(rounds: 1_000, names: 100)
    }

    /// Prints the shortest of five times, in milliseconds.
    private static func printIntervalCost(rounds: Int, names: Int) {
        var source = SplitMix64(state: 9)
        let model = LatencyModel(path: .wifi)
        let paired = (0..<rounds).map { _ in
            PairedRound(
                (0..<names).compactMap { _ in
                    let baseline = model.outcome(shift: 3, from: &source)
                    return baseline.difference(from: model.outcome(shift: 0, from: &source))
                }
            )
        }
        var times: [Duration] = []
        var isClosed = true
        for _ in 0..<5 {
            times.append(
                ContinuousClock().measure {
                    isClosed = DifferenceInterval(of: paired).encloses(3) && isClosed
                }
            )
        }
        let shortest = (times.min() ?? .zero) / .microseconds(1) / 1000
        print("interval|\(rounds)|\(names)|\(String(format: "%.2f", shortest))|\(isClosed)")
    }
}

extension [Int] {
    /// The median of these hours and the value that a tenth exceeds, as cells of a table.
    var medianAndTail: [String] {
        let sorted = sorted()
        return [count / 2, count * 9 / 10].map {
            sorted.indices.contains($0) ? "\(sorted[$0])" : "-"
        }
    }
}
