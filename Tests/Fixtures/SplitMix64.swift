import Foundation

/// A random number generator with a seed. One seed gives the same numbers on every machine (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a uniform number in 0..<1.
    package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a standard normal deviate (Box and Muller 1958).
    package mutating func normal() -> Double {
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
}
