/// A small generator whose sequence a seed fixes (Steele, Lea and Flood 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

extension [UInt8] {
    /// A copy with a few octets changed, and now and then cut, spliced or lengthened.
    func mutated(using generator: inout SplitMix64) -> [UInt8] {
        var octets = self
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            guard let index = octets.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0...9, using: &generator) {
            case 0: octets.removeSubrange(index...)
            case 1: octets.remove(at: index)
            case 2: octets.insert(contentsOf: octets[index...].prefix(40), at: index)
            case 3: octets[index] = 0xc0
            case 4: octets[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            default: octets[index] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return octets
    }
}
