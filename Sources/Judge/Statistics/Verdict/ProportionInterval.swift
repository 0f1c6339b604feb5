import LibC

/// Intervals of a rate, from `successes` of `count` trials; 0…1 without trials.
package enum ProportionInterval {
    /// Returns the interval for a number of trials that may grow while the result is watched.
    ///
    /// It is the mixture over the Jeffreys prior (Robbins 1970). It contains the rates p with
    /// ln B(k + ½, n − k + ½) − ln B(½, ½) − k ln p − (n − k) ln(1 − p) < ln(1/α).
    package static func anytime(
        successes: Int,
        of count: Int,
        alpha: Double = 0.05
    ) -> ClosedRange<Double> {
        guard count > 0, successes >= 0, successes <= count, alpha > 0, alpha < 1 else {
            return 0...1
        }
        let hits = Double(successes)
        let misses = Double(count - successes)
        let mixture = logGamma(hits + 0.5) + logGamma(misses + 0.5)
        let evidence = mixture - logGamma(hits + misses + 1) - log(.pi)
        /// Returns whether the evidence against a rate is below 1/α.
        func stands(_ rate: Double) -> Bool {
            let seen = hits > 0 ? hits * log(rate) : 0
            let unseen = misses > 0 ? misses * log1p(-rate) : 0
            return evidence - seen - unseen < -log(alpha)
        }
        let rate = hits / Double(count)
        let lower = successes == 0 ? 0 : boundary(outside: 0, inside: rate, holds: stands)
        let upper = successes == count ? 1 : boundary(outside: 1, inside: rate, holds: stands)
        return lower...upper
    }

    /// Returns the interval for a number of trials that was fixed in advance: the score interval (Wilson
    /// 1927, JASA 22:158).
    package static func wilson(
        successes: Int,
        of count: Int,
        alpha: Double = 0.05
    ) -> ClosedRange<Double> {
        guard count > 0, successes >= 0, successes <= count else { return 0...1 }
        let (n, rate) = (Double(count), Double(successes) / Double(count))
        let z = StudentT.normalQuantile(1 - alpha / 2)
        let centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
        let spread = rate * (1 - rate) / n + z * z / (4 * n * n)
        let half = z / (1 + z * z / n) * spread.squareRoot()
        // If no trial or every trial succeeded, the end is exact. The explicit value avoids rounding.
        let lower = successes == 0 ? 0 : max(0, centre - half)
        let upper = successes == count ? 1 : min(1, centre + half)
        return lower...upper
    }

    /// Returns the last value at which `holds` is true, between two values, to the last digit.
    private static func boundary(
        outside: Double,
        inside: Double,
        holds: (Double) -> Bool
    ) -> Double {
        var outside = outside
        var inside = inside
        for _ in 0..<1_100 {
            let middle = outside + (inside - outside) / 2
            if middle == outside || middle == inside { break }
            if holds(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }

    private static func logGamma(_ x: Double) -> Double {
        let (logarithm, _): (Double, Int) = lgamma(x)
        return logarithm
    }
}
