/// Numbers as decimal text that is the same on every machine and in every locale.
enum DecimalText {
    /// `value` with exactly `places` decimals (0 to 6); what is not finite is written as 0.
    static func fixed(_ value: Double, places: Int) -> String {
        let places = min(max(places, 0), 6)
        let unit = (0..<places).reduce(1) { power, _ in power * 10 }
        // Beyond ±10¹² no figure of a chart is meant; the limit keeps the conversion defined.
        let bounded = value.isFinite ? min(max(value, -1e12), 1e12) : 0
        let scaled = Int((bounded * Double(unit)).rounded())
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(
            dividingBy: UInt(unit)
        )
        let sign = scaled < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(fraction)
        let padding = String(repeating: "0", count: places - digits.count)
        return "\(sign)\(whole).\(padding)\(digits)"
    }

    /// `value` with at most `places` decimals and no trailing zeros.
    static func trimmed(_ value: Double, places: Int) -> String {
        let text = fixed(value, places: places)
        guard text.contains(".") else { return text }
        let significant = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(significant.reversed())
    }
}
