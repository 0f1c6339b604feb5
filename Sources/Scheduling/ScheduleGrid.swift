/// The slots of a schedule: the whole multiples of its interval on the local clock.
///
/// Times are seconds since 1970 in UTC.
package struct ScheduleGrid: Sendable {
    package let interval: ScheduleInterval
    /// How many seconds the local clock is ahead of UTC at a moment.
    private let offset: @Sendable (Int64) -> Int

    package init(_ interval: ScheduleInterval, offset: @escaping @Sendable (Int64) -> Int) {
        self.interval = interval
        self.offset = offset
    }

    /// The first slot after `time`.
    package func slot(after time: Int64) -> Int64 {
        let length = Int64(interval.minutes * 60)
        let ahead = Int64(offset(time))
        let local = time + ahead
        let next = local - Self.remainder(local, length) + length - ahead
        if Int64(offset(next)) == ahead { return next }
        return slotAcrossClockChange(after: time)
    }

    /// Looks at each minute: between two slots the local clock was put forward or back. One that
    /// it left out is no slot, one that it has twice is two.
    private func slotAcrossClockChange(after time: Int64) -> Int64 {
        let length = Int64(interval.minutes * 60)
        var minute = time - Self.remainder(time, 60) + 60
        // A clock change leaves out a day at the most.
        let last = minute + 3 * 86_400
        while minute < last, Self.remainder(minute + Int64(offset(minute)), length) != 0 {
            minute += 60
        }
        return minute
    }

    /// The remainder that is never negative.
    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        (value % divisor + divisor) % divisor
    }
}
