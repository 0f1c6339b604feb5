/// A small seeded generator, the same on every system and in every version.
///
/// Source: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64: Sendable {
    private var state: UInt64

    /// Streams of one seed are unrelated.
    init(seed: UInt64, stream: UInt64) {
        state = seed
        state = next() ^ stream
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Uniform in [0, 1), with 53 random bits.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Uniform in 0..<bound; the bias is below bound/2⁵³.
    mutating func index(below bound: Int) -> Int { Int(uniform() * Double(bound)) }
}
