import Scheduling
import Testing

/// The slots of a schedule. All times are in minutes after 2026-01-01T00:00Z.
struct ScheduleProgressTests {
    private static let origin: Int64 = 1_767_225_600

    private static func progress(
        every minutes: Int = 5,
        installed: Int64,
        rounds: [Int64],
        now: Int64,
        offset: @escaping @Sendable (Int64) -> Int = { _ in 0 }
    ) throws -> ScheduleProgress {
        ScheduleProgress(
            grid: ScheduleGrid(try Example.interval(minutes), offset: offset),
            installed: origin + 60 * installed,
            rounds: rounds.map { origin + 60 * $0 },
            now: origin + 60 * now
        )
    }

    @Test(arguments: [
        (installed: 2, rounds: [], now: 3, slots: 0, missed: 0, next: 5),
        (installed: 2, rounds: [], now: 5, slots: 0, missed: 0, next: 10),
        (installed: 2, rounds: [], now: 9, slots: 0, missed: 0, next: 10),
        (installed: 2, rounds: [], now: 10, slots: 1, missed: 1, next: 15),
        (installed: 2, rounds: [6], now: 10, slots: 1, missed: 0, next: 15),
        (installed: 2, rounds: [9, 5, 10], now: 20, slots: 3, missed: 1, next: 25),
        (installed: 5, rounds: [5], now: 20, slots: 2, missed: 2, next: 25),
        (installed: 0, rounds: [1, 2, 3], now: 61, slots: 11, missed: 11, next: 65),
        (installed: 90, rounds: [5], now: 61, slots: 0, missed: 0, next: 65),
    ])
    func `a slot is missed once it is over and no round began in it`(
        example: (
            installed: Int64, rounds: [Int64], now: Int64, slots: Int, missed: Int, next: Int64
        )
    ) throws {
        let progress = try Self.progress(
            installed: example.installed,
            rounds: example.rounds,
            now: example.now
        )
        #expect(progress.slots == example.slots)
        #expect(progress.missed == example.missed)
        #expect(progress.next == Self.origin + 60 * example.next)
        #expect(progress.lastRound == example.rounds.max().map { Self.origin + 60 * $0 })
    }

    @Test func `slots of whole hours follow the local clock`() throws {
        let kathmandu: @Sendable (Int64) -> Int = { _ in 20_700 }
        let daily = try Self.progress(
            every: 1440,
            installed: 0,
            rounds: [],
            now: 0,
            offset: kathmandu
        )
        #expect(daily.next == Self.origin + 60 * (1440 - 345))
        let hourly = try Self.progress(
            every: 60,
            installed: 0,
            rounds: [],
            now: 0,
            offset: kathmandu
        )
        #expect(hourly.next == Self.origin + 60 * 15)
    }

    @Test func `a clock set forward skips a slot, a clock set back repeats it`() throws {
        // At 01:00Z, the offset changes from +1 h to +2 h. The local clock then shows 03:00 instead of 02:00.
        let forward: @Sendable (Int64) -> Int = { $0 < Self.origin + 3600 ? 3600 : 7200 }
        let spring = ScheduleGrid(try Example.interval(120), offset: forward)
        #expect(spring.slot(after: Self.origin - 3600) == Self.origin + 2 * 3600)
        // At 01:00Z, the offset changes from +2 h to +1 h. The local clock shows 02:00 at 00:00Z and at
        // 01:00Z.
        let back: @Sendable (Int64) -> Int = { $0 < Self.origin + 3600 ? 7200 : 3600 }
        let autumn = ScheduleGrid(try Example.interval(120), offset: back)
        #expect(autumn.slot(after: Self.origin - 1) == Self.origin)
        #expect(autumn.slot(after: Self.origin) == Self.origin + 3600)
        #expect(autumn.slot(after: Self.origin + 3600) == Self.origin + 3 * 3600)
    }

    @Test func `a clock change neither adds nor removes slots of a minute`() throws {
        let change = Self.origin + 90 * 86_400
        let progress = try Self.progress(
            every: 1,
            installed: 0,
            rounds: [],
            now: 365 * 1440,
            offset: { $0 < change ? 3600 : 7200 }
        )
        #expect(progress.slots == 365 * 1440 - 1)
    }
}
