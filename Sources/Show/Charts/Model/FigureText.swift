import Statistics

/// The figures of a summary as text. Labels, tooltips and descriptions share this format.
enum FigureText {
    /// A time with `places` decimals. If `places` is `nil`, the time's magnitude decides the number of
    /// decimals.
    static func milliseconds(_ value: Double, places: Int? = nil) -> String {
        DecimalText.fixed(value, places: places ?? Self.places(fitting: [value])) + " ms"
    }

    /// A quantile as `14.2 ms`. The result is `> 5 s` if it exceeds the timeout, and `–` without queries.
    static func quantile(
        _ value: Double?,
        of summary: LatencySummary,
        places: Int? = nil
    ) -> String {
        guard summary.count > 0 else { return "–" }
        guard let value else { return "> " + timeout(summary.timeout) }
        return milliseconds(value, places: places)
    }

    /// The number of decimals required to distinguish times: more than one below 1 ms, and more than two
    /// below 10 µs.
    static func places(fitting times: [Double?]) -> Int {
        func areSome(below limit: Double) -> Bool { times.contains { ($0 ?? limit) < limit } }
        return areSome(below: 0.01) ? 3 : areSome(below: 1) ? 2 : 1
    }

    /// The text for a quantile without a time. Failures include answers with an error code.
    static let beyond = "failed or later than the timeout"

    /// A timeout in milliseconds as `250 ms`, `5 s` or `2.5 s`.
    static func timeout(_ value: Double) -> String {
        value < 1000
            ? DecimalText.trimmed(value, places: 1) + " ms"
            : DecimalText.trimmed(value / 1000, places: 2) + " s"
    }

    /// A share as `3.1 %`. Only exact values are written as 0 % or 100 %.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let percent = Double(part) / Double(whole) * 100
        if part > 0, percent < 0.05 { return "< 0.1 %" }
        if part < whole, percent >= 99.95 { return "> 99.9 %" }
        return DecimalText.fixed(percent, places: 1) + " %"
    }

    /// `median 14.2 ms` and `p95 24.0 ms`, with the same number of decimals.
    static func quantiles(_ summary: LatencySummary) -> (median: String, p95: String) {
        let places = places(fitting: [summary.median, summary.p95])
        func text(_ value: Double?) -> String { quantile(value, of: summary, places: places) }
        return ("median \(text(summary.median))", "p95 \(text(summary.p95))")
    }

    /// `median 14.2 ms, p95 24.0 ms, failed 0.0 % of 1000 queries`.
    static func sentence(_ summary: LatencySummary) -> String {
        guard summary.count > 0 else { return "no queries" }
        let (median, p95) = quantiles(summary)
        return "\(median), \(p95), \(failures(summary.failed, of: summary.count))"
    }

    static func failures(_ failed: Int, of count: Int) -> String {
        "failed \(share(failed, of: count)) of \(count) \(count == 1 ? "query" : "queries")"
    }

    /// The pale resolvers and the reasons. Empty if no resolver is pale.
    static func stops(_ subjects: [ChartSubject]) -> [String] {
        let words = subjects.compactMap { subject in
            subject.stopped.map { "\(subject.label) (\($0))" }
        }
        return words.isEmpty ? [] : ["Pale, of fewer rounds: \(words.joined(separator: ", "))."]
    }

    /// The number of omitted resolvers as text. Empty if no resolver is omitted.
    static func omission(_ count: Int) -> [String] {
        switch count {
        case ...0: []
        case 1: ["1 more resolver is not drawn."]
        default: ["\(count) more resolvers are not drawn."]
        }
    }
}

extension LatencySummary {
    var failed: Int { max(0, count - answered) }
}

/// Numbers as decimal text, identical on every machine and in every locale.
enum DecimalText {
    /// `value` with exactly `places` decimals (0 to 6). A value that is not finite is written as 0.
    static func fixed(_ value: Double, places: Int) -> String {
        let places = min(max(places, 0), 6)
        let power = (0..<places).reduce(1) { power, _ in power * 10 }
        // Chart figures stay within ±10¹². The limit keeps the conversion defined.
        let bounded = value.isFinite ? min(max(value, -1e12), 1e12) : 0
        let scaled = Int((bounded * Double(power)).rounded())
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(power))
        let sign = scaled < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(fraction)
        let padding = String(repeating: "0", count: places - digits.count)
        return "\(sign)\(whole).\(padding)\(digits)"
    }

    /// `value` with at most `places` decimals and without trailing zeros.
    static func trimmed(_ value: Double, places: Int) -> String {
        var text = fixed(value, places: places)
        guard places > 0 else { return text }
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        if text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
        return text
    }
}
