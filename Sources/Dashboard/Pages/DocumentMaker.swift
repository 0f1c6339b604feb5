import Measurement
import Reports
import Statistics
import Store

/// Makes documents of what was recorded: the same reports and charts as the command line's.
struct DocumentMaker: Sendable {
    let settings: DashboardSettings
    private let recent = RecentOverview()

    init(settings: DashboardSettings) { self.settings = settings }

    func reply(to document: Document, reading archive: Archive) throws -> Reply {
        let history = try archive.history()
        let reader = HistoryReader(history, try document.window.context(settings))
        switch (document.subject, document.form) {
        case (.metrics, _):
            let text = try Metrics.text(of: archive.store(), version: settings.toolVersion)
            return Reply(type: Metrics.contentType, content: .text(text))
        case (.overview, .data): return json(try overview(archive))
        case (.overview, .page): return .page(try overviewPage(document, archive, reader))
        case (.window(let grouping), _): return json(try reader.window(by: grouping))
        case (.changes, _): return json(try reader.changes())
        case (.course(let label), .data): return json(try course(label, history, document))
        case (.course(let label), .page):
            return .page(try coursePage(label, document, history))
        case (.comparison(let baseline, let candidate), .data):
            let pair = try ComparedPair(baseline, candidate, in: history, settings)
            return json(try comparison(pair, history, document))
        case (.comparison(let baseline, let candidate), .page):
            return .page(try comparisonPage(baseline, candidate, document, history))
        }
    }

    private func json(_ report: some HistoryReport) -> Reply {
        .json(report.render(as: .json, width: 0, colour: false) ?? "")
    }

    // MARK: - Reports

    /// The same for every window that a page shows beside it.
    private func overview(_ archive: Archive) throws -> OverviewReport {
        let edition = archive.edition
        if let known = recent.report(of: edition, at: settings.now()) { return known }
        let context = try WindowChoice.week.context(settings)
        let report = try HistoryReader(try archive.history(), context)
            .overview(inUse: settings.inUse, rules: ComparisonRules())
        recent.keep(report, of: edition)
        return report
    }

    private func course(
        _ label: String?,
        _ history: any RecordedHistory,
        _ document: Document
    ) throws -> CourseReport {
        let source = label.map { history.limited(to: [$0]) } ?? history
        return try HistoryReader(source, try document.window.context(settings)).course()
    }

    private func comparison(
        _ pair: ComparedPair,
        _ history: any RecordedHistory,
        _ document: Document
    ) throws -> ComparisonReport {
        try HistoryReader(
            history.limited(to: [pair.baseline, pair.candidate]),
            try document.window.context(settings)
        )
        .anyComparison(
            baseline: pair.baseline,
            isInUse: pair.baseline == settings.inUse,
            rules: ComparisonRules()
        )
    }

    // MARK: - Pages

    private func overviewPage(
        _ document: Document,
        _ archive: Archive,
        _ reader: HistoryReader
    ) throws -> HTMLPage {
        let overview = try overview(archive)
        let isWeek = document.window == .week
        let window =
            isWeek ? overview.weekReport : try reader.window(by: .resolver)
        let links = links(document.window)
        let figures = window.map { window in
            [
                PageFragments.section(
                    "All resolvers",
                    id: "resolvers",
                    window.fragments(links, inUse: overview.inUse)
                ),
                PageFragments.section("Worth knowing", id: "notes", window.remarks),
            ]
        }
        return try shell(document, try archive.history())
            .page("Overview", overview.fragments(links) + (figures ?? []))
    }

    private func coursePage(
        _ label: String?,
        _ document: Document,
        _ history: any RecordedHistory
    ) throws -> HTMLPage {
        let report = try course(label, history, document)
        let compare = try label.flatMap { label -> HTML? in
            guard let inUse = settings.inUse, inUse != label,
                try history.resolverLabels().contains(inUse)
            else { return nil }
            return HTML(
                .p,
                HTML(
                    .a,
                    [.href(links(document.window).comparison(inUse, label))],
                    HTML(text: "Compare with \(inUse)")
                )
            )
        }
        return try shell(document, history)
            .page(label ?? "Resolvers", report.fragments(next: compare ?? .nothing))
    }

    private func comparisonPage(
        _ baseline: String?,
        _ candidate: String?,
        _ document: Document,
        _ history: any RecordedHistory
    ) throws -> HTMLPage {
        let pair = try ComparedPair(baseline, candidate, in: history, settings)
        var shell = try shell(document, history)
        shell.controls = [pair.form(shell.labels, window: document.window)]
        let (report, charts) = try HistoryReader(
            history.limited(to: [pair.baseline, pair.candidate]),
            try document.window.context(settings)
        )
        .comparedCourses(
            baseline: pair.baseline,
            isInUse: pair.baseline == settings.inUse,
            rules: ComparisonRules()
        )
        return shell.page(
            "\(pair.candidate) and \(pair.baseline)",
            report.fragments + charts.comparedCharts
                + [PageFragments.section("Worth knowing", id: "notes", [charts.remarks])]
        )
    }

    private func shell(
        _ document: Document,
        _ history: any RecordedHistory
    ) throws -> PageShell {
        PageShell(
            target: document.target,
            window: document.window,
            labels: try history.resolverLabels()
        )
    }

    private func links(_ window: WindowChoice) -> PageLinks {
        PageLinks(
            resolver: { label in
                window.applied(to: RequestTarget("/resolver").setting("label", to: label)).text
            },
            comparison: { baseline, candidate in
                window.applied(
                    to: RequestTarget("/compare").setting("baseline", to: baseline)
                        .setting("candidate", to: candidate)
                ).text
            }
        )
    }
}
