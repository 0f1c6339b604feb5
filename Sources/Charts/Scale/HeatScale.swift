/// Classes of query times for a heat map, between round bounds that all its panels share.
struct HeatScale: Hashable {
    private static let limit = 15

    /// Milliseconds, ascending: one more than there are classes.
    let bounds: [Double]
    let isLogarithmic: Bool

    /// Classes for `values`: as fine as the palette allows, but never finer than what would make
    /// a tenth of a time look like much.
    init(_ values: [Double]) {
        let sound = values.filter { $0.isFinite && $0 >= 0 }.map { min(max($0, 1e-6), 86_400_000) }
        let low = sound.min() ?? 0
        let high = sound.max() ?? 1
        isLogarithmic = high > 10 * low && low > 0
        if isLogarithmic {
            bounds = Axis.logarithmic(from: low, to: high, tickCount: Self.limit).ticks
        } else {
            let span = max(high - low, high / 5)
            let step = Axis.roundNumber(atLeast: span / Double(Self.limit))
            let first = (low / step + 1e-9).rounded(.down)
            let count = max(1, min((high / step - first - 1e-9).rounded(.up), 16))
            bounds = (0...Int(count)).map { (first + Double($0)) * step }
        }
    }

    var count: Int { bounds.count - 1 }

    /// The class of a time; what lies outside is put at the end.
    func place(_ value: Double) -> Int {
        let passed = bounds.count { $0 <= value }
        return min(max(passed - 1, 0), count - 1)
    }

    /// The colour of a class, as a place in `Palette.heat`.
    func colour(_ place: Int) -> Int {
        let last = Double(Palette.heat.count - 1)
        guard count > 1 else { return Int(last / 3) }
        return Int((Double(place) / Double(count - 1) * last).rounded())
    }
}
