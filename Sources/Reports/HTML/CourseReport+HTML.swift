import Charts
import Samples
import Statistics

extension CourseReport {
    /// The answer, the figures, what to do next, and every chart over time.
    package func fragments(next: HTML) -> [HTML] {
        guard !isEmpty else { return [PageFragments.answer(context.nothing)] }
        let words = HistoryWords(of: timeline)
        let sentences = words.sentences(of: courses, as: .timeline)
        return [
            PageFragments.answer(
                sentences.first ?? "",
                scope: words.scope(of: courses),
                details: Array(sentences.dropFirst())
            ),
            figures.html,
        ] + PageFragments.encryption(encryption.map { cost in cost.words { $0 } }) + [
            next,
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
        _ courses: [HistoryCourse]
    ) -> HTML {
        let chart = Chart(
            kind,
            of: courses.map(\.timelineSubject),
            over: TimeScale(context)
        )
        let sheet = Sheet(charts: [chart], identifier: kind.rawValue)
        return PageFragments.section(title, id: kind.rawValue, [PageFragments.figure(sheet)])
    }

    private var figures: HTMLTable {
        let rows = courses.map(\.figures)
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let wide = LatencyFormat(
            fitting: rows.flatMap { [$0.latency.p95, $0.latency.p99] }.compactMap(\.self)
        )
        let opening = OpeningColumn.all(of: rows)
        return HTMLTable(
            columns: [
                .init("resolver", isHeading: true),
                .init(isByTransport ? "over" : "transport"), .init("median", isNumeric: true),
                .init("p95", isNumeric: true),
                .init("p99", isNumeric: true), .init("lost", isNumeric: true),
                .init("queries", isNumeric: true),
            ] + opening.map(\.heading) + [.init("remarks")],
            rows: zip(courses, rows).map { course, row in
                [
                    .init(HTML(text: title(course))), .init(row.target.transport),
                    .init(row.quantile(row.latency.median, in: format)),
                    .init(row.quantile(row.latency.p95, in: wide)),
                    .init(row.quantile(row.latency.p99, in: wide)),
                    .init(
                        row.counts.failureRate.description,
                        style: row.counts.lost > 0 ? "warning" : nil
                    ),
                    .init("\(row.counts.sent)"),
                ] + opening.map { $0.htmlCell(row) } + [
                    .init(RowNote(row).text, style: "prose")
                ]
            }
        )
    }

    /// What a row is called beside its transport.
    private func title(_ course: HistoryCourse) -> String {
        guard isByTransport else { return course.name }
        let subject = course.subject
        let places = Set(courses.map(\.subject.vantage)).count > 1
        let name = subject.target.label + (places ? " from \(subject.vantage)" : "")
        let all = Set(courses.map(\.subject.target.series))
        return subject.target.series.naming(name, among: all)
    }
}
