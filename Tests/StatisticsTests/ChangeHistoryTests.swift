import Testing

@testable import Statistics

struct ChangeHistoryTests {
    /// Returns hours with ten queries each. `failed` returns the number of failures in an hour, and `time`
    /// returns the time of all its answers.
    private func steady(
        _ hours: Range<Int>,
        failed: (Int) -> Int = { _ in 0 },
        time: (Int) -> Double = { _ in 10 }
    ) -> [HourlyBlock] {
        hours.map { hour in
            HourlyBlock(
                hour: hour,
                hourOfWeek: hour % 168,
                answers: [Double](repeating: time(hour), count: 10 - min(10, failed(hour))),
                failed: failed(hour)
            )
        }
    }

    @Test(arguments: GeneratedHistory.Path.allCases, 0..<6)
    func `a daily cycle and a drift are no change`(path: GeneratedHistory.Path, seed: Int) {
        let blocks = GeneratedHistory(path: path, days: 30).blocks(seed: UInt64(seed))
        let history = ChangeHistory(of: blocks)
        #expect(history.changes == [])
        #expect(history.judgedHours == 27 * 24)
    }

    @Test(arguments: GeneratedHistory.Path.allCases, 0..<4)
    func `slow weekends are learnt in three weeks`(path: GeneratedHistory.Path, seed: Int) throws {
        var generated = GeneratedHistory(path: path, days: 120)
        generated.weekend = 3
        let quiet = ChangeHistory(of: generated.blocks(seed: 300 + UInt64(seed)))
        // Before the third weekend, nothing tells a pattern from an episode.
        let learned = 21 * 24
        #expect(quiet.changes.allSatisfy { $0.isOver && $0.hour < learned })
        // The seeds place the step on different days of the week.
        generated.step = ((50 + seed * 2) * 24 + 11, 6)
        let found = ChangeHistory(of: generated.blocks(seed: 400 + UInt64(seed))).changes
            .filter { $0.hour >= learned }
        let change = try #require(found.first)
        #expect(found.count == 1 && change.kind == .slower && abs(change.size - 6) < 1.5)
    }

    @Test(arguments: GeneratedHistory.Path.allCases)
    func `a weekly pattern is learnt`(path: GeneratedHistory.Path) {
        var generated = GeneratedHistory(path: path, days: 120)
        generated.friday = 4
        let changes = ChangeHistory(of: generated.blocks(seed: 500)).changes
        #expect(changes == [])
    }

    @Test(arguments: GeneratedHistory.Path.allCases, 0..<6)
    func `a step of 5 ms is found within 48 hours`(path: GeneratedHistory.Path, seed: Int) throws {
        var generated = GeneratedHistory(path: path, days: 30)
        let hour = 15 * 24 + seed * 17
        generated.step = (hour, 5)
        let history = ChangeHistory(of: generated.blocks(seed: 100 + UInt64(seed)))
        let change = try #require(history.changes.first)
        #expect(history.changes.count == 1)
        #expect(change.kind == .slower)
        #expect(abs(change.hour - hour) <= 3)
        #expect((1...48).contains(change.establishedHour - hour))
        #expect(abs(change.size - 5) <= 1)
        let interval = change.interval
        #expect(interval.contains(change.size))
        #expect(interval.upperBound - interval.lowerBound < 2.2)
    }

    @Test func `three hours that are all slower are enough evidence`() throws {
        let change = try #require(
            ChangeHistory(of: steady(0..<240, time: { $0 < 150 ? 10 : 20 })).changes.first
        )
        #expect(change.establishedHour == 150 + 2)
        #expect(change.hour == 150)
        #expect(change.before == 10 && change.after == 20 && change.size == 10)
        #expect(change.interval.contains(10))
    }

    @Test(arguments: [(10.0, 11.9), (100, 109), (10, 8.1), (100, 91)])
    func `a step within the dead-band is no change`(before: Double, after: Double) {
        let blocks = steady(0..<480, time: { $0 < 200 ? before : after })
        #expect(ChangeHistory(of: blocks).changes == [])
    }

    @Test(arguments: [(10.0, 12.1), (100, 111), (10, 7.9), (100, 89)])
    func `a step beyond the dead-band is a change`(before: Double, after: Double) {
        let changes = ChangeHistory(of: steady(0..<480, time: { $0 < 200 ? before : after }))
            .changes
        #expect(changes.map(\.kind) == [after > before ? .slower : .faster])
        #expect(changes.map(\.hour) == [200])
        #expect(changes.allSatisfy { abs($0.size - (after - before)) < 1e-9 })
    }

    @Test(arguments: [(hours: 100, kind: Incident.Kind.episode), (240, .episode), (300, .step)])
    func `a return within ten days ends an episode`(hours: Int, kind: Incident.Kind) {
        let slow = 200..<200 + hours
        let changes = ChangeHistory(of: steady(0..<800, time: { slow ~= $0 ? 20 : 10 })).changes
        #expect(changes.first?.kind == .slower && changes.first?.incident.kind == kind)
        #expect(changes.first?.hour == 200 && changes.first?.size == 10)
        #expect(changes.count == (kind == .step ? 2 : 1))
        if kind == .step {
            #expect(changes.last?.kind == .faster && changes.last?.hour == slow.upperBound)
        } else {
            #expect(changes.first?.end == slow.upperBound && changes.first?.isOver == true)
        }
    }

    @Test func `missing hours are skipped`() throws {
        var generated = GeneratedHistory(path: .wired, days: 30)
        generated.gap = 300..<348
        #expect(ChangeHistory(of: generated.blocks(seed: 7)).changes == [])
        generated.step = (340, 5)
        let changes = ChangeHistory(of: generated.blocks(seed: 7)).changes
        #expect(changes.map(\.hour) == [348])
        #expect(changes.allSatisfy { abs($0.size - 5) <= 1 })
    }

    @Test func `unordered and repeated hours give the same result as ordered ones`() {
        let blocks = steady(0..<400, time: { $0 < 200 ? 10 : 20 })
        let mixed = Array(blocks.reversed()) + steady(0..<400, time: { _ in 99 })
        #expect(ChangeHistory(of: mixed) == ChangeHistory(of: blocks))
    }

    @Test func `less than three days cannot be judged`() {
        let history = ChangeHistory(of: steady(0..<72, time: { $0 < 30 ? 10 : 500 }))
        #expect(history.changes == [] && history.judgedHours == 0)
        #expect(ChangeHistory(of: []).judgedHours == 0)
        #expect(ChangeHistory(of: steady(0..<73)).judgedHours == 1)
    }

    @Test func `sketches give the same changes as exact times`() throws {
        var generated = GeneratedHistory(path: .wifi, days: 25)
        generated.step = (400, 5)
        let exact = generated.blocks(seed: 11)
        let sketched = generated.sketchedBlocks(seed: 11)
        let left = try #require(ChangeHistory(of: exact).changes.first)
        let right = try #require(ChangeHistory(of: sketched).changes.first)
        #expect(left.kind == right.kind && abs(left.hour - right.hour) <= 1)
        #expect(abs(left.size - right.size) < 0.2)
        #expect(abs(left.before - right.before) < 0.01 * left.before)
    }
}
