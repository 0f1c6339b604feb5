import Samples

/// Formats latencies in milliseconds for people. Values that are compared have the same number of
/// decimals, so that they align at the decimal point.
package struct LatencyFormat: Hashable, Sendable {
    /// The number of digits after the decimal point of milliseconds.
    package let decimals: Int

    /// One decimal; three decimals (microseconds) if any of `values` is below 1 ms.
    package init(fitting values: some Sequence<Double>) {
        decimals = values.contains { $0 < 1 } ? 3 : 1
    }

    /// As many decimals as an interval of this width supports. The width is at least two units of
    /// the last digit, unless there are three decimals. Without an interval, `format` applies.
    init(supportedBy width: Double, otherwise format: LatencyFormat) {
        guard width > 0 else {
            self = format
            return
        }
        decimals = width >= 4 ? 0 : width >= 0.2 ? 1 : width >= 0.02 ? 2 : 3
    }

    private init(decimals: Int) { self.decimals = decimals }

    /// The format with one more digit.
    var finer: LatencyFormat { LatencyFormat(decimals: decimals + 1) }

    /// The number without a unit, such as `14.2`.
    package func number(_ milliseconds: Double) -> String { milliseconds.fixed(decimals) }

    /// Whether the format writes the number as the value `other`.
    func writes(_ milliseconds: Double, as other: Double?) -> Bool {
        Double(number(milliseconds)) == other
    }

    /// The time in milliseconds, at any length, such as `14.2 ms`: for columns.
    package func cell(_ milliseconds: Double) -> String { number(milliseconds).grouped + " ms" }

    /// A single time that is compared with no other, as in a column.
    static func single(_ milliseconds: Double) -> String {
        Self(fitting: [milliseconds]).cell(milliseconds)
    }

    /// The time to three digits, in seconds from one second, such as `14.2 ms`, `82 ms` or
    /// `1.23 s`: for sentences.
    package func prose(_ milliseconds: Double) -> String {
        guard milliseconds >= 1000 else {
            let most = Self.decimals(ofThreeDigits: milliseconds)
            // Omits zeros that only result from rounding.
            let text =
                decimals > most
                ? milliseconds.fixed(least: 0, most: most) : number(milliseconds)
            return text + " ms"
        }
        let seconds = milliseconds / 1000
        return seconds.fixed(Self.decimals(ofThreeDigits: seconds)).grouped + " s"
    }

    /// The number of decimals with which `value` has three digits.
    static func decimals(ofThreeDigits value: Double) -> Int {
        value.magnitude >= 99.95 ? 0 : value.magnitude >= 9.995 ? 1 : value.magnitude >= 1 ? 2 : 3
    }

    /// The single time to three digits, such as `82 ms`, `8.25 ms` or `66.5 s`: for headlines and
    /// notes.
    static func rounded(_ milliseconds: Double) -> String {
        Self(decimals: 3).prose(milliseconds)
    }

    /// The text for a quantile among the timeouts, such as `> 5 s`.
    package static func beyond(_ timeout: Double) -> String { "> " + plain(timeout) }

    /// A round length of time without unnecessary zeros, such as `5 s`, `2.5 s` or `250 ms`.
    package static func plain(_ milliseconds: Double) -> String {
        milliseconds < 1000
            ? milliseconds.fixed(least: 0, most: 3) + " ms"
            : (milliseconds / 1000).fixed(least: 0, most: 3) + " s"
    }

    /// A duration to the second: `32 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        if seconds < 60 { return "\(seconds) s" }
        let (length, unit, part, partUnit): (Int64, String, Int64, String) =
            seconds < 3600
            ? (60, "min", 1, "s")
            : seconds < 86400 ? (3600, "h", 60, "min") : (86400, "d", 3600, "h")
        let rest = seconds % length / part
        return "\(seconds / length) \(unit)" + (rest == 0 ? "" : " \(rest) \(partUnit)")
    }
}

extension Int {
    /// The number with its noun in the right form, such as `1 query` or `2 queries`.
    package func of(_ one: String, _ many: String) -> String {
        "\("\(self)".grouped) \(self == 1 ? one : many)"
    }
}

extension String {
    /// A number with five digits or more, with a comma before each group of three, such as
    /// `66,489`.
    var grouped: String {
        let start = firstIndex(where: \.isNumber) ?? endIndex
        let digits = self[start...].prefix { $0.isASCII && $0.isNumber }
        let rest = self[digits.endIndex...]
        guard digits.count >= 5, rest.isEmpty || rest.first == "." else { return self }
        let head = digits.count % 3
        let parts = stride(from: head, to: digits.count, by: 3).map {
            String(digits.dropFirst($0).prefix(3))
        }
        let whole = (head > 0 ? [String(digits.prefix(head))] : []) + parts
        return self[..<start] + whole.joined(separator: ",") + rest
    }
}

extension Double {
    /// The value with exactly `decimals` (0 to 9) digits after the point, rounded half away from
    /// zero. A value that is not finite, or is too large, is written as Swift writes it.
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

    /// The value with at most `most` and at least `least` digits after the point.
    func fixed(least: Int, most: Int) -> String {
        let text = fixed(most)
        guard text.contains("."), !text.contains("e") else { return text }
        let zeros = text.reversed().prefix(most - least).prefix { $0 == "0" }.count
        let kept = text.dropLast(zeros)
        return String(kept.last == "." ? kept.dropLast() : kept)
    }
}

/// A part of a whole, such as the failed queries among all queries that were sent.
struct Share: Hashable, Sendable {
    var part: Int
    var whole: Int

    /// Whether a share of failed queries is worth a note: more than one query, and more than 1 %.
    var isHigh: Bool { part > 1 && 100 * part > whole }

    /// The part divided by the whole; `nil` if the whole is zero.
    var fraction: Double? { whole > 0 ? Double(part) / Double(whole) : nil }

    /// The number of decimals of a limit in percent. A small limit has more decimals, so that it
    /// does not round to zero.
    static func decimals(of limit: Double) -> Int { limit < 0.001 ? 3 : 1 }

    /// The share to a tenth of a percent, such as `3.1 %`. A part that would wrongly round to zero
    /// or to the whole is `< 0.1 %` or `> 99.9 %`. Without a whole, the text is `–`.
    var description: String {
        guard let fraction else { return "–" }
        let text = (fraction * 100).fixed(1)
        if part > 0, text == "0.0" { return "< 0.1 %" }
        if part < whole, text == "100.0" { return "> 99.9 %" }
        return text + " %"
    }
}

extension OutcomeCounts {
    /// The share of failed queries among the measured queries.
    var failureRate: Share { Share(part: failed, whole: measured) }

    /// The share of queries without any response among the measured queries.
    var lossRate: Share { Share(part: lost, whole: measured) }
}
