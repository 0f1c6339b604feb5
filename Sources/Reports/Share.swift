import Samples

/// A part of a whole, such as lost queries of all that were sent.
struct Share: Hashable, Sendable {
    var part: Int
    var whole: Int

    /// `nil` of nothing.
    var fraction: Double? { whole > 0 ? Double(part) / Double(whole) : nil }

    /// To a tenth of a percent, such as `3.1 %`; a part that would round to nothing or to the
    /// whole without being so is `< 0.1 %` or `> 99.9 %`, and of nothing there is `–`.
    var description: String {
        guard let fraction else { return "–" }
        let text = (fraction * 100).fixed(1)
        if part > 0, text == "0.0" { return "< 0.1 %" }
        if part < whole, text == "100.0" { return "> 99.9 %" }
        return text + " %"
    }
}

extension OutcomeCounts {
    /// The share lost of those measured.
    var failureRate: Share { Share(part: lost, whole: measured) }
}
