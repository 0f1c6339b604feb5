import LibC

/// Random numbers that are the same for the same seed, round and version of this file: a plan must
/// come out alike on every machine and with every compiler.
///
/// xoshiro256** (Blackman & Vigna 2021, "Scrambled linear pseudorandom number generators"), its
/// state filled by SplitMix64 (Steele, Lea & Flood 2014) as its authors advise.
package struct RandomSequence {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var filler = SplitMix64(state: seed)
        state = (filler.next(), filler.next(), filler.next(), filler.next())
    }

    /// An own sequence for each `part`. The seed is scrambled first: neighbouring states of
    /// SplitMix64 give the same numbers, shifted.
    package init(seed: UInt64, part: Int) {
        var scrambler = SplitMix64(state: seed)
        self.init(seed: scrambler.next() ^ UInt64(bitPattern: Int64(part)))
    }

    package mutating func next() -> UInt64 {
        let product = state.1 &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }

    /// From 0 to `bound` − 1, each equally likely; 0 for a bound below 1. Lemire 2019, "Fast random
    /// integer generation in an interval": the few products that would favour some are drawn again.
    package mutating func next(below bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        let bound = UInt64(bound)
        var product = next().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
        }
        return Int(product.high)
    }

    /// From 0 up to, not including, 1, in steps of 2⁻⁵³.
    package mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// The next value of the exponential distribution with the mean 1, by inversion (Devroye 1986,
    /// §II.2.1).
    package mutating func nextExponential() -> Double { -log1p(-nextFraction()) }

    /// Puts `values` into random order, each order equally likely (Fisher & Yates; Durstenfeld 1964).
    package mutating func shuffle(_ values: inout [Int]) {
        for last in stride(from: values.count - 1, to: 0, by: -1) {
            values.swapAt(last, next(below: last + 1))
        }
    }
}

/// A sequence of states that are far apart, to seed another generator.
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
