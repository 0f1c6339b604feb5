#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The standard normal distribution.
enum NormalDistribution {
    /// Φ(z) = erfc(−z/√2)/2.
    static func cumulative(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

    /// Φ⁻¹(p) by Newton's method. It cannot overshoot: from 0 on, Φ is concave above and convex
    /// below, so that every step ends on the near side of the root.
    static func quantile(_ p: Double) -> Double {
        var z = 0.0
        for _ in 0..<64 {
            let density = exp(-0.5 * z * z) / (2 * Double.pi).squareRoot()
            let step = (p - cumulative(z)) / density
            z += step
            if abs(step) < 1e-10 { break }
        }
        return z
    }
}

/// exp(σ·z)·median for z standard normal: how the delay beyond the base is distributed.
struct LogNormal {
    let median: Double
    let sigma: Double

    func quantile(_ p: Double) -> Double {
        median == 0 || sigma == 0 ? median : median * exp(sigma * NormalDistribution.quantile(p))
    }

    /// P(X ≤ x).
    func cumulative(_ x: Double) -> Double {
        guard median > 0, sigma > 0 else { return x >= median ? 1 : 0 }
        return x <= 0 ? 0 : NormalDistribution.cumulative(log(x / median) / sigma)
    }

    /// ∫ P(X ≤ u) du up to `x`, that is E[max(x − X, 0)].
    func cumulativeIntegral(_ x: Double) -> Double {
        guard median > 0, sigma > 0 else { return max(x - median, 0) }
        guard x > 0 else { return 0 }
        let z = log(x / median) / sigma
        let mean = median * exp(0.5 * sigma * sigma)
        return x * NormalDistribution.cumulative(z)
            - mean * NormalDistribution.cumulative(z - sigma)
    }
}
