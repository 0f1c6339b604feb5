import Foundation
import Statistics

/// The time of reading a year of one resolver, for each measure and for all of them together.
enum IncidentCosts {
    private static let hours = 365 * 24

    static func printAll() {
        var source = SplitMix64(state: 31)
        var state = 0.0
        let blocks = (0..<hours).map { hour in
            state = 0.9 * state + 0.174 * source.normal()
            let level = 15 + state + 2 * sin(2 * .pi * Double(hour % 24) / 24)
            let answers = (0..<36).map { _ in level + 1.5 * exp(0.8 * source.normal()) }
            let failed = (0..<36).count { _ in source.uniform() < 0.005 }
            var block = HourlyBlock(
                hour: hour,
                hourOfWeek: hour % 168,
                answers: answers,
                failed: failed
            )
            block.warmups.hits = (0..<20).count { _ in source.uniform() < 0.7 }
            block.warmups.misses = 20 - block.warmups.hits
            return block
        }
        print("median", blocks.map { $0.quantile(0.5) ?? 0 }, blocks)
        let all = shortest { _ = ChangeHistory(of: blocks).changes.count }
        print("scan|median, p90, loss and cache|\(format(all))|\(format(all / 4))")
    }

    /// Prints the time of one quantile.
    private static func print(_ name: String, _ values: [Double], _ blocks: [HourlyBlock]) {
        let time = shortest {
            var levels = LevelIncidents()
            for (block, value) in zip(blocks, values) {
                levels.add(hour: block.hour, value: value, hourOfWeek: block.hourOfWeek)
            }
            _ = levels.incidents.count
        }
        print("scan|\(name)|\(format(time))|\(format(time))")
    }

    private static func print(_ line: String) { Swift.print(line) }

    private static func format(_ milliseconds: Double) -> String {
        String(format: "%.1f", milliseconds)
    }

    /// The shortest of five times, in milliseconds.
    private static func shortest(_ body: () -> Void) -> Double {
        let times = (0..<5).map { _ in ContinuousClock().measure(body) }
        return (times.min() ?? .zero) / .microseconds(1) / 1000
    }
}
