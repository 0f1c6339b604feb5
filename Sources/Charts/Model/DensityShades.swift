import Statistics

/// The cells of one column of a density chart, from the bottom of its axis up, in shades.
///
/// A shade is a region of highest density (Hyndman 1996): the cells of the darkest shade are the
/// densest ones that together hold the smallest of `DensityShades.shares`.
struct DensityShades: Hashable {
    /// What the cells of a shade and of all darker ones hold of the answers; the palest first.
    static let shares = [0.97, 0.9, 0.75, 0.6, 0.4, 0.2]

    /// The shade of each cell, 0 the palest; `nil` for those outside every shade.
    let cells: [Int?]

    /// Spreads each bucket of `sketch` evenly over those of `count` cells of `axis` that it touches;
    /// what lies above the axis has no cell.
    init(_ sketch: LatencySketch, axis: Axis, count: Int) {
        let count = max(count, 1)
        var weights = [Double](repeating: 0, count: count)
        for bucket in sketch.buckets where bucket.lower <= axis.upper {
            let lower = axis.position(bucket.lower) * Double(count)
            let upper = axis.position(bucket.upper) * Double(count)
            let first = min(Int(lower), count - 1)
            let last = min(max(first, Int(upper.rounded(.up)) - 1), count - 1)
            guard last > first else {
                weights[first] += Double(bucket.count)
                continue
            }
            for cell in first...last {
                let covered = min(upper, Double(cell + 1)) - max(lower, Double(cell))
                weights[cell] += Double(bucket.count) * covered / (upper - lower)
            }
        }
        cells = Self.shades(of: Self.smoothed(weights))
    }

    /// Each cell with a quarter of either neighbour, so that single answers do not make speckles.
    private static func smoothed(_ weights: [Double]) -> [Double] {
        weights.indices.map { index in
            let below = weights[max(index - 1, 0)]
            let above = weights[min(index + 1, weights.count - 1)]
            return below / 4 + weights[index] / 2 + above / 4
        }
    }

    private static func shades(of weights: [Double]) -> [Int?] {
        let total = weights.reduce(0, +)
        var cells = [Int?](repeating: nil, count: weights.count)
        guard total > 0 else { return cells }
        let order = weights.indices.filter { weights[$0] > 0 }
            .sorted { (weights[$1], $0) < (weights[$0], $1) }
        var held = 0.0
        var rest = order[...]
        while let first = rest.first {
            // Cells that are as dense as each other have the same shade.
            let alike = rest.prefix { weights[$0] >= weights[first] * (1 - 1e-9) }
            guard let shade = shares.lastIndex(where: { held < $0 * total }) else { break }
            for cell in alike { cells[cell] = shade }
            held += alike.reduce(0) { $0 + weights[$1] }
            rest = rest.dropFirst(alike.count)
        }
        return cells
    }

    /// The stretches of cells that are at least as dark as a shade, ascending.
    func runs(atLeast shade: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (cell, value) in cells.enumerated() where (value ?? -1) >= shade {
            if let last = runs.last, last.upperBound == cell {
                runs[runs.count - 1] = last.lowerBound..<(cell + 1)
            } else {
                runs.append(cell..<(cell + 1))
            }
        }
        return runs
    }
}
