package import Statistics

/// Subjects as a matrix of resolvers (``ChartSubject/Member/resolver``) and places
/// (``ChartSubject/Member/name``).
package struct PlaceGrid: Sendable {
    /// The rows, sorted by name.
    package let places: [String]
    /// The columns. Resolvers are sorted by their speed at their median place, the fastest first.
    package let resolvers: [String]
    /// The cells by place and resolver. `nil` where nothing was measured.
    package let cells: [[LatencySummary?]]

    package init(_ subjects: [ChartSubject]) {
        let measured = subjects.filter { $0.summary.count > 0 }
        places = Set(measured.map(\.name)).sorted()
        let columns = Dictionary(grouping: measured, by: \.resolver)
        func middle(_ resolver: String) -> Double {
            (columns[resolver] ?? []).map { $0.summary.median ?? .infinity }.middle ?? .infinity
        }
        resolvers = columns.keys.sorted { (middle($0), $0) < (middle($1), $1) }
        let summaries = resolvers.map { resolver in
            Dictionary((columns[resolver] ?? []).map { ($0.name, $0.summary) }) { first, _ in first
            }
        }
        cells = places.map { place in summaries.map { $0[place] } }
    }

    /// The cells with measurements.
    package var measured: [LatencySummary] { cells.flatMap { $0.compactMap(\.self) } }
}

extension LatencySummary {
    var loss: LossClass { LossClass(failed: failed, of: count) }

    /// Whether more than 1 % of the queries failed.
    package var isLossy: Bool { loss.rawValue > LossClass.few.rawValue }
}
