import Statistics

/// Times in milliseconds, of which some are known one by one, and others within 1 %.
struct SeenTimes: Hashable, Sendable {
    private var exact: [Double] = []
    private var sketch = LatencySketch()

    var count: Int { exact.count + sketch.count }

    mutating func add(_ milliseconds: Double) { exact.append(milliseconds) }

    mutating func add(_ sketch: LatencySketch) { self.sketch.merge(sketch) }

    mutating func merge(_ other: Self) {
        exact += other.exact
        sketch.merge(other.sketch)
    }

    /// The lower one of two in the middle; `nil` without any.
    var median: Double? {
        guard sketch.count > 0 else {
            return exact.isEmpty ? nil : exact.sorted()[(exact.count - 1) / 2]
        }
        return exact.reduce(into: sketch) { $0.insert($1) }.quantile(0.5)
    }
}
