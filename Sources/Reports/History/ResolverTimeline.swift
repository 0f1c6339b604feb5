import Analysis
import Charts
import Samples
import Statistics

/// One resolver at one place over a window: its figures, its stretches of time, and what changed.
struct ResolverTimeline: Sendable {
    /// The label, with what tells it apart.
    var name: String
    var subject: HistoryHours.Subject
    var figures: ResolverSummary
    /// Exact times, and those that sums have.
    var answers: [Double]
    var sketch: LatencySketch
    var bins: [TimeBin]
    var findings: [ChangesReport.Finding]
    /// When other sites began to answer.
    var moves: [SiteMove]
    /// Events of its place.
    var marks: [TimeMark]

    /// The lowest median first in each series, and where a resolver was asked over several
    /// transports, these beneath each other; changes are looked for only where they are `told`.
    static func all(of timeline: HistoryTimeline, told: Bool) -> [ResolverTimeline] {
        let courses = timeline.hours.courses
        let bins = timeline.bins
        let changes = told ? timeline.changes.findings : []
        let findings = Dictionary(grouping: changes) {
            HistoryHours.Subject(vantage: $0.vantage, target: $0.target)
        }
        let all = Set(courses.map(\.subject.target.series))
        let ranked = courses.map { course in
            let series = course.subject.target.series
            let total = course.total()
            let name = EscapedText.terminal(course.name)
            return ResolverTimeline(
                name: series.naming(name, among: all),
                subject: course.subject,
                figures: course.row(of: total),
                answers: total.answers,
                sketch: total.sums?.sketch ?? LatencySketch(),
                bins: bins[course.subject] ?? [],
                findings: findings[course.subject] ?? [],
                moves: told ? timeline.moves(of: course.subject) : [],
                marks: told ? timeline.marks(at: course.subject.vantage) : []
            )
        }
        .sorted { $0.place < $1.place }
        guard ranked.areByTransport else { return ranked }
        return Series.allCases.flatMap { series in
            ResolverGroups.arranged(
                ranked.filter { $0.subject.target.series == series },
                by: \.subject.target
            )
        }
    }

    private var place: (UInt8, Double, Int, String) {
        (
            subject.target.series.rawValue, figures.latency.median ?? .infinity,
            -figures.counts.answered, name
        )
    }

    var timelineSubject: ChartSubject {
        ChartSubject(
            label: name,
            summary: figures.latency,
            bins: bins,
            marks: marks + moves.marks
                + findings.map { finding in
                    TimeMark(
                        moment: Int64(finding.change.hour) * 3600,
                        label: finding.markText
                    )
                }
        )
    }

    /// For charts of one series.
    func chartSubject(_ member: ChartSubject.Member?) -> ChartSubject {
        ChartSubject(
            label: EscapedText.terminal(figures.name) + figures.usePhrase,
            member: member,
            summary: figures.latency,
            answers: answers,
            sketch: sketch
        )
    }
}

extension [ResolverTimeline] {
    /// Whether a resolver was asked over several transports.
    var areByTransport: Bool {
        map(\.subject.target).haveSeveralTransports
    }
}

extension [ResolverTimeline] {
    /// A chart a series of what has no axis of time; of first answers one, and none without any.
    func charts(_ kind: ChartKind) -> [Chart] {
        guard kind != .opening else {
            let subjects = ConnectionSetupSubjects(openings).all
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
    var byResolver: [(resolver: String, courses: [ResolverTimeline])] {
        let resolvers = openings.map(\.resolver)
        let courses = Dictionary(grouping: zip(self, resolvers), by: \.1)
        return resolvers.uniqued.map { ($0, (courses[$0] ?? []).map(\.0)) }
    }

    private var openings: [ConnectionSetupSubjects.Entry] {
        let vantages = vantages
        return map { course in
            let label = EscapedText.terminal(course.subject.target.label)
            return ConnectionSetupSubjects.Entry(
                resolver: label + Self.place(course.subject.vantage, among: vantages),
                row: course.figures
            )
        }
    }

    /// In the order in which they first appear.
    private var vantages: [String] { map(\.subject.vantage).uniqued }

    /// Words that tell the resolvers of a place from those of another.
    private static func place(_ vantage: String, among vantages: [String]) -> String {
        vantages.count > 1 ? " from \(EscapedText.terminal(vantage))" : ""
    }
}
