import SimulatedDisk

/// A source of numbers that depends only on its seed.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 { unsafe split_mix(&state) }

    mutating func number(below end: Int) -> Int { Int(next() % UInt64(end)) }

    /// Returns true once in `count` calls on average.
    mutating func isOnce(in count: Int) -> Bool { number(below: count) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }
}
