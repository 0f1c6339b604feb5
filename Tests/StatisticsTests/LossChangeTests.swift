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

    @Test func `a constant share is no change, however high`() {
        #expect(ChangeHistory(of: hours(600) { $0 % 2 == 0 ? 6 : 2 }).changes == [])
    }
}
