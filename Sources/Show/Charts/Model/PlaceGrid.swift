package import Statistics

/// Subjects that are resolvers (``ChartSubject/Member/resolver``) at places
/// (``ChartSubject/Member/name``), as a matrix.
package struct PlaceGrid: Sendable {
    /// The rows, by name.
    package let places: [String]
    /// The columns, those first that are fastest at the middle one of their places.
    package let resolvers: [String]
    /// By place and resolver; `nil` where nothing was measured.
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

    /// All that were measured.
    package var measured: [LatencySummary] { cells.flatMap { $0.compactMap(\.self) } }
}

extension LatencySummary {
    var loss: LossClass { LossClass(failed: failed, of: count) }

    /// Whether more than 1 % failed.
    package var isLossy: Bool { loss.rawValue > LossClass.few.rawValue }
}
