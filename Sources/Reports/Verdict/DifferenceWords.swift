import Statistics

/// Times and differences in words, all with the same decimals. A difference is positive where the
/// candidate is sooner.
struct DifferenceWords {
    let format: LatencyFormat

    /// Such as `8.1 ms sooner` or `3.0 ms later`.
    func difference(_ value: Double) -> String {
        if Double(format.number(abs(value))) == 0 { return "equally soon" }
        return "\(format.prose(abs(value))) \(value > 0 ? "sooner" : "later")"
    }

    /// What an interval says, as the end of `Sure to 95 % that`; `nil` where both ends are open.
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
        case (let lower?, let upper?): between(lower, upper, isTold)
        }
    }

    private func between(_ lower: Double, _ upper: Double, _ isTold: Bool) -> String {
        if lower >= 0 { return "it is between \(range(lower, upper))\(isTold ? "" : " sooner")" }
        if upper <= 0 { return "it is between \(range(-upper, -lower)) later" }
        return "it is between \(format.prose(-lower)) later and \(format.prose(upper)) sooner"
    }

    /// Such as `6.9 and 9.4 ms`.
    private func range(_ low: Double, _ high: Double) -> String {
        high < 1000
            ? "\(format.number(low)) and \(format.cell(high))"
            : "\(format.prose(low)) and \(format.prose(high))"
    }

    /// Such as `95 %` or `98.3 %`.
    static func percent(_ fraction: Double) -> String {
        (fraction * 100).fixed(least: 0, most: 1) + " %"
    }

    /// The failure rate that so few queries cannot exclude, such as `5.7 %`.
    static func excluded(_ count: FailureCount) -> String {
        let upper = ProportionInterval.anytime(successes: count.failures, of: count.queries)
            .upperBound
        return (upper * 100).fixed(1) + " %"
    }
}

extension DifferenceWords {
    /// An interval in a cell of a table, such as `6.9 to 9.4 ms sooner`.
    func span(_ interval: DifferenceInterval) -> String {
        switch (interval.lower, interval.upper) {
        case (nil, nil): return "open"
        case (let lower?, nil): return "\(difference(lower)) or more"
        case (nil, let upper?): return "\(difference(upper)) or less"
        case (let lower?, let upper?):
            if lower >= 0 { return "\(format.number(lower)) to \(difference(upper))" }
            if upper <= 0 { return "\(format.number(-upper)) to \(difference(lower))" }
            return "\(difference(lower)) to \(difference(upper))"
        }
    }
}
