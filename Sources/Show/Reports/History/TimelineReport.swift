import Analysis
import Charts
import Samples
import Statistics

/// The timeline of resolvers over a window: charts, figures, changes and missing rounds.
package struct TimelineReport: HistoryReport {
    static let kind = "course"

    let timeline: HistoryTimeline
    let timelines: [ResolverTimeline]
    /// The timelines of charts and their table. With many places each resolver appears once.
    private let drawn: [ResolverTimeline]
    /// The timelines by the hour, for charts by the hour of the day, and the drawn ones.
    private let hourly: [ChartSubject]
    private let hourlyDrawn: [ChartSubject]
    let encryption: [EncryptionCost]

    init(of timeline: HistoryTimeline) {
        self.timeline = timeline
        timelines = ResolverTimeline.all(of: timeline, told: true)
        encryption = timeline.evidence?.costs(timelines.map(\.figures)) ?? []
        let bins = timeline.hourly?.bins ?? [:]
        func subject(_ resolver: ResolverTimeline, _ bins: [TimeBin]) -> ChartSubject {
            var subject = ChartSubject(label: resolver.name, summary: resolver.figures.latency)
            subject.bins = bins
            return subject
        }
        hourly = timelines.map { subject($0, bins[$0.subject] ?? []) }
        let isOfMany = timeline.hours.areOfManyPlaces
        drawn = isOfMany ? ResolverTimeline.overPlaces(of: timeline) : timelines
        hourlyDrawn =
            isOfMany
            ? ResolverTimeline.overPlaces(of: timeline.byTheHour).map { subject($0, $0.bins) }
            : hourly
    }

    var context: WindowContext { timeline.context }

    package var isEmpty: Bool { timelines.isEmpty }

    /// Only for programs. A page uses ``fragments(next:)``.
    package var document: Document { document([]) }

    var provenance: Provenance { timeline.hours.provenance }

    var verification: Verification { timeline.hours.verification }

    var notes: [Warning] {
        Warning.all(provenance, verification, context)
            + Warning.fewSamples(timelines.map(\.figures.latency), showsP99: true)
    }

    static let fields: [Field<TimelineReport>] = [
        .count("stretch_s", "Length of a bin, in seconds.") { Int($0.timeline.length) },
        .list("resolvers", CourseEntry.shape, "One entry per place and resolver.") { report in
            let scale = TimeScale(report.context)
            return zip(report.timelines, report.hourly).map { timeline, hourly in
                CourseEntry(timeline: timeline, week: hourly.weekMedians(over: scale))
            }
        },
        EncryptionCost.field { $0.encryption },
    ]

    /// The answer, the figures, what to do next, and every chart over time.
    package func fragments(next: HTML) -> [HTML] {
        guard !isEmpty else { return [PageFragments.answer(context.nothing)] }
        let sentences = timeline.sentences(of: drawn, as: .timeline)
        return [
            PageFragments.answer(
                sentences.first ?? "",
                scope: timeline.scope(of: drawn),
                details: Array(sentences.dropFirst())
            ),
            figures.html, PageFragments.encryption(encryption.map(\.words)), next,
            section("Timeline", .timeline, subjects), section("Smoke", .smoke, subjects),
            section("Hours of the week", .heatmap, hourlyDrawn),
            changes,
            PageFragments.section("Notes", id: "notes", [remarks]),
        ]
    }

    /// The charts of several resolvers: over time, and as distributions. With several places, one per place.
    private var comparedCharts: [HTML] {
        guard !isEmpty else { return [] }
        // Many places would give too many lines to read.
        guard Set(timelines.map(\.subject.vantage)).count == 1 else {
            let shown = timelines.limited(to: ManyPlaces.mostRows)
            return [section("Places", .places, shown.charts(.places)), changes]
        }
        return [
            section(
                "Distribution",
                .distribution,
                timelines.charts(.distribution) + timelines.charts(.opening)
            ),
            section("Timeline", .timeline, subjects), changes,
        ]
    }

    /// The same charts with their notes, below a comparison.
    package var fragmentsOfPair: [HTML] {
        comparedCharts + [PageFragments.section("Notes", id: "notes", [remarks])]
    }

    private var remarks: HTML { PageFragments.list(notes.map(\.pageText)) }

    private var changes: HTML {
        PageFragments.changes(timeline.incidents(of: timelines), clock: context.clock)
    }

    private var subjects: [ChartSubject] { drawn.map(\.timelineSubject) }

    private func section(_ title: String, _ kind: ChartKind, _ subjects: [ChartSubject]) -> HTML {
        section(title, kind, [Chart(kind, of: subjects, over: TimeScale(context))])
    }

    private func section(_ title: String, _ kind: ChartKind, _ charts: [Chart]) -> HTML {
        let sheet = Sheet(charts: charts, identifier: kind.rawValue)
        return PageFragments.section(title, id: kind.rawValue, [PageFragments.figure(sheet)])
    }

    private var figures: Table {
        let columns = ResolverColumns(rows: drawn.map(\.figures))
        var over = columns.over
        if !drawn.areByTransport { over.header = "transport" }
        var table = Table(
            [.init("resolver", titles, .heading), over, columns.median]
                + [columns.failed, columns.p95, columns.p99]
                + [columns.count(countTitle, \.sent)]
                + columns.parts() + [columns.remarks()]
        )
        table.isSortable = false
        return table
    }

    /// With many places each place counts once.
    private var countTitle: String { timeline.hours.areOfManyPlaces ? "places" : "queries" }

    private var titles: [String] {
        guard drawn.areByTransport else { return drawn.map(\.name) }
        let all = Set(drawn.map(\.subject.target.series))
        return zip(drawn, drawn.map(\.subject).labels).map { resolver, label in
            resolver.subject.target.series.naming(label, among: all)
        }
    }
}

/// A resolver at a place over the window, for programs.
private struct CourseEntry: Sendable {
    let timeline: ResolverTimeline
    /// Seven days, Monday first, of 24 hours.
    let week: [[(median: Double?, queries: Int)]]

    private typealias Bin = (bin: TimeBin, timeout: Double)

    static let shape = Shape<CourseEntry>(
        "course",
        [.text("vantage", "Name of the place.") { $0.timeline.subject.vantage }]
            + ResolverSummary.members.of { $0.timeline.figures } + [
                .list("bins", bin, "Figures of each bin, in order.") { entry in
                    let timeout = entry.timeline.figures.latency.timeout
                    return entry.timeline.bins.sorted { $0.start < $1.start }.map { ($0, timeout) }
                },
                Field(
                    "hours_of_week_median_ms",
                    .list(.list(.optional(.number))),
                    unit: .milliseconds,
                    "Median of each hour of the week: seven days, Monday first, of 24 hours."
                ) { entry in
                    .array(entry.week.map { .array($0.map { .milliseconds($0.median) }) })
                },
                Field(
                    "hours_of_week_queries",
                    .list(.list(.count)),
                    "Queries of each hour of the week."
                ) { entry in .array(entry.week.map { .array($0.map { .integer($0.queries) }) }) },
                .list("changes", ChangeFinding.shape, "Changes of the resolver.") {
                    $0.timeline.findings
                },
            ]
    )

    private static let bin = Shape<Bin>(
        "bin",
        [
            .moment("since", "Start of the bin.") { Timestamp(wholeSeconds: $0.bin.start) },
            .count("length_s", "Length of the bin, in seconds.") { Int($0.bin.length) },
            .count("sent", "Queries sent.") { $0.bin.latency.answered + $0.bin.latency.nonAnswers },
            .count("failed", "Failed queries.") { $0.bin.latency.nonAnswers },
            .count("lost", "The same number as `failed`.") { $0.bin.latency.nonAnswers },
            quantile("p5_ms", 0.05), quantile("p25_ms", 0.25), quantile("median_ms", 0.5),
            quantile("p75_ms", 0.75), quantile("p95_ms", 0.95),
        ]
    )

    private static func quantile(_ key: String, _ p: Double) -> Field<Bin> {
        .time(
            key,
            null: "the quantile lies among the queries without an answer",
            "\(p.fixed(least: 0, most: 2))-quantile of the round trips."
        ) { $0.bin.latency.quantile(p, timeout: $0.timeout) }
    }
}
