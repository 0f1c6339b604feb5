import Foundation
import Statistics
import Testing

/// The figures of change detection over 60 histories of 60 days each. The suite takes a long time, so it runs
/// only with DNSTEMPO_BENCH=1 in the environment.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["DNSTEMPO_BENCH"] == "1"))
struct ChangeBenchTests {
    private static let histories = 60

    @Test(arguments: GeneratedHistory.Path.allCases)
    func `sixty quiet histories raise no alarm`(path: GeneratedHistory.Path) {
        let alarms = (0..<Self.histories).count { number in
            let blocks = GeneratedHistory(path: path).blocks(seed: UInt64(number))
            return !ChangeHistory(of: blocks).changes.isEmpty
        }
        print("changes|\(path)|none|\(alarms) of \(Self.histories)|–|–|–|–|–")
        #expect(alarms == 0)
    }

    @Test(arguments: GeneratedHistory.Path.allCases, [5.0, -5])
    func `a step is found in sixty histories`(path: GeneratedHistory.Path, size: Double) throws {
        var delays: [Int] = []
        var errors: [Double] = []
        var shifts: [Int] = []
        var others = 0
        for number in 0..<Self.histories {
            var history = GeneratedHistory(path: path)
            let hour = 20 * 24 + number * 13
            history.step = (hour, size)
            let found = ChangeHistory(of: history.blocks(seed: 1000 + UInt64(number)))
            others += max(0, found.changes.count - 1)
            guard let change = found.changes.first else { continue }
            if change.kind != (size > 0 ? .slower : .faster) { others += 1 }
            delays.append(change.establishedHour - hour)
            errors.append(abs(change.size - size))
            shifts.append(abs(change.hour - hour))
        }
        delays.sort()
        errors.sort()
        shifts.sort()
        let middle = Self.histories / 2
        try #require(delays.count == Self.histories && others == 0)
        let times = [delays[middle], delays[Self.histories - 1]].map(String.init)
        let sizes = [errors[middle], errors[Self.histories - 1]].map { String(format: "%.2f", $0) }
        let figures = times + sizes + ["\(shifts.max() ?? 0)"]
        let found = "\(delays.count) of \(Self.histories)"
        print((["changes", "\(path)", "\(size)", found] + figures).joined(separator: "|"))
        #expect(errors.allSatisfy { $0 <= 1 })
        // The distribution of times has an upper tail, so a decrease takes longer to establish.
        #expect(delays.allSatisfy { $0 <= (size > 0 ? 48 : 72) })
    }
}
