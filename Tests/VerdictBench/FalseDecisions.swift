import Foundation
import Statistics

/// The frequency of false results if the evidence is examined after each of 300 rounds.
enum FalseDecisions {
    static let repetitions = 2_000
    static let rounds = 300

    static func printAll() {
        for path in LatencyModel.Path.allCases {
            let model = LatencyModel(path: path)
            report("identical, \(path)", PairedRun(baseline: model, candidate: model))
        }
        let wifi = LatencyModel(path: .wifi)
        let lossy = LatencyModel(path: .wifi, losses: 0.1)
        report("a tenth lost, wifi", PairedRun(baseline: lossy, candidate: lossy))
        let tails = [0.2, 0].map { LatencyModel(path: .wifi, misses: $0) }
        report("unequal tails, wifi", PairedRun(baseline: tails[0], candidate: tails[1]).levelled())
        report("offset per round, wifi", PairedRun(baseline: wifi, candidate: wifi, offset: 3))
        reportSix()
    }

    /// Reports on one candidate: the e-processes for its direction, and for more failures.
    private static func report(_ name: String, _ run: PairedRun) {
        var speeds = 0
        var failures = 0
        // Each null hypothesis has its own random numbers.
        let seed = name.utf8.reduce(17) { $0 &* 31 &+ UInt64($1) }
        for repetition in 0..<repetitions {
            var source = SplitMix64(state: seed &+ UInt64(repetition) &* 7_919)
            var (speed, failing) = (EProcess(), EProcess())
            var (isFaster, isFailing) = (false, false)
            for _ in 0..<rounds {
                let round = run.round(from: &source)
                if let share = round.share(above: 0) { speed.add(share) }
                if let excess = round.failureExcess { failing.add(signOf: excess) }
                if speed.logPValue <= log(0.05) { isFaster = true }
                if failing.logPValueAbove <= log(0.05) { isFailing = true }
            }
            if isFaster { speeds += 1 }
            if isFailing { failures += 1 }
        }
        printLine(name, repetitions, [speeds, failures])
    }

    /// Reports on six equal resolvers: the frequency of a direction for any of five candidates, and
    /// of a resolver that is wrongly excluded from the best.
    private static func reportSix() {
        let model = LatencyModel(path: .wifi)
        let repetitions = 1_000
        var verdicts = 0
        var dropped = 0
        for repetition in 0..<repetitions {
            var source = SplitMix64(state: UInt64(repetition) &* 104_729 &+ 3)
            let outcomes = (0..<rounds).map { _ in
                (0..<6).map { _ in
                    (0..<PairedRun.names).map { _ in model.outcome(shift: 0, from: &source) }
                }
            }
            var process = ComparisonProcess(candidates: 5, rules: ComparisonRules(margin: 0))
            var isDecided = false
            for round in outcomes {
                process.add(
                    round.dropFirst().map { PairedRound(baseline: round[0], candidate: $0) }
                )
                if (0..<5).contains(where: { process.verdict(of: $0) != nil }) { isDecided = true }
            }
            if isDecided { verdicts += 1 }
            let ranking = Ranking(resolvers: 6, rounds: outcomes)
            if ranking?.ranks[0].lowerBound != 1 { dropped += 1 }
        }
        printLine("six equal, wifi", repetitions, [verdicts, dropped])
    }

    private static func printLine(_ name: String, _ repetitions: Int, _ counts: [Int]) {
        let shares = counts.map { String(format: "%.4f", Double($0) / Double(repetitions)) }
        print((["null", name, "\(repetitions)"] + shares).joined(separator: "|"))
    }
}
