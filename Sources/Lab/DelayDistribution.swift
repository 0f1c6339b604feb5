/// How long the answers of a behaviour take for cached names, computed from its parameters.
struct DelayDistribution {
    private let behaviour: Behaviour
    private let jitter: LogNormal
    /// How often a query is answered at all, and well.
    private let answered: Double

    init(_ behaviour: Behaviour) {
        self.behaviour = behaviour
        jitter = LogNormal(median: behaviour.jitter.milliseconds, sigma: behaviour.sigma)
        answered =
            behaviour.silent || behaviour.refuse
            ? 0 : (1 - behaviour.lossProbability) * (1 - behaviour.servfailProbability)
    }

    /// The smallest delay that a share `p` of all queries is answered within; `nil` where fewer
    /// than that are answered. The error is below 1 µs, with truncation about 0.2 %.
    func quantile(_ p: Double) -> Duration? {
        let truncated = behaviour.truncateProbability
        let first = truncated > 0 ? delayQuantiles(512) : []
        return Self.invert(p) { milliseconds in
            var twice = 0.0
            for delay in first { twice += cumulative(milliseconds - delay) }
            if !first.isEmpty { twice *= answered / Double(first.count) }
            return answered * ((1 - truncated) * cumulative(milliseconds) + truncated * twice)
        }.map(Duration.init(boundedMilliseconds:))
    }

    /// Quantiles of one delay at the middles of `count` equal parts, in milliseconds.
    private func delayQuantiles(_ count: Int) -> [Double] {
        (0..<count).compactMap { part in
            Self.invert((Double(part) + 0.5) / Double(count), of: cumulative)
        }
    }

    /// The share of drawn delays up to `milliseconds`.
    private func cumulative(_ milliseconds: Double) -> Double {
        let late = behaviour.lateProbability
        return (1 - late) * punctual(milliseconds)
            + late * punctual(milliseconds - behaviour.lateDelay.milliseconds)
    }

    private func punctual(_ milliseconds: Double) -> Double {
        let beyondBase = milliseconds - behaviour.baseDelay.milliseconds
        let miss = behaviour.missProbability
        return (1 - miss) * jitter.cumulative(beyondBase) + miss * missed(beyondBase)
    }

    /// The log-normal's distribution averaged over the uniform delay of a miss.
    private func missed(_ milliseconds: Double) -> Double {
        let low = behaviour.missDelayLow.milliseconds
        let high = behaviour.missDelayHigh.milliseconds
        guard high > low else { return jitter.cumulative(milliseconds - low) }
        return
            (jitter.cumulativeIntegral(milliseconds - low)
            - jitter.cumulativeIntegral(milliseconds - high)) / (high - low)
    }

    /// Where the rising function first reaches `p`, by bisection up to 24 h.
    private static func invert(_ p: Double, of function: (Double) -> Double) -> Double? {
        var low = 0.0
        var high = 86_400_000.0
        guard function(high) >= p else { return nil }
        for _ in 0..<56 {
            let middle = 0.5 * (low + high)
            if function(middle) < p { low = middle } else { high = middle }
        }
        return high
    }
}
