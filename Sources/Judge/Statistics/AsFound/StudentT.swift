import LibC

/// Quantiles of the normal distribution and of Student's t.
package enum StudentT {
    /// Returns the quantile of t with `freedom` degrees of freedom, at least 9, within 0.001: the
    /// Cornish–Fisher expansion (Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.5).
    package static func quantile(_ p: Double, freedom: Int) -> Double {
        let z = normalQuantile(p)
        let (n, squared) = (Double(freedom), z * z)
        let first = z * (squared + 1) / 4
        let second = z * ((5 * squared + 16) * squared + 3) / 96
        let third = z * (((3 * squared + 19) * squared + 17) * squared - 15) / 384
        return z + first / n + second / (n * n) + third / (n * n * n)
    }

    /// Returns the quantile of the normal distribution, by bisection. `p` is between 0 and 1.
    package static func normalQuantile(_ p: Double) -> Double {
        var (lower, upper) = (-40.0, 40.0)
        while true {
            let middle = (lower + upper) / 2
            if middle == lower || middle == upper { return middle }
            if erfc(-middle / 2.0.squareRoot()) / 2 < p { lower = middle } else { upper = middle }
        }
    }
}

/// A mean and its t interval, from the means of blocks.
package struct MeanInterval: Hashable, Sendable {
    package var mean: Double
    package var lower: Double
    package var upper: Double

    /// The minimum number of blocks. With fewer, long tails make the interval too narrow.
    package static let fewestBlocks = 20

    /// Creates the interval at confidence level 1 − α, for one examination at the end; `nil` with fewer
    /// blocks than ``fewestBlocks``.
    package init?(ofBlocks blocks: [Double], alpha: Double = 0.05) {
        let count = Double(blocks.count)
        guard blocks.count >= Self.fewestBlocks else { return nil }
        mean = blocks.reduce(0, +) / count
        let squares = blocks.reduce(0) { [mean] in $0 + ($1 - mean) * ($1 - mean) }
        let quantile = StudentT.quantile(1 - alpha / 2, freedom: blocks.count - 1)
        let half = quantile * (squares / (count - 1) / count).squareRoot()
        (lower, upper) = (mean - half, mean + half)
    }
}
