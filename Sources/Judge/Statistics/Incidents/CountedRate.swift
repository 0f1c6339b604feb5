import LibC

/// A part of a whole, such as lost queries and all queries. Both may be weighted.
struct CountedRate {
    var part: Double
    var whole: Double

    var rate: Double { part / whole }

    /// The rate with half a loss in one query that counts as seen before. It is above 0.
    var usualRate: Double { (part + 0.5) / (whole + 1) }

    mutating func add(part: Double, whole: Double) {
        self.part += part
        self.whole += whole
    }

    /// The ln of the likelihood at its own rate.
    private var logLikelihood: Double {
        let rate = min(max(part / max(whole, 1e-9), 1e-12), 1 - 1e-12)
        return part * log(rate) + (whole - part) * log1p(-rate)
    }

    /// Returns a number that the ln of the likelihood ratio does not exceed: Pearson's chi-square of two
    /// rates. It needs no logarithms. Infinite if a part exceeds its whole.
    static func boundOfLogRatio(_ first: CountedRate, _ second: CountedRate) -> Double {
        let whole = first.whole + second.whole
        let rate = (first.part + second.part) / whole
        guard first.part <= first.whole, second.part <= second.whole, rate > 0, rate < 1
        else { return .infinity }
        let difference = first.rate - second.rate
        return difference * difference * first.whole * second.whole / (whole * rate * (1 - rate))
    }

    /// Returns the ln of the likelihood ratio of two rates to one common rate.
    static func logRatio(_ first: CountedRate, _ second: CountedRate) -> Double {
        let both = CountedRate(
            part: first.part + second.part,
            whole: first.whole + second.whole
        )
        return first.logLikelihood + second.logLikelihood - both.logLikelihood
    }
}
