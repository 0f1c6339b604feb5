import Charts
import Samples

extension [HistoryCourse] {
    /// A chart a series of what has no axis of time; of first answers one, and none without any.
    func charts(_ kind: ChartKind) -> [Chart] {
        guard kind != .opening else {
            let subjects = OpeningSubjects(openings).all
            return subjects.isEmpty ? [] : [Chart(.opening, of: subjects)]
        }
        let all = Series.allCases.filter { series in
            contains { $0.subject.target.series == series }
        }
        return all.map { Chart(kind, of: subjects(of: $0), scope: $0.scope(in: all)) }
    }

    private func subjects(of series: Series) -> [ChartSubject] {
        let vantages = vantages
        return vantages.flatMap { vantage -> [ChartSubject] in
            let own = filter { $0.subject.vantage == vantage }
            let courses = own.filter { $0.subject.target.series == series }
            let groups = ResolverGroups(courses.map(\.figures), of: own.map(\.subject.target))
            let members = groups.members
            guard !members.isEmpty else { return courses.map { $0.chartSubject(nil) } }
            let drawn = Dictionary(
                courses.map { ($0.subject.target, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            return zip(groups.rows, members).compactMap { row, member in
                var member = member
                member.resolver += Self.place(vantage, among: vantages)
                return drawn[row.target]?.chartSubject(member)
            }
        }
    }

    /// By resolver and place, in the order in which those first appear.
    var byResolver: [(resolver: String, courses: [HistoryCourse])] {
        let resolvers = openings.map(\.resolver)
        let courses = Dictionary(grouping: zip(self, resolvers), by: \.1)
        return resolvers.uniqued.map { ($0, (courses[$0] ?? []).map(\.0)) }
    }

    private var openings: [OpeningSubjects.Entry] {
        let vantages = vantages
        return map { course in
            let label = EscapedText.terminal(course.subject.target.label)
            return OpeningSubjects.Entry(
                resolver: label + Self.place(course.subject.vantage, among: vantages),
                row: course.figures
            )
        }
    }

    /// In the order in which they first appear.
    private var vantages: [String] { map(\.subject.vantage).uniqued }

    /// What tells the resolvers of a place from those of another.
    private static func place(_ vantage: String, among vantages: [String]) -> String {
        vantages.count > 1 ? " from \(EscapedText.terminal(vantage))" : ""
    }
}
