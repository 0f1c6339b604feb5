/// What a chart shows of the resolvers.
package enum ChartKind: String, CaseIterable, Hashable, Sendable {
    /// Median, middle half and p5 to p95, a row a resolver.
    case bars
    /// The share of queries answered within a time, a line a resolver.
    case distribution
    /// Query time against round, a panel a name.
    case rounds
    /// What the time to the first answer of a connection is made of, a row a resolver and transport.
    case opening

    /// Those that can be drawn of any queries.
    package static let ofQueries: [ChartKind] = [.bars, .distribution, .rounds]
}

/// One chart, as a value: its kind and the resolvers in the order in which they are drawn.
package struct Chart: Hashable, Sendable {
    package var kind: ChartKind
    package var subjects: [ChartSubject]
    /// What was asked, where a sheet has charts of several such: `cached names`.
    package var scope: String

    package init(_ kind: ChartKind, of subjects: [ChartSubject], scope: String = "") {
        self.kind = kind
        self.subjects = subjects
        self.scope = scope
    }

    /// What the chart shows, in a few words.
    var heading: String {
        let heading = panel.heading
        return scope.isEmpty || kind == .opening ? heading : "\(heading): \(scope)"
    }

    /// The layout of the chart; a resolver has the same style in every kind.
    var panel: any Panel {
        let styles = SeriesStyle.assigned(to: subjects)
        switch kind {
        case .opening: return OpeningPanel(subjects: subjects)
        case .bars: return BarsPanel(subjects: subjects, styles: styles)
        case .distribution:
            return grouped { subjects, styles, all in
                DistributionPanel(
                    subjects: subjects,
                    styles: styles,
                    comparedWith: all,
                    leastHeight: 170
                )
            } ?? DistributionPanel(subjects: subjects, styles: styles)
        case .rounds:
            let names = max(2, RoundsPanel.nameLimit / max(1, subjects.groups.count))
            return grouped { subjects, styles, all in
                RoundsPanel(
                    subjects: subjects,
                    styles: styles,
                    comparedWith: all,
                    nameLimit: names
                )
            } ?? RoundsPanel(subjects: subjects, styles: styles)
        }
    }

    /// A panel a resolver, beside all that are drawn; `nil` where no resolver was asked in several ways, or it is the only one.
    private func grouped(
        _ panel: ([ChartSubject], [SeriesStyle?], [ChartSubject]) -> any Panel
    ) -> GroupedPanel? {
        let groups = subjects.groups
        guard groups.count > 1, groups.contains(where: { $0.members.count > 1 }) else { return nil }
        let byImportance = groups.indices.sorted {
            (groups[$0].isOrdinary ? 1 : 0, $0) < (groups[$1].isOrdinary ? 1 : 0, $1)
        }
        let chosen = byImportance.prefix(GroupedPanel.limit).sorted().map { groups[$0].named }
        let all = chosen.flatMap(\.members)
        let parts = chosen.map { group in
            let styles = SeriesStyle.assigned(to: group.members)
            return GroupedPanel.Part(
                resolver: group.resolver,
                panel: panel(group.members, styles, all)
            )
        }
        return GroupedPanel(parts, leftOut: groups.count - chosen.count)
    }

    /// The figures in words, for those who cannot see the marks.
    var sentences: [String] {
        subjects.map { subject in
            let note = subject.role.note.map { " (\($0))" } ?? ""
            if kind == .opening, let opening = subject.opening {
                return "\(subject.openingLabel)\(note): \(opening.sentence(subject.summary))."
            }
            let asked = scope.isEmpty ? "" : ", \(scope)"
            return "\(subject.label)\(asked)\(note): \(FigureText.sentence(subject.summary))."
        }
    }
}

/// The ways in which one resolver was asked.
private struct SubjectGroup {
    let resolver: String
    var members: [ChartSubject]

    /// With what tells its members apart as their labels.
    var named: SubjectGroup {
        var group = self
        for index in members.indices {
            group.members[index].label = members[index].member?.name ?? members[index].label
        }
        return group
    }

    /// Whether none of them is one that a reader looks for first.
    var isOrdinary: Bool { members.allSatisfy { $0.role == .other } }
}

extension [ChartSubject] {
    /// By resolver, in the order in which those first appear.
    fileprivate var groups: [SubjectGroup] {
        var places: [String: Int] = [:]
        var groups: [SubjectGroup] = []
        for subject in self {
            let resolver = subject.member?.resolver ?? subject.label
            if let place = places[resolver] {
                groups[place].members.append(subject)
            } else {
                places[resolver] = groups.count
                groups.append(SubjectGroup(resolver: resolver, members: [subject]))
            }
        }
        return groups
    }
}
