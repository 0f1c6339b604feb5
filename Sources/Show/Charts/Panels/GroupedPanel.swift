/// Charts of one kind below each other, one a resolver, on the same axes: transports are compared
/// within a resolver, and fewer lines cross each other.
struct GroupedPanel: Panel {
    /// More resolvers than this are left out, and said to be.
    private static let limit = 8

    private let parts: [(resolver: String, panel: any Panel)]
    private let leftOut: Int

    /// `nil` where no resolver was asked in several ways, or it is the only one.
    init?(_ chart: Chart) {
        let members = Dictionary(grouping: chart.subjects, by: \.resolver)
        let groups = chart.subjects.map(\.resolver).uniqued.compactMap { members[$0] }
        guard groups.count > 1, groups.contains(where: { $0.count > 1 }) else { return nil }
        let places = groups.places(upTo: Self.limit) { $0.contains { $0.role != .other } }
        // Within a resolver its own name tells nothing.
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
        // Not all have everything that is to be explained.
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
