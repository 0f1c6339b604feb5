/// Uniform numbers in [0, 1), each block of which has one in every stratum, in random order.
///
/// Each number by itself is uniform, so that a distribution drawn through its quantiles is the
/// right one; a block's sample quantiles scatter less than those of independent numbers.
struct StratifiedUniform: Sendable {
    private var order: [Int]
    private var position = 0

    init(strata: Int) { order = Array(0..<max(strata, 1)) }

    mutating func next(using generator: inout SplitMix64) -> Double {
        if position == 0 { shuffle(using: &generator) }
        defer { position = (position + 1) % order.count }
        return (Double(order[position]) + generator.uniform()) / Double(order.count)
    }

    /// Fisher–Yates, written out since the standard library may change its own.
    private mutating func shuffle(using generator: inout SplitMix64) {
        for last in stride(from: order.count - 1, to: 0, by: -1) {
            order.swapAt(last, generator.index(below: last + 1))
        }
    }
}
