import Analysis
import Charts
import Samples
import Statistics

/// One resolver at one place over a window: its figures, its time bins, and its changes.
struct ResolverTimeline: Sendable {
    /// The label, with a suffix if another resolver has the same label.
    var name: String
    var subject: HistoryHours.Subject
    /// The position that decides the colour.
    var order: Int?
    var figures: ResolverSummary
    /// The exact times, and the times from sums.
    var answers: AnswerTimes
    var sketch: LatencySketch
    var bins: [TimeBin]
    var findings: [ChangeFinding]
    /// The times at which other sites began to answer.
    var moves: [SiteMove]
    var marks: [TimeMark]
    /// The times in which no resolver of the place answered, or this one did not.
    var outages: [OutageFinding] = []
    /// The same times, in seconds since 1970.
    var silence: [Range<Int64>] = []
    /// The times at which comparisons set it aside.
    var stops: [StoppedTargets.Stop] = []

    /// Returns the timelines, the lowest median first in each series. The transports of a resolver are
    /// adjacent. Changes are found only with `told`, and times are kept only with `withTimes`, because a year
    /// has many.
    static func all(
        of timeline: HistoryTimeline,
        told: Bool,
        withTimes: Bool = true
    ) -> [ResolverTimeline] {
        let bins = timeline.bins
        // This comes before the timelines: it has its own timelines, and both are large.
        let changes = told ? timeline.changes.changes : nil
        let findings = Dictionary(grouping: changes?.findings ?? [], by: \.subject)
        let outages = Dictionary(grouping: changes?.outages ?? [], by: \.vantage)
        let timelines = timeline.hours.timelines
        let all = Set(timelines.map(\.subject.target.series))
        var marks: [String: [TimeMark]] = [:]
        if told {
            for vantage in Set(timelines.map(\.subject.vantage)) {
                marks[vantage] = timeline.marks(at: vantage)
            }
        }
        let unranked = timelines.map { resolver in
            let series = resolver.subject.target.series
            let total = resolver.total()
            let name = EscapedText.terminal(resolver.name)
            let own = (outages[resolver.subject.vantage] ?? [])
                .filter { $0.subject == nil || $0.subject == resolver.subject }
            return ResolverTimeline(
                name: series.naming(name, among: all),
                subject: resolver.subject,
                order: timeline.context.order.place(of: resolver.subject),
                figures: resolver.row(of: total),
                answers: withTimes ? total.answers : [],
                sketch: total.sums?.sketch ?? LatencySketch(),
                bins: bins[resolver.subject] ?? [],
                findings: findings[resolver.subject] ?? [],
                moves: told ? timeline.moves(of: resolver.subject) : [],
                marks: marks[resolver.subject.vantage] ?? [],
                outages: own,
                silence: own.intervals(until: timeline.context.gapsEnd),
                stops: timeline.stops(of: resolver.subject)
            )
        }
        return ranked(unranked)
    }

    private static func ranked(_ timelines: [ResolverTimeline]) -> [ResolverTimeline] {
        let ranked = timelines.sorted(byKey: { $0.place }, <)
        return ranked.areByTransport
            ? ResolverGroups.arranged(ranked, by: \.subject.target) : ranked
    }

    /// Each resolver over all places. Each place counts once, by its median.
    static func overPlaces(of timeline: HistoryTimeline) -> [ResolverTimeline] {
        let found = PlaceMedians.all(of: timeline.hours, timeline.timeBins)
        let names = found.map(\.target).namesByTarget
        let all = Set(found.map(\.target.series))
        let unranked = found.map { part in
            let name = names[part.target] ?? part.target.label
            return ResolverTimeline(
                name: part.target.series.naming(EscapedText.terminal(name), among: all),
                subject: HistoryHours.Subject(vantage: "", target: part.target),
                figures: ResolverSummary(part.target, name: name, part.figures),
                answers: part.figures.answers,
                sketch: LatencySketch(),
                bins: part.bins.map { TimeBin($0, $1) },
                findings: [],
                moves: [],
                marks: []
            )
        }
        return ranked(unranked)
    }

    private var place: (UInt8, Double, Int, String) {
        (
            subject.target.series.order, figures.latency.median ?? .infinity,
            -figures.counts.answered, name
        )
    }

    var timelineSubject: ChartSubject {
        var subject = ChartSubject(label: name, summary: figures.latency)
        subject.order = order
        subject.bins = bins
        let changes = findings.map {
            TimeMark(moment: Int64($0.change.hour) * 3600, label: $0.markText)
        }
        subject.marks = marks + moves.marks + changes + stops.marks
        subject.outages = silence
        subject.stopped = stopped
        return subject
    }

    func chartSubject(_ member: ChartSubject.Member?) -> ChartSubject {
        let label = EscapedText.terminal(figures.name) + figures.usePhrase
        var subject = ChartSubject(label: label, member: member, summary: figures.latency)
        subject.order = order
        (subject.answers, subject.sketch) = (answers, sketch)
        subject.stopped = stopped
        return subject
    }

    /// The reason why its figures are from fewer rounds than its run has; `nil` if they are not.
    var stopped: String? { stops.words(of: figures.counts) }
}

extension StoppedTargets.Stop {
    /// The stop in words, such as `stopped after 10 of 37 rounds: it could not be the best`.
    fileprivate var words: String { "\(label): it could not be the best" }

    fileprivate var label: String { "stopped after \(rounds) of \(roundsOfRun) rounds" }
}

extension [StoppedTargets.Stop] {
    /// The reason why the `counts` of a resolver are from fewer rounds than its run has; `nil` if they are
    /// not.
    func words(of counts: OutcomeCounts) -> String? {
        count == 1 && self[0].queries >= counts.sent ? self[0].words : nil
    }

    /// The most stops that are marked one by one.
    private static var mostMarks: Int { 5 }

    fileprivate var marks: [TimeMark] {
        count > Self.mostMarks
            ? []
            : map {
                TimeMark(moment: $0.moment.wholeSeconds, label: $0.label, detail: $0.words)
            }
    }
}

extension [ResolverTimeline] {
    var areByTransport: Bool { map(\.subject.target).haveSeveralTransports }

    /// One chart per series for charts without a time axis. First answers have one chart, or none without
    /// any.
    func charts(_ kind: ChartKind) -> [Chart] {
        guard kind != .opening else {
            let subjects = openings.charted
            return subjects.isEmpty ? [] : [Chart(.opening, of: subjects)]
        }
        if kind == .places {
            return Chart.places(map { ($0.subject, $0.name, $0.figures.latency) })
        }
        let all = Series.allCases.filter { series in
            contains { $0.subject.target.series == series }
        }
        return all.map { Chart(kind, of: subjects(of: $0), scope: $0.scope(in: all)) }
    }

    /// The columns of a chart of places.
    var columns: [HistoryHours.Subject: String] { map(\.subject).columns }

    private func subjects(of series: Series) -> [ChartSubject] {
        let vantages = map(\.subject.vantage).uniqued
        let places = Dictionary(grouping: self, by: \.subject.vantage)
        return vantages.flatMap { vantage -> [ChartSubject] in
            let own = places[vantage] ?? []
            let timelines = own.filter { $0.subject.target.series == series }
            let groups = ResolverGroups(timelines.map(\.figures), of: own.map(\.subject.target))
            let members = groups.members
            guard !members.isEmpty else { return timelines.map { $0.chartSubject(nil) } }
            return zip(groups.rows, members).compactMap { row, member in
                guard let timeline = timelines.first(where: { $0.subject.target == row.target })
                else { return nil }
                var member = member
                let label = timeline.subject.label(tellsPlace: vantages.count > 1)
                member.resolver = EscapedText.terminal(label)
                return timeline.chartSubject(member)
            }
        }
    }

    /// By resolver and place, in the order of their first appearance.
    var byResolver: [(resolver: String, timelines: [ResolverTimeline])] {
        let resolvers = openings.map(\.resolver)
        let timelines = Dictionary(grouping: zip(self, resolvers), by: \.1)
        return resolvers.uniqued.map { ($0, (timelines[$0] ?? []).map(\.0)) }
    }

    private var openings: [ConnectionSetupSubject] {
        zip(self, map(\.subject).labels).map { timeline, label in
            ConnectionSetupSubject(
                resolver: EscapedText.terminal(label),
                row: timeline.figures
            )
        }
    }
}
