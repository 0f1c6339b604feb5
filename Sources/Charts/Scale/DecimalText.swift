/// Numbers as decimal text that is the same on every machine and in every locale.
enum DecimalText {
    /// `value` with exactly `places` decimals (0 to 6); what is not finite is written as 0.
    static func fixed(_ value: Double, places: Int) -> String {
        let (scaled, places) = scaled(value, places: places)
        return text(scaled, places: places)
    }

    /// `value` with at most `places` decimals and no trailing zeros.
    static func trimmed(_ value: Double, places: Int) -> String {
        var (scaled, places) = scaled(value, places: places)
        while places > 0, scaled.isMultiple(of: 10) {
            scaled /= 10
            places -= 1
        }
        return text(scaled, places: places)
    }

    /// `value` rounded to `places` decimals, as a whole number of the last one.
    private static func scaled(_ value: Double, places: Int) -> (scaled: Int, places: Int) {
        let places = min(max(places, 0), 6)
        // Beyond ±10¹² no figure of a chart is meant; the limit keeps the conversion defined.
        let bounded = value.isFinite ? min(max(value, -1e12), 1e12) : 0
        return (Int((bounded * Double(power(places))).rounded()), places)
    }

    /// `scaled` with its last `places` digits behind the point.
    private static func text(_ scaled: Int, places: Int) -> String {
        let sign = scaled < 0 ? "-" : ""
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(
            dividingBy: UInt(power(places))
        )
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(fraction)
        let padding = String(repeating: "0", count: places - digits.count)
        return "\(sign)\(whole).\(padding)\(digits)"
    }

    private static func power(_ places: Int) -> Int {
        (0..<places).reduce(1) { power, _ in power * 10 }
    }
}
