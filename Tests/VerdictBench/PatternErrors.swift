import Foundation
import Statistics

/// How often the test of patterns reports a course of the day, in hourly medians whose neighbours have a
/// correlation of 0.9 and a standard deviation of 0.5 ms.
enum PatternErrors {
    private static let series = 400

    static func printAll() {
        for days in [7, 14, 30] {
            printLine("no pattern", days) { _ in 0 }
            printLine("no pattern, drift of 0.35 ms per day", days) { Double($0) * 0.35 / 24 }
            printLine("no pattern, step of 5 ms", days) { $0 > days * 12 ? 5 : 0 }
            for size in [0.5, 1, 2] {
                printLine("five evening hours slower by \(size) ms", days) {
                    (18..<23).contains($0 % 24) ? size : 0
                }
            }
        }
    }

    private static func printLine(_ name: String, _ days: Int, adding change: (Int) -> Double) {
        let found = (0..<series).count { number in
            var source = SplitMix64(state: UInt64(500_000 + number))
            var state = 0.5 * source.normal()
            let values = (0..<days * 24).map { hour in
                state = 0.9 * state + 0.218 * source.normal()
                return (unit: hour, value: 20 + state + change(hour))
            }
            return CycleTest(period: 24, values)?.isEstablished(among: 1) == true
        }
        print("pattern|\(name)|\(days)|\(series)|\(Double(found) / Double(series))")
    }
}
