import Analysis
import Samples
import Statistics

/// Times and differences in words, all with the same decimals. A difference is positive where the
/// candidate is faster.
struct DifferencePhrases {
    let format: LatencyFormat

    init(format: LatencyFormat) { self.format = format }

    /// Uses the decimals that the interval supports, or the decimals of the times if it is open. An end near
    /// `margin` is not rounded to it, and a known difference is not rounded to zero.
    init(
        of difference: Double?,
        in interval: DifferenceInterval,
        beside margin: Double?,
        otherwise format: LatencyFormat
    ) {
        let ends = [interval.lower, interval.upper].compactMap(\.self)
        let supported =
            ends.count == 2
            ? LatencyFormat(supportedBy: ends[1] - ends[0], otherwise: format) : format
        let known = interval.isAboveZero == nil ? [] : ends + [difference].compactMap(\.self)
        func says(_ format: LatencyFormat) -> Bool {
            !ends.contains { $0 != margin && format.writes($0, as: margin) }
                && !known.contains { $0 != 0 && format.writes($0, as: 0) }
        }
        let finer = sequence(first: supported) { $0.decimals < 4 ? $0.finer : nil }
        self.format = finer.first(where: says) ?? supported
    }

    /// The interval in words, such as `95 % confidence interval: 6.9 to 9.4 ms faster`, at the confidence of
    /// `comparison`.
    func confidence(_ interval: DifferenceInterval, of comparison: Comparison) -> String {
        span(interval).map { "\(Self.percent(comparison.confidence)) confidence interval: \($0)" }
            ?? "too few \(comparison.unit.plural) for a confidence interval"
    }

    /// The difference, such as `8.1 ms faster` or `3.0 ms slower`.
    func difference(_ value: Double) -> String {
        if format.writes(value, as: 0) { return "equally fast" }
        return "\(format.prose(abs(value))) \(value > 0 ? "faster" : "slower")"
    }

    /// The interval, such as `6.9 to 9.4 ms faster`; `nil` if both ends are open.
    func span(_ interval: DifferenceInterval) -> String? {
        switch (interval.lower, interval.upper) {
        case (nil, nil): nil
        case (let lower?, nil):
            format.writes(lower, as: 0)
                ? "equally fast or faster"
                : "\(lower > 0 ? "at least" : "at most") \(difference(lower))"
        case (nil, let upper?):
            format.writes(upper, as: 0)
                ? "equally fast or slower"
                : "\(upper < 0 ? "at least" : "at most") \(difference(upper))"
        case (let lower?, let upper?):
            if format.number(lower) == format.number(upper) {
                difference(lower)
            } else if lower >= 0 {
                "\(pair(lower, upper, "to")) faster"
            } else if upper <= 0 {
                "\(pair(-upper, -lower, "to")) slower"
            } else {
                "\(format.prose(-lower)) slower to \(format.prose(upper)) faster"
            }
        }
    }

    /// Two times, such as `14.0 vs 22.3 ms`.
    func versus(_ first: Double, _ second: Double) -> String { pair(first, second, "vs") }

    /// Two times. An equal unit appears once.
    private func pair(_ first: Double, _ second: Double, _ word: String) -> String {
        max(first, second) < 1000
            ? "\(format.number(first)) \(word) \(format.cell(second))"
            : "\(format.prose(first)) \(word) \(format.prose(second))"
    }

    /// The confidence, such as `95 %` or `98.3 %`. A value that would round to 100 % is `> 99.9 %`.
    static func percent(_ fraction: Double) -> String {
        let text = (fraction * 100).fixed(least: 0, most: 1)
        return fraction < 1 && text == "100" ? "> 99.9 %" : text + " %"
    }
}
