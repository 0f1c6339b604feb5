/// The slots since a schedule was installed, and the missed slots.
///
/// Times are seconds since 1970 in UTC.
package struct ScheduleProgress: Hashable, Sendable {
    /// The number of past slots. The next slot after each of them has begun.
    package let slots: Int
    /// The number of past slots in which no round began.
    package let missed: Int
    /// The start of the last round; `nil` before the first.
    package let lastRound: Int64?
    package let next: Int64

    /// `rounds` are the start times of rounds, in any order. A round belongs to the last slot
    /// before it, because the splay delays its start.
    package init(grid: ScheduleGrid, installed: Int64, rounds: [Int64], now: Int64) {
        let begun = rounds.sorted()
        var slots = 0
        var missed = 0
        var index = 0
        var slot = grid.slot(after: installed)
        while true {
            let following = grid.slot(after: slot)
            guard following <= now else { break }
            while index < begun.count, begun[index] < slot { index += 1 }
            slots += 1
            if index == begun.count || begun[index] >= following { missed += 1 }
            slot = following
        }
        self.slots = slots
        self.missed = missed
        lastRound = begun.last
        next = grid.slot(after: now)
    }
}

/// The slots of a schedule: the whole multiples of its interval on the local clock.
///
/// Times are seconds since 1970 in UTC.
package struct ScheduleGrid: Sendable {
    package let interval: ScheduleInterval
    /// The number of seconds that the local clock is ahead of UTC at a time.
    private let offset: @Sendable (Int64) -> Int

    package init(_ interval: ScheduleInterval, offset: @escaping @Sendable (Int64) -> Int) {
        self.interval = interval
        self.offset = offset
    }

    package func slot(after time: Int64) -> Int64 {
        let length = Int64(interval.minutes * 60)
        let ahead = Int64(offset(time))
        let local = time + ahead
        let next = local - Self.remainder(local, length) + length - ahead
        if Int64(offset(next)) == ahead { return next }
        return slotAcrossClockChange(after: time)
    }

    /// The next slot after a time when the clock was put forward or back. It checks each minute. A
    /// time that the clock skips is no slot, and a time that it repeats is two slots.
    private func slotAcrossClockChange(after time: Int64) -> Int64 {
        let length = Int64(interval.minutes * 60)
        var minute = time - Self.remainder(time, 60) + 60
        // A clock change skips at most a day.
        let last = minute + 3 * 86_400
        while minute < last, Self.remainder(minute + Int64(offset(minute)), length) != 0 {
            minute += 60
        }
        return minute
    }

    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        (value % divisor + divisor) % divisor
    }
}
