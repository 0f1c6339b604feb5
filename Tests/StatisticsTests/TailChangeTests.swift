import Foundation
import Testing

@testable import Statistics

struct TailChangeTests {
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
        let changes = ChangeHistory(of: slowed(4, 200..<300)).changes
        try #require(changes.map(\.kind) == [.slowerTail])
        #expect(changes[0].incident.kind == .episode)
        #expect(changes[0].hour == 200 && changes[0].end == 300)
        #expect(changes[0].before == 20 && changes[0].after == 40)
        #expect(changes[0].medianMoved == 0)
        #expect(changes[0].establishedHour == 200 + 2)
    }

    @Test(arguments: [(4, 1.9), (1, 500)])
    func `few slow answers or a small step are no change`(count: Int, size: Double) {
        #expect(ChangeHistory(of: slowed(count, by: size, 200..<600)).changes == [])
    }

    @Test func `a slowdown of every answer is reported once, as a change of the median`() {
        let all = ChangeHistory(of: slowed(12, by: 8, 200..<300)).changes
        #expect(all.map(\.kind) == [.slower] && all[0].end == 300)
        #expect(all.map(\.medianMoved) == [nil])
        // All answers become 8 ms slower, and a third of them 6 ms more. The median moves most of the way.
        let most = ChangeHistory(of: slowed(4, by: 6, 200..<300, body: 8)).changes
        #expect(most.map(\.kind) == [.slower])
    }

    @Test(arguments: [30, 70])
    func `a change of p90, then of the median, is reported once`(hours: Int) throws {
        let later = 200 + hours
        var blocks = slowed(4, by: 30, 200..<600, of: 0..<later)
        blocks += slowed(4, by: 30, 200..<600, of: later..<600, body: 3)
        let changes = ChangeHistory(of: blocks).changes
        // Within two days both are one change.
        let isOne = hours < LevelChange.sameHours
        #expect(changes.map(\.kind) == (isOne ? [.slower] : [.slowerTail, .slower]))
        #expect(changes.map(\.hour) == (isOne ? [later] : [200, later]))
        #expect(changes.map(\.medianMoved) == (isOne ? [nil] : [0, nil]))
    }

    @Test func `bad evenings are episodes and no lasting change`() {
        let evenings = blocks(0..<720) { hour in
            let isBad = hour >= 240 && hour % 72 < 6
            return (0..<12).map { 10 + Double($0) + (isBad ? 30 : 0) }
        }
        let changes = ChangeHistory(of: evenings).changes
        #expect(!changes.isEmpty && changes.allSatisfy(\.isOver))
    }

    @Test func `a miss rate that fluctuates around one in ten is no change`() {
        let edge = blocks(0..<720) { hour in
            let misses = hour % 7 < 4 ? 3 : 1
            return (0..<20).map { 10 + Double($0) / 10 + ($0 >= 20 - misses ? 150 : 0) }
        }
        #expect(ChangeHistory(of: edge).changes == [])
        let fewer = blocks(0..<720) { hour in
            let misses = hour < 360 ? 3 : 1
            return (0..<20).map { 10 + Double($0) / 10 + ($0 >= 20 - misses ? 150 : 0) }
        }
        // The p90 is now an answer without a miss.
        #expect(ChangeHistory(of: fewer).changes.map(\.kind) == [.fasterTail])
    }

    @Test func `hours of fewer than ten answers are ignored for the p90`() {
        func few(_ count: Int) -> [HourlyBlock] {
            blocks(0..<600) { hour in
                (0..<count).map { 10 + ($0 >= count - 3 && hour >= 200 ? 20 : 0) }
            }
        }
        #expect(ChangeHistory(of: few(9)).changes == [])
        #expect(ChangeHistory(of: few(10)).changes.map(\.kind) == [.slowerTail])
    }
}
