import Statistics
import Testing

struct LossChangeTests {
    /// Hours of 20 queries. `failed` returns the number of failures in an hour.
    private func hours(_ count: Int, failed: (Int) -> Int) -> [HourlyBlock] {
        (0..<count).map { hour in
            HourlyBlock(
                hour: hour,
                hourOfWeek: hour % 168,
                answers: [Double](repeating: 10, count: 20 - failed(hour)),
                failed: failed(hour)
            )
        }
    }

    @Test(arguments: 0..<4)
    func `more losses are found within two days`(seed: Int) throws {
        var generated = GeneratedHistory(path: .wired, days: 30)
        generated.losses = (400, 0.06)
        let changes = ChangeHistory(of: generated.blocks(seed: 40 + UInt64(seed))).changes
        let change = try #require(changes.first)
        #expect(changes.count == 1)
        #expect(change.kind == .lessReliable)
        #expect(change.establishedHour - 400 <= 48)
        #expect(abs(change.hour - 400) <= 12)
        #expect(abs(change.before - 0.005) < 0.003 && abs(change.after - 0.06) < 0.01)
        #expect(abs(change.size - (change.after - change.before)) < 1e-12)
        #expect(change.interval.contains(0.055))
    }

    @Test(arguments: [5, 100, 300])
    func `a silence is an outage, and no change of the losses`(length: Int) {
        let silent = 200..<200 + length
        #expect(ChangeHistory(of: hours(700) { silent ~= $0 ? 20 : 0 }).changes == [])
    }

    @Test func `the hours in which an outage begins and ends are no change of the losses`() {
        let lost = [199: 1, 200: 15, 201: 20, 202: 20, 203: 20, 204: 15, 205: 1]
        let changes = ChangeHistory(of: hours(700) { lost[$0] ?? ($0 % 9 == 0 ? 1 : 0) }).changes
        #expect(changes == [])
    }

    @Test func `losses next to a lost hour of two queries count`() {
        let blocks = (0..<700).map { hour in
            let failed = hour < 400 ? 0 : hour % 3 == 0 ? 2 : 1
            return HourlyBlock(
                hour: hour,
                hourOfWeek: hour % 168,
                answers: [Double](repeating: 10, count: 2 - failed),
                failed: failed
            )
        }
        #expect(ChangeHistory(of: blocks).changes.map(\.kind) == [.lessReliable])
    }

    @Test func `a constant share is no change, however high`() {
        #expect(ChangeHistory(of: hours(600) { $0 % 2 == 0 ? 6 : 2 }).changes == [])
    }
}
