/// A source of numbers that depends only on its seed (SplitMix64; Steele et al., OOPSLA 2014).
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func number(below end: Int) -> Int { Int(next() % UInt64(end)) }

    /// Returns true once in `count` calls on average.
    mutating func isOnce(in count: Int) -> Bool { number(below: count) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }
}
