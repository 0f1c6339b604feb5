extension FixedWidthInteger {
    /// The quotient, rounded down.
    package func dividedDown(by divisor: Self) -> Self {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    /// The rest of the division that rounds down, from 0 to `divisor` − 1.
    package func rest(by divisor: Self) -> Self { self - dividedDown(by: divisor) * divisor }
}

extension Int64 {
    /// The nanoseconds of an hour.
    package static let nanosecondsPerHour: Int64 = 3_600_000_000_000
}

extension Int {
    /// The hour of the week, 0 to 167, of this number of hours.
    var hourOfWeek: Int { rest(by: 168) }
}
