extension [UInt8] {
    /// Adds `value` in decimal digits.
    mutating func append(decimal value: some FixedWidthInteger) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = UInt64(value.magnitude)
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Adds the last `width` digits of `value`, which is not negative, with leading zeros.
    mutating func append(padded value: Int, to width: Int) {
        let start = count
        var rest = value
        for _ in 0..<width {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    /// Adds `nanoseconds` as milliseconds with three decimals, or six where it is not a whole
    /// number of microseconds.
    mutating func append(milliseconds nanoseconds: Int64) {
        if nanoseconds < 0 { append(UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        append(decimal: magnitude / 1_000_000)
        append(UInt8(ascii: "."))
        let fraction = Int(magnitude % 1_000_000)
        let micro = fraction % 1000 == 0
        append(padded: micro ? fraction / 1000 : fraction, to: micro ? 3 : 6)
    }
}
