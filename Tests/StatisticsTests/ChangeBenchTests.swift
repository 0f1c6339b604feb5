import Foundation
import Statistics
import Testing

/// The figures of change detection over 60 histories of 60 days each; takes minutes, so only with
/// DNSTEMPO_BENCH=1 in the environment.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["DNSTEMPO_BENCH"] == "1"))
struct ChangeBenchTests {
    private static let histories = 60

    @Test(arguments: GeneratedHistory.Path.allCases)
    func `sixty quiet histories raise no alarm`(path: GeneratedHistory.Path) {
        let alarms = (0..<Self.histories).count { number in
            let blocks = GeneratedHistory(path: path).blocks(seed: UInt64(number))
            return !ChangeDetector().history(of: blocks).changes.isEmpty
        }
        print("changes: \(path), no change: \(alarms) of \(Self.histories) false alarms")
        #expect(alarms == 0)
    }

    @Test(arguments: GeneratedHistory.Path.allCases, [5.0, -5])
    func `a step is found in sixty histories`(path: GeneratedHistory.Path, size: Double) {
        var delays: [Int] = []
        var errors: [Double] = []
        var shifts: [Int] = []
        var others = 0
        var covered = 0
        for number in 0..<Self.histories {
            var history = GeneratedHistory(path: path)
            let hour = 20 * 24 + number * 13
            history.step = (hour, size)
            let found = ChangeDetector().history(of: history.blocks(seed: 1000 + UInt64(number)))
            others += max(0, found.changes.count - 1)
            guard let change = found.changes.first else { continue }
            if change.kind != (size > 0 ? .slower : .faster) { others += 1 }
            delays.append(change.establishedHour - hour)
            errors.append(abs(change.size - size))
            shifts.append(abs(change.hour - hour))
            if let interval = change.interval, interval.contains(size) { covered += 1 }
        }
        delays.sort()
        errors.sort()
        shifts.sort()
        let middle = delays.count / 2
        print(
            "changes: \(path), \(size) ms: \(delays.count) of \(Self.histories) found, delay "
                + "median \(delays[middle]) h, most \(delays.last ?? 0) h; size off by median "
                + "\(errors[middle]), most \(errors.last ?? 0) ms; moment off by median \(shifts[middle]), most "
                + "\(shifts.last ?? 0) h; \(others) others, covered \(covered)"
        )
        #expect(delays.count == Self.histories && others == 0)
        #expect(delays.allSatisfy { $0 <= 48 } && errors.allSatisfy { $0 <= 1 })
    }
}
