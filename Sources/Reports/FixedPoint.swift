extension Double {
    /// The value with exactly `decimals` (0 to 9) digits after the point, rounded half away from
    /// zero; what is not finite or too large for that as Swift writes it.
    func fixed(_ decimals: Int) -> String {
        let digits = min(max(decimals, 0), 9)
        let scale = (0..<digits).reduce(1 as Int64) { power, _ in power * 10 }
        let scaled = (self * Double(scale)).rounded(.toNearestOrAwayFromZero)
        guard scaled.isFinite, scaled.magnitude < 9e15 else { return "\(self)" }
        let units = Int64(scaled.magnitude)
        let sign = scaled < 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(units)" }
        let fraction = String(units % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(sign)\(units / scale).\(zeros)\(fraction)"
    }

    /// The value with at most `most` digits after the point, and no fewer than `least`.
    func fixed(least: Int, most: Int) -> String {
        var text = fixed(most)
        guard most > least, text.contains("."), !text.contains("e") else { return text }
        var spare = most - least
        while spare > 0, text.last == "0" {
            text.removeLast()
            spare -= 1
        }
        if text.last == "." { text.removeLast() }
        return text
    }
}
