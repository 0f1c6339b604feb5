extension FixedWidthInteger {
    /// The quotient, rounded down.
    package func dividedDown(by divisor: Self) -> Self {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    /// The rest of the division that rounds down, from 0 to `divisor` − 1.
    func rest(by divisor: Self) -> Self { self - dividedDown(by: divisor) * divisor }
}

extension Int {
    /// The hour of the week, 0 to 167, of this number of hours.
    var hourOfWeek: Int { rest(by: 168) }
}
