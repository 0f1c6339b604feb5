import Statistics

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension ProportionInterval {
    /// The interval for a number of trials that was fixed before (Wilson 1927).
    static func wilson(
        successes: Int,
        of count: Int,
        alpha: Double = 0.05
    ) -> ClosedRange<Double> {
        guard count > 0, successes >= 0, successes <= count else { return 0...1 }
        let n = Double(count)
        let rate = Double(successes) / n
        let z = normalDeviate(twoSided: alpha)
        let centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
        let spread = (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
        let half = z / (1 + z * z / n) * spread
        // Where none or all succeeded, the end is exact but for rounding.
        let lower = successes == 0 ? 0 : max(0, centre - half)
        let upper = successes == count ? 1 : min(1, centre + half)
        return lower...upper
    }

    /// The z that a normal deviate exceeds in absolute value with this probability.
    private static func normalDeviate(twoSided probability: Double) -> Double {
        var (low, high) = (0.0, 40.0)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if erfc(middle / 2.0.squareRoot()) > probability { low = middle } else { high = middle }
        }
        return low
    }
}
