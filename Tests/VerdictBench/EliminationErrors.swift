import Foundation
import Statistics

/// The frequency of wrong answers of a run that eliminates candidates, and its duration at the
/// polite pace.
enum EliminationErrors {
    private static let mostSeconds = 300.0
    private static let totalRate = 15.0
    private static let rate = 5.0
    private static let names = 10

    static func printAll() {
        for path in [LatencyModel.Path.wired, .wifi] {
            for candidates in [5, 12] {
                // First, all candidates are faster by exactly the margin, which is not worthwhile.
                // Then all are equal.
                report("all faster by the margin", candidates, path, margin: 5, runs: 1000) {
                    _,
                    _ in -5
                }
                report("all equal, margin 0", candidates, path, margin: 0, runs: 1000) { _, _ in 0 }
            }
            for (candidates, runs) in [(5, 1000), (12, 1000), (64, 1000)] {
                report("a field", candidates, path, margin: 5, runs: runs) { _, source in
                    27 * exp(0.55 * source.normal()) - 20
                }
            }
        }
    }

    private static func report(
        _ name: String,
        _ candidates: Int,
        _ path: LatencyModel.Path,
        margin: Double,
        runs: Int,
        shift: (Int, inout SplitMix64) -> Double
    ) {
        var (wrong, best, open) = (0, 0, 0)
        var seconds: [Double] = []
        for run in 0..<runs {
            var source = SplitMix64(state: UInt64(run * 137 + candidates) &* 1_299_709 &+ 11)
            let shifts = [0] + (1...candidates).map { shift($0, &source) }
            let end = race(shifts, LatencyModel(path: path, losses: 0.003), margin, &source)
            let fastest = shifts.min() ?? 0
            let isSwitchWrong = end.isRecommended && -shifts[end.chosen] <= margin
            wrong += isSwitchWrong ? 1 : 0
            let allowed = max(1, 0.05 * (20 + fastest))
            // A run need not find a resolver that is faster by the margin or less.
            let isWorthIt = -fastest > margin
            best += shifts[end.chosen] - fastest <= allowed || !isWorthIt && end.chosen == 0 ? 1 : 0
            open += end.isOpen ? 1 : 0
            seconds.append(end.seconds)
        }
        seconds.sort()
        let figures =
            [wrong, best, open].map { Double($0) / Double(runs) }
            + [seconds[runs / 2], seconds[runs * 9 / 10]]
        let texts = figures.map { String(format: "%.4f", $0) }
        let title = "\(name), \(candidates), \(path.rawValue)"
        print((["elimination", title, "\(runs)"] + texts).joined(separator: "|"))
    }

    private static func race(
        _ shifts: [Double],
        _ model: LatencyModel,
        _ margin: Double,
        _ source: inout SplitMix64
    ) -> (chosen: Int, isRecommended: Bool, isOpen: Bool, seconds: Double) {
        let rules = ComparisonRules(margin: margin)
        var process = ComparisonProcess(candidates: shifts.count - 1, rules: rules)
        var elimination = Elimination(candidates: shifts.count - 1, rules: rules)
        var (seconds, warmed) = (0.0, 0)
        while elimination.answer == nil, seconds < mostSeconds {
            let asked = elimination.asked
            let inUse = asked.count > 20 ? 3 : names
            func length(_ questions: Int) -> Double {
                max(Double(asked.count * questions) / totalRate, Double(questions) / rate)
            }
            seconds += length(max(0, inUse - warmed))
            warmed = max(warmed, inUse)
            let count = Elimination.names(asking: asked.count, inUse: inUse, totalRate: totalRate)
            var outcomes = shifts.map { _ in [QueryOutcome](repeating: .missing, count: count) }
            for resolver in asked {
                for name in 0..<count {
                    outcomes[resolver][name] = model.outcome(shift: shifts[resolver], from: &source)
                }
            }
            process.add(
                outcomes.dropFirst().map { PairedRound(baseline: outcomes[0], candidate: $0) }
            )
            elimination.add(outcomes, process)
            seconds += length(count)
        }
        switch elimination.answer {
        case .recommended(let chosen): return (chosen, true, false, seconds)
        case .stay, .some(.none): return (0, false, false, seconds)
        case nil:
            let leads = process.comparisons(ending: .budgetSpent).map { $0.medianDifference ?? 0 }
            let asked = elimination.asked.filter { $0 > 0 }
            let first = asked.max { leads[$0 - 1] < leads[$1 - 1] } ?? 0
            return (first > 0 && leads[first - 1] > 0 ? first : 0, false, true, seconds)
        }
    }
}
