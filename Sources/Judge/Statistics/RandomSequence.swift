import LibC

/// Random numbers that depend only on the seed, the round and the version of this file. A plan must be the
/// same on every machine and with every compiler.
///
/// The generator is xoshiro256** (Blackman & Vigna 2021, "Scrambled linear pseudorandom number generators").
/// SplitMix64 (Steele, Lea & Flood 2014) fills its state, as its authors recommend.
package struct RandomSequence {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var filler = SplitMix64(state: seed)
        state = (filler.next(), filler.next(), filler.next(), filler.next())
    }

    /// Creates a separate sequence for each `part`. The seed is scrambled first, because neighbouring states
    /// of SplitMix64 produce the same numbers, shifted.
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

    /// Returns a number from 0 to `bound` − 1, each equally likely; 0 for a bound below 1.
    ///
    /// The method is Lemire 2019, "Fast random integer generation in an interval". It rejects the few
    /// products that would favour some numbers.
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

    /// Returns a number in [0, 1), in steps of 2⁻⁵³.
    package mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns the next value of the exponential distribution with mean 1, by inversion (Devroye 1986,
    /// §II.2.1).
    package mutating func nextExponential() -> Double { -log1p(-nextFraction()) }

    /// Shuffles `values`. All orders are equally likely (Fisher & Yates; Durstenfeld 1964).
    package mutating func shuffle(_ values: inout [Int]) {
        for last in stride(from: values.count - 1, to: 0, by: -1) {
            values.swapAt(last, next(below: last + 1))
        }
    }
}

/// A sequence of widely spaced states, which seeds another generator.
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
