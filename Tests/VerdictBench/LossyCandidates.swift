import Foundation
import Statistics

/// The verdicts on a candidate that is faster, but loses more than the baseline, which loses nothing.
enum LossyCandidates {
    static let repetitions = 1_000
    static let rounds = 100

    static func printAll() {
        for losses in [0.0, 0.03, 0.05] { report(losses: losses) }
    }

    private static func report(losses: Double) {
        let run = PairedRun(
            baseline: LatencyModel(path: .wired, losses: 0),
            candidate: LatencyModel(path: .wired, losses: losses),
            shift: 10
        )
        var established: [Int] = []
        var switches = 0
        for repetition in 0..<repetitions {
            var source = SplitMix64(state: UInt64(repetition) &* 32_452_843 &+ 5)
            var process = ComparisonProcess(candidates: 1)
            var found: Int?
            for number in 1...rounds {
                process.add([run.round(from: &source)])
                if found == nil, process.verdict(of: 0)?.reason == .reliability { found = number }
            }
            established.append(found ?? .max)
            if process.verdict(of: 0)?.verdict == .switch { switches += 1 }
        }
        let median = established.sorted()[repetitions / 2]
        let figures = [
            median == .max ? "-" : "\(median)",
            String(format: "%.4f", Double(established.count { $0 != .max }) / Double(repetitions)),
            String(format: "%.4f", Double(switches) / Double(repetitions)),
        ]
        print((["losses", "\(losses)", "\(repetitions)"] + figures).joined(separator: "|"))
    }
}
