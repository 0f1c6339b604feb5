import Foundation
import Statistics

/// The number of rounds until a difference is established, and until it becomes a verdict.
struct RoundsToVerdict {
    let path: LatencyModel.Path
    /// The milliseconds by which the baseline is slower.
    let shift: Double
    let margin: Double
    var limit = 400
    var repetitions = 1_000

    static func printAll() {
        for path in LatencyModel.Path.allCases {
            for shift in [1.0, 5, 17] {
                RoundsToVerdict(path: path, shift: shift, margin: 0, limit: 1_000).report()
            }
            for shift in [-5.0, 0, 1, 3, 5, 8, 17] {
                RoundsToVerdict(path: path, shift: shift, margin: 5).report()
            }
        }
    }

    private func report() {
        let model = LatencyModel(path: path)
        let run = PairedRun(baseline: model, candidate: model, shift: shift)
        var established: [Int] = []
        var verdicts: [Int] = []
        var counts: [Verdict: Int] = [:]
        var wrong = 0
        for repetition in 0..<repetitions {
            var source = SplitMix64(state: UInt64(repetition) &* 15_485_863 &+ 11)
            var speed = EProcess()
            var certain: Int?
            var process = ComparisonProcess(candidates: 1, rules: ComparisonRules(margin: margin))
            for number in 1...limit where certain == nil || !process.isDecided {
                let round = run.round(from: &source)
                process.add([round])
                if let share = round.share(above: margin) { speed.add(share) }
                if certain == nil, speed.logPValue <= log(0.05) {
                    certain = number
                    let isFaster = speed.logEAbove > speed.logEBelow
                    if isFaster != (shift > margin) { wrong += 1 }
                }
            }
            established.append(certain ?? .max)
            let verdict = process.verdict(of: 0)?.verdict
            let rounds = process.comparisons(ending: .budgetSpent).first?.rounds ?? 0
            verdicts.append(verdict == nil ? .max : rounds)
            counts[verdict ?? .undecided, default: 0] += 1
        }
        let shares = [Verdict.switch, .keep, .undecided].map {
            String(format: "%.3f", Double(counts[$0, default: 0]) / Double(repetitions))
        }
        let figures =
            [Self.quantile(established, 0.5), Self.quantile(established, 0.9)]
            + ["\(wrong)", Self.quantile(verdicts, 0.5), Self.quantile(verdicts, 0.9)] + shares
        let name = ["rounds", "\(Int(margin))", "\(Int(shift))", path.rawValue]
        print((name + figures).joined(separator: "|"))
    }

    /// Returns the nearest-rank quantile; `-` beyond the limit.
    private static func quantile(_ rounds: [Int], _ part: Double) -> String {
        let rank = max(1, Int((part * Double(rounds.count)).rounded(.up)))
        let value = rounds.sorted()[rank - 1]
        return value == .max ? "-" : "\(value)"
    }
}
