/// Stacked charts of one kind on the same axes, one per resolver. The reader compares transports within a
/// resolver, and fewer lines cross.
struct GroupedPanel: Panel {
    /// The maximum number of resolvers. The chart states how many it omits.
    private static let limit = 8

    private let parts: [(resolver: String, panel: any Panel)]
    private let leftOut: Int

    /// Returns `nil` if no resolver was queried in several ways, or if there is only one resolver.
    init?(_ chart: Chart) {
        let members = Dictionary(grouping: chart.subjects, by: \.resolver)
        let groups = chart.subjects.map(\.resolver).uniqued.compactMap { members[$0] }
        guard groups.count > 1, groups.contains(where: { $0.count > 1 }) else { return nil }
        let places = groups.places(upTo: Self.limit) { $0.contains { $0.role != .other } }
        // Within a resolver's own chart, its name is redundant.
        let chosen = places.map { place in
            groups[place].map { subject in
                var named = subject
                named.label = subject.name
                return named
            }
        }
        let all = chosen.flatMap(\.self)
        let names = max(2, ChartSubject.mostNames / groups.count)
        parts = chosen.map { members in
            let panel: any Panel =
                switch chart.kind {
                case .rounds:
                    RoundsPanel(
                        subjects: members,
                        over: chart.scale,
                        comparedWith: all,
                        nameLimit: names
                    )
                case .percentiles:
                    PercentilesPanel(subjects: members, comparedWith: all, leastHeight: 220)
                default: DistributionPanel(subjects: members, comparedWith: all, leastHeight: 170)
                }
            return (members[0].resolver, panel)
        }
        leftOut = groups.count - chosen.count
    }

    var nothing: String? { nil }

    var notes: [String] {
        let different = parts.flatMap(\.panel.remarks).uniqued
        // Some groups lack the features that a note explains.
        return different.filter { note in
            !different.contains { $0 != note && $0.hasPrefix(note) }
        } + FigureText.omission(leftOut)
    }

    func drawing(below edge: Edge) -> Drawing {
        parts.reduce(into: ([], edge)) { drawing, part in
            let edge = drawing.end
            let name = TextStyle.strong.elided(part.resolver, to: edge.width)
            let plot = part.panel.drawn(below: edge.below(20))
            drawing.marks += [.text(name, at: Point(edge.x, edge.y + 13), .strong)] + plot.marks
            drawing.end = plot.end.below(8)
        }
    }
}
