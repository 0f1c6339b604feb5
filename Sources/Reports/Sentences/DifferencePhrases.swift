import Analysis
import Samples
import Statistics

/// Times and differences in words, all with the same decimals. A difference is positive where the
/// candidate is sooner.
struct DifferencePhrases {
    let format: LatencyFormat

    /// Such as `8.1 ms sooner` or `3.0 ms later`.
    func difference(_ value: Double) -> String {
        if Double(format.number(abs(value))) == 0 { return "equally soon" }
        return "\(format.prose(abs(value))) \(value > 0 ? "sooner" : "later")"
    }

    /// Phrase for an interval, as the end of `Sure to 95 % that`; `nil` where both ends are open.
    /// `isTold` where the sentence before has said who is sooner.
    func certainty(_ interval: DifferenceInterval, isTold: Bool) -> String? {
        switch (interval.lower, interval.upper) {
        case (nil, nil): nil
        case (let lower?, nil):
            lower >= 0
                ? "it is more than \(format.prose(lower)) sooner"
                : "it is at most \(format.prose(-lower)) later"
        case (nil, let upper?):
            upper <= 0
                ? "it is more than \(format.prose(-upper)) later"
                : "it is at most \(format.prose(upper)) sooner"
        case (let lower?, let upper?) where lower >= 0:
            "it is between \(pair(lower, "and", upper))\(isTold ? "" : " sooner")"
        case (let lower?, let upper?) where upper <= 0:
            "it is between \(pair(-upper, "and", -lower)) later"
        case (let lower?, let upper?):
            "it is between \(format.prose(-lower)) later and \(format.prose(upper)) sooner"
        }
    }

    /// Such as `6.9 and 9.4 ms`.
    func pair(_ first: Double, _ word: String, _ second: Double) -> String {
        max(first, second) < 1000
            ? "\(format.number(first)) \(word) \(format.cell(second))"
            : "\(format.prose(first)) \(word) \(format.prose(second))"
    }

    /// Such as `95 %` or `98.3 %`.
    static func percent(_ fraction: Double) -> String {
        (fraction * 100).fixed(least: 0, most: 1) + " %"
    }

    /// An interval in a cell of a table, such as `6.9 to 9.4 ms sooner`.
    func span(_ interval: DifferenceInterval) -> String {
        switch (interval.lower, interval.upper) {
        case (nil, nil): "open"
        case (let lower?, nil): "\(difference(lower)) or more"
        case (nil, let upper?): "\(difference(upper)) or less"
        case (let lower?, let upper?) where lower >= 0:
            "\(format.number(lower)) to \(difference(upper))"
        case (let lower?, let upper?) where upper <= 0:
            "\(format.number(-upper)) to \(difference(lower))"
        case (let lower?, let upper?): "\(difference(lower)) to \(difference(upper))"
        }
    }
}
