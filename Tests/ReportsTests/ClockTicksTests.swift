import Charts
import Samples
import Testing

@testable import Reports

struct ClockTicksTests {
    private func ticks(
        _ seconds: Int,
        from start: Timestamp = HistoryFixture.start,
        clock: LocalClock = HistoryFixture.berlin
    ) -> ClockTicks {
        ClockTicks(window: start..<start.advanced(by: .seconds(seconds)), clock: clock)
    }

    /// The length of the window in minutes, and the labels of its ticks.
    private static let labels: [(Int, String)] = [
        (30, "16 Mar 00:05 00:10 00:15 00:20 00:25"),
        (720, "16 Mar 02:00 04:00 06:00 08:00 10:00"),
        (2880, "16 Mar 06:00 12:00 18:00 17 Mar 06:00 12:00 18:00"),
        (10_080, "16 Mar 17 Mar 18 Mar 19 Mar 20 Mar 21 Mar 22 Mar"),
        (87_840, "16 Mar 23 Mar 30 Mar 6 Apr 13 Apr 20 Apr 27 Apr 4 May 11 May"),
    ]

    @Test(arguments: labels)
    func `ticks are at round times of the local clock`(minutes: Int, labels: String) {
        #expect(ticks(minutes * 60).ticks.map(\.label).joined(separator: " ") == labels)
    }

    @Test func `a year has a tick per month, and January names the year`() {
        let labels = ticks(366 * 86_400).ticks.map(\.label)
        #expect(labels.first == "Apr" || labels.first == "May")
        #expect(labels.contains("Jan 2027"))
        #expect(labels.count <= 12)
    }

    @Test func `ticks of days are at midnight before and after a clock change`() {
        let clock = HistoryFixture.berlin
        for tick in ticks(30 * 86_400).ticks {
            let time = clock.time(at: Timestamp(nanoseconds: tick.moment * 1_000_000_000))
            #expect((time.hour, time.minute) == (0, 0))
        }
    }

    /// The clock of Cairo. The day on which it is put forward begins at 01:00.
    private static let cairo = LocalClock([
        .init(second: 1_761_858_000, offset: 7200, name: "EET"),
        .init(second: 1_776_981_600, offset: 10_800, name: "EEST"),
    ])

    /// The clocks, the moments at which they skip an hour, and the labels from two hours before to five hours
    /// after.
    private static let skipped: [(clock: LocalClock, moment: Int64, labels: String)] = [
        (HistoryFixture.berlin, 1_774_746_000, "29 Mar 01:00 03:00 04:00 05:00 06:00 07:00"),
        (cairo, 1_776_981_600, "22:00 23:00 24 Apr 02:00 03:00 04:00 05:00"),
    ]

    @Test(arguments: skipped.indices)
    func `a skipped hour has no tick, and no time has two ticks`(index: Int) throws {
        let (clock, moment, labels) = Self.skipped[index]
        let start = try #require(Timestamp(wholeSeconds: moment - 7200))
        let found = ticks(7 * 3600, from: start, clock: clock).ticks
        #expect(found.map(\.label).joined(separator: " ") == labels)
        #expect(zip(found, found.dropFirst()).allSatisfy { $1.moment - $0.moment == 3600 })
    }

    @Test func `ticks every two hours omit a skipped hour`() throws {
        let start = try #require(Timestamp(wholeSeconds: 1_774_738_800))
        let labels = ticks(13 * 3600, from: start).ticks.map(\.label)
        #expect(labels == ["29 Mar", "04:00", "06:00", "08:00", "10:00", "12:00"])
    }

    @Test func `ticks are at local midnight with a half-hour offset`() {
        let moments = ticks(5 * 86_400, clock: HistoryFixture.kolkata).ticks.map(\.moment)
        #expect(!moments.isEmpty)
        #expect(moments.allSatisfy { ($0 + 19_800) % 43_200 == 0 })
    }

    @Test(arguments: [0, 1, 59, 86_400 * 36_500])
    func `windows of any length have ticks`(seconds: Int) {
        #expect(ticks(seconds).ticks.count <= 13)
    }

    @Test func `a scale names its zone and the days of clock change`() {
        let scale = TimeScale(HistoryFixture.context(rounds: 0..<1440))
        #expect(scale.zone == "CET/CEST")
        #expect(scale.clockChanges == ["2026-03-29 has 23 hours"])
        #expect(scale.offsets.map(\.seconds) == [3600, 7200])
    }
}
