import Analysis
import Charts
import Samples
import Statistics

/// The course of resolvers over a window: drawn, in figures, and what changed and was missed.
package struct TimelineReport: HistoryReport {
    static let kind = "course"

    let timeline: HistoryTimeline
    let courses: [ResolverTimeline]
    /// The same by the hour, for what hours of the day do.
    let hourlyCourses: [ResolverTimeline]
    /// Costs of encryption, where they are known.
    let encryption: [EncryptionCost]

    init(of timeline: HistoryTimeline) {
        self.timeline = timeline
        courses = ResolverTimeline.all(of: timeline, told: true)
        encryption = timeline.evidence?.costs(courses.map(\.figures)) ?? []
        let bins = timeline.hourly?.bins ?? [:]
        hourlyCourses = courses.map { course in
            var course = course
            course.bins = bins[course.subject] ?? []
            (course.findings, course.moves, course.marks) = ([], [], [])
            return course
        }
    }

    var context: WindowContext { timeline.context }

    /// Whether a resolver's transports are beneath each other.
    var isByTransport: Bool { courses.areByTransport }

    package var isEmpty: Bool { courses.isEmpty }

    /// For programs alone: a page has its ``fragments(next:)``.
    package var document: Document { document([]) }

    var provenance: Provenance { timeline.hours.provenance }

    var notes: [Warning] {
        Warning.all(
            log: provenance.log,
            context: context,
            hasSums: provenance.hasSums,
            verification: Verification(of: courses.map(\.figures))
        )
    }

    // MARK: - For programs

    var members: JSONValue {
        [
            "stretch_s": .integer(Int(timeline.length)),
            "resolvers": .array(zip(courses, hourlyCourses).map { members($0, hourly: $1) }),
        ] + encryption.members
    }

    private func members(
        _ course: ResolverTimeline,
        hourly: ResolverTimeline
    ) -> JSONValue {
        let timeout = course.figures.latency.timeout
        return ["vantage": .string(course.subject.vantage)]
            + course.figures.members + [
                "bins": .array(
                    course.bins.sorted { $0.start < $1.start }.map { bin($0, timeout) }
                ),
                "hours_of_week_median_ms": week(hourly),
                "changes": .array(course.findings.map(\.json)),
            ]
    }

    private func bin(_ bin: TimeBin, _ timeout: Double) -> JSONValue {
        let tally = bin.latency
        func quantile(_ p: Double) -> JSONValue {
            .milliseconds(tally.quantile(p, timeout: timeout))
        }
        let start = bin.start.multipliedReportingOverflow(by: 1_000_000_000)
        return [
            "since": start.overflow
                ? .null : .string(Timestamp(nanoseconds: start.partialValue).description),
            "length_s": .integer(Int(bin.length)),
            "sent": .integer(tally.answered + tally.nonAnswers),
            "lost": .integer(tally.nonAnswers),
            "p5_ms": quantile(0.05), "p25_ms": quantile(0.25), "median_ms": quantile(0.5),
            "p75_ms": quantile(0.75), "p95_ms": quantile(0.95),
        ]
    }

    /// Seven days, Monday first, of 24 hours.
    private func week(_ course: ResolverTimeline) -> JSONValue {
        let medians = course.timelineSubject.weekMedians(over: TimeScale(context))
        return .array(medians.map { .array($0.map(JSONValue.milliseconds)) })
    }
}

extension TimelineReport {
    /// The answer, the figures, what to do next, and every chart over time.
    package func fragments(next: HTML) -> [HTML] {
        guard !isEmpty else { return [PageFragments.answer(context.nothing)] }
        let words = TimelineSentences(of: timeline)
        let sentences = words.sentences(of: courses, as: .timeline)
        return [
            PageFragments.answer(
                sentences.first ?? "",
                scope: words.scope(of: courses),
                details: Array(sentences.dropFirst())
            ),
            figures.html, PageFragments.encryption(encryption.map(\.words)), next,
            section("Timeline", .timeline, courses), section("Smoke", .smoke, courses),
            section("Hours of the week", .heatmap, hourlyCourses),
            changes,
            PageFragments.section("Worth knowing", id: "notes", [remarks]),
        ]
    }

    /// The charts of resolvers beside each other: over time, and as distributions.
    package var comparedCharts: [HTML] {
        guard !isEmpty else { return [] }
        let sheet = Sheet(
            charts: courses.charts(.distribution) + courses.charts(.opening),
            identifier: "distribution"
        )
        return [
            PageFragments.section(
                "Distribution",
                id: "distribution",
                [PageFragments.figure(sheet)]
            ),
            section("Timeline", .timeline, courses), changes,
        ]
    }

    package var remarks: HTML { PageFragments.list(notes.map(\.text)) }

    private var changes: HTML {
        let findings = courses.flatMap(\.findings).sorted { $0.change.hour < $1.change.hour }
        return PageFragments.section(
            "What changed",
            id: "changes",
            [PageFragments.list(findings.map { $0.sentence(clock: context.clock) })]
        )
    }

    private func section(
        _ title: String,
        _ kind: ChartKind,
        _ courses: [ResolverTimeline]
    ) -> HTML {
        let chart = Chart(
            kind,
            of: courses.map(\.timelineSubject),
            over: TimeScale(context)
        )
        let sheet = Sheet(charts: [chart], identifier: kind.rawValue)
        return PageFragments.section(title, id: kind.rawValue, [PageFragments.figure(sheet)])
    }

    private var figures: Table {
        let columns = ResolverColumns(rows: courses.map(\.figures))
        var over = columns.over
        if !isByTransport { over.header = "transport" }
        var table = Table(
            [.init("resolver", courses.map(title), .heading), over, columns.median]
                + [columns.p95(), columns.p99(), columns.lost, columns.count("queries", \.sent)]
                + columns.parts() + [columns.remarks()]
        )
        table.isSortable = false
        return table
    }

    /// Name of a row beside its transport.
    private func title(_ course: ResolverTimeline) -> String {
        guard isByTransport else { return course.name }
        let subject = course.subject
        let places = Set(courses.map(\.subject.vantage)).count > 1
        let name = subject.target.label + (places ? " from \(subject.vantage)" : "")
        let all = Set(courses.map(\.subject.target.series))
        return subject.target.series.naming(name, among: all)
    }
}
