import Foundation
import Statistics

/// Latencies of three kinds of paths: a base, log-normal jitter, cache misses and losses.
struct LatencyModel {
    enum Path: String, CaseIterable { case wired, wifi, noisy }

    var path: Path
    /// The share of cache misses, which take 80 to 300 ms longer.
    var misses = 0.05
    var losses = 0.005

    /// Returns the outcome of one query, with its time in milliseconds.
    func outcome(shift: Double, from source: inout SplitMix64) -> QueryOutcome {
        let (base, jitter, deviation) =
            switch path {
            case .wired: (15.0, 1.5, 0.8)
            case .wifi: (12.0, 8.0, 0.7)
            case .noisy: (20.0, 15.0, 1.0)
            }
        var time = base + shift + jitter * exp(deviation * source.normal())
        if source.uniform() < misses { time += 80 + 220 * source.uniform() }
        return source.uniform() < losses ? .failed : .answered(time)
    }
}

/// The generator of Steele, Lea & Flood 2014, with the normal deviates of Box & Muller 1958.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Returns a number in [0, 1).
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func normal() -> Double {
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
}
