import Foundation
import Testing

@testable import Statistics

struct TailChangeTests {
    private let detector = ChangeDetector.self

    /// Hours with the answers that `times` returns for each hour.
    private func blocks(_ hours: Range<Int>, times: (Int) -> [Double]) -> [HourlyBlock] {
        hours.map { HourlyBlock(hour: $0, hourOfWeek: $0 % 168, answers: times($0), failed: 0) }
    }

    /// Hours of twelve answers from 10 to 21 ms. In `hours`, the slowest `count` answers take longer.
    private func slowed(
        _ count: Int,
        by size: Double = 20,
        _ hours: Range<Int>,
        of all: Range<Int> = 0..<600,
        body: Double = 0
    ) -> [HourlyBlock] {
        blocks(all) { hour in
            (0..<12).map { answer in
                guard hours.contains(hour) else { return 10 + Double(answer) }
                return 10 + Double(answer) + body + (answer >= 12 - count ? size : 0)
            }
        }
    }

    @Test func `a slowdown of one third of the answers and its end are found`() throws {
        let changes = detector.history(of: slowed(4, 200..<300)).changes
        try #require(changes.map(\.kind) == [.slowerTail, .fasterTail])
        #expect(changes.map(\.hour) == [200, 300])
        #expect(changes.map(\.before) == [20, 40] && changes.map(\.after) == [40, 20])
        #expect(changes.map(\.size) == [20, -20])
        #expect(changes.map(\.interval) == [20...20, -20 ... -20])
        #expect(changes.map(\.medianMoved) == [0, 0])
        // The fifteenth hour is sufficient, as for the median, because every hour is beyond the limit.
        #expect(changes[1].establishedHour == 300 + 14)
    }

    @Test func `the evidence follows the share of the answers`() throws {
        // One third of the answers exceeds the allowed fifth by two thirds. The largest bet multiplies its
        // wealth by 1.5333 per hour.
        var wealth = [1.0, 1, 1, 1, 1]
        var hours = 0
        while wealth.reduce(0, +) / 5 < 1000 {
            for (index, bet) in [0.05, 0.1, 0.2, 0.4, 0.8].enumerated() {
                wealth[index] *= 1 + bet / 0.2 * (1.0 / 3 - 0.2)
            }
            hours += 1
        }
        let change = try #require(detector.history(of: slowed(4, 200..<600)).changes.first)
        #expect(change.establishedHour == 200 + hours - 1)
    }

    @Test(arguments: [(2, 20.0), (4, 1.9), (1, 500)])
    func `few slow answers or a small step are no change`(count: Int, size: Double) {
        #expect(detector.history(of: slowed(count, by: size, 200..<600)).changes == [])
    }

    @Test func `a slowdown of every answer is reported once, as a change of the median`() {
        let all = detector.history(of: slowed(12, by: 8, 200..<300)).changes
        #expect(all.map(\.kind) == [.slower, .faster])
        #expect(all.map(\.medianMoved) == [nil, nil])
        // All answers become 8 ms slower, and a third of them 6 ms more. The median moves most of the way.
        let most = detector.history(of: slowed(4, by: 6, 200..<300, body: 8)).changes
        #expect(most.map(\.kind) == [.slower, .faster])
    }

    @Test(arguments: [(30, 1), (70, 2)])
    func `a change of p90, then of the median, is reported once`(hours: Int, count: Int) throws {
        let later = 200 + hours
        var blocks = slowed(4, by: 30, 200..<600, of: 0..<later)
        blocks += slowed(4, by: 30, 200..<600, of: later..<600, body: 3)
        #expect(SpeedChanges(blocks).changes.map(\.hour) == [later])
        let changes = detector.history(of: blocks).changes
        let (kinds, starts) = ([LevelChange.Kind.slowerTail, .slower], [200, later])
        #expect(changes.map(\.kind) == Array(kinds.prefix(count)))
        #expect(changes.map(\.hour) == Array(starts.prefix(count)))
        let moved = try #require(changes.first?.medianMoved)
        #expect(hours == 30 ? moved > 2 : moved < 1)
    }

    @Test func `bad evenings are no lasting change`() {
        let evenings = blocks(0..<720) { hour in
            let isBad = hour >= 240 && hour % 72 < 6
            return (0..<12).map { 10 + Double($0) + (isBad ? 30 : 0) }
        }
        #expect(detector.history(of: evenings).changes == [])
    }

    @Test func `a miss rate that fluctuates around one in ten is no change`() {
        let edge = blocks(0..<720) { hour in
            let misses = hour % 7 < 4 ? 3 : 1
            return (0..<20).map { 10 + Double($0) / 10 + ($0 >= 20 - misses ? 150 : 0) }
        }
        #expect(detector.history(of: edge).changes == [])
        let fewer = blocks(0..<720) { hour in
            let misses = hour < 360 ? 3 : 1
            return (0..<20).map { 10 + Double($0) / 10 + ($0 >= 20 - misses ? 150 : 0) }
        }
        #expect(detector.history(of: fewer).changes == [])
    }

    @Test func `hours of fewer than ten answers are ignored for the p90`() {
        func few(_ count: Int) -> [HourlyBlock] {
            blocks(0..<600) { hour in
                (0..<count).map { 10 + ($0 >= count - 3 && hour >= 200 ? 20 : 0) }
            }
        }
        #expect(detector.history(of: few(9)).changes == [])
        #expect(detector.history(of: few(10)).changes.map(\.kind) == [.slowerTail])
    }

    /// Returns the fortnight of `number`, as tail.py generates it: the hours in which the slowdown begins and
    /// ends, and all hours.
    private func fortnight(_ number: Int) -> (start: Int, end: Int, hours: [HourlyBlock]) {
        let (size, count) = (Double(4 + number % 13), 2 + number % 8)
        let start = 100 + number % 50
        let end = start + 40 + number * 7 % 120
        let hours = blocks(0..<336) { hour in
            let cycle = Double(number % 4 * (hour % 24 - 12)) / 6
            return (0..<20).map { answer in
                let noise = (Double(hour * 31 + answer * 17 + number * 7) * 0.618_033_988_749_895)
                    .truncatingRemainder(dividingBy: 1)
                let isSlow = (start..<end).contains(hour) && (answer * 7 + number) % 20 < count
                return 15 + cycle + Double(answer) * 0.5 + 2 * noise + (isSlow ? size : 0)
            }
        }
        return (start, end, hours)
    }

    @Test func `two hundred fortnights have the reference's evidence and changes`() throws {
        let file = ReferenceGolden.folder.appending(path: "tail.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 200)
        for (index, line) in lines.enumerated() {
            let columns = line.split(separator: "\t")
            let (start, end, hours) = fortnight(index + 1)
            let rise = TailChanges(Array(hours.prefix(start + 12))).times.rise.evidence
            #expect(agree(rise, Double(columns[1]), within: 1e-9), "\(index + 1)")
            let fall = TailChanges(Array(hours.prefix(end + 12))).times.fall.evidence
            #expect(agree(fall, Double(columns[2]), within: 1e-9), "\(index + 1)")
            let found = TailChanges(hours).found.map {
                "\($0.kind.rawValue) \($0.start) \($0.alarm)"
            }
            #expect((found.isEmpty ? "-" : found.joined(separator: ",")) == columns[3])
        }
    }
}
