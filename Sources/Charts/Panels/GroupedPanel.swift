/// Charts of one kind below each other, one a resolver, on the same axes: transports are compared
/// within a resolver, and fewer lines cross each other.
struct GroupedPanel: Panel {
    private static let title = 20.0
    private static let gap = 8.0
    /// More resolvers than this are left out, and said to be.
    private static let limit = 8

    private let parts: [(resolver: String, panel: any Panel)]
    private let leftOut: Int

    /// `nil` where no resolver was asked in several ways, or it is the only one.
    init?(_ chart: Chart) {
        let groups = Self.groups(of: chart.subjects)
        guard groups.count > 1, groups.contains(where: { $0.count > 1 }) else { return nil }
        let chosen = groups.places(upTo: Self.limit) { group in
            group.contains { $0.role != .other }
        }.map { groups[$0] }
        let all = chosen.flatMap { $0.map(\.named) }
        parts = chosen.map { group in
            let members = group.map(\.named)
            let panel: any Panel =
                if chart.kind == .rounds {
                    RoundsPanel(
                        subjects: members,
                        comparedWith: all,
                        nameLimit: max(2, RoundsPanel.nameLimit / groups.count)
                    )
                } else {
                    DistributionPanel(subjects: members, comparedWith: all, leastHeight: 170)
                }
            return (group[0].resolver, panel)
        }
        leftOut = groups.count - chosen.count
    }

    /// By resolver, in the order in which those first appear.
    private static func groups(of subjects: [ChartSubject]) -> [[ChartSubject]] {
        var places: [String: Int] = [:]
        var groups: [[ChartSubject]] = []
        for subject in subjects {
            let place = places[subject.resolver, default: groups.count]
            if place == groups.count { groups.append([]) }
            places[subject.resolver] = place
            groups[place].append(subject)
        }
        return groups
    }

    var nothing: String? { nil }

    var notes: [String] {
        var seen: Set<String> = []
        let different = parts.flatMap(\.panel.remarks).filter { seen.insert($0).inserted }
        // Not all have everything that is to be explained.
        return different.filter { note in
            !different.contains { $0 != note && $0.hasPrefix(note) }
        } + FigureText.omission(leftOut)
    }

    func height(width: Double) -> Double {
        parts.reduce(0) { $0 + Self.title + $1.panel.room(width: width) + Self.gap }
    }

    func marks(in frame: Rect) -> [Mark] {
        var y = frame.y
        return parts.flatMap { resolver, panel -> [Mark] in
            let name = TextStyle.strong.elided(resolver, to: frame.width)
            let title = Mark.text(name, at: Point(frame.x, y + 13), .strong)
            let room = Rect(
                x: frame.x,
                y: y + Self.title,
                width: frame.width,
                height: panel.room(width: frame.width)
            )
            y = room.bottom + Self.gap
            return [title] + (panel.nothing == nil ? panel.marks(in: room) : [])
        }
    }
}

extension ChartSubject {
    /// The same under the name that tells it from the resolver's others.
    fileprivate var named: ChartSubject {
        var subject = self
        subject.label = name
        return subject
    }
}
