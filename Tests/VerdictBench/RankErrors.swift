import Foundation
import Statistics

/// The frequency with which a resolver's rank interval misses its true rank, and the width of the intervals.
enum RankErrors {
    static let repetitions = 200
    static let rounds = 100

    static func printAll() {
        for resolvers in [5, 12, 30] {
            for (name, spread) in [("equal", 0.0), ("1 ms apart", 1), ("3 ms apart", 3)] {
                report(name, resolvers: resolvers, spread: spread)
            }
        }
    }

    /// Reports the ranks of resolvers on Wi-Fi after all rounds. Each resolver is `spread` milliseconds
    /// slower than the one before.
    private static func report(_ name: String, resolvers: Int, spread: Double) {
        let model = LatencyModel(path: .wifi)
        var (wrongOne, wrongAny, width) = (0, 0, 0)
        for repetition in 0..<repetitions {
            var source = SplitMix64(state: UInt64(repetition * 131 + resolvers) &* 104_729 &+ 7)
            let outcomes = (0..<rounds).map { _ in
                (0..<resolvers).map { resolver in
                    (0..<PairedRun.names).map { _ in
                        model.outcome(shift: spread * Double(resolver), from: &source)
                    }
                }
            }
            guard let ranks = Ranking(resolvers: resolvers, rounds: outcomes)?.ranks else {
                continue
            }
            // Equal resolvers may have any rank, so each interval must contain all ranks.
            let wrong = ranks.enumerated().filter { place, ranks in
                spread == 0 ? ranks != 1...resolvers : !ranks.contains(place + 1)
            }
            wrongOne += wrong.contains { $0.offset == resolvers / 2 } ? 1 : 0
            wrongAny += wrong.isEmpty ? 0 : 1
            width += ranks.reduce(0) { $0 + $1.count }
        }
        let figures = [
            Double(wrongOne) / Double(repetitions), Double(wrongAny) / Double(repetitions),
            Double(width) / Double(repetitions * resolvers),
        ]
        let texts = figures.map { String(format: "%.4f", $0) }
        let title = "\(resolvers), \(name)"
        print((["ranks", title, "\(repetitions)"] + texts).joined(separator: "|"))
    }
}
