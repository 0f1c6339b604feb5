import Analysis
import Reports
import Samples
import Statistics
import Store

/// Makes documents of what was recorded: the same reports and charts as the command line's.
struct DocumentMaker: Sendable {
    let settings: DashboardSettings

    func reply(to document: Document, reading archive: Archive) throws -> Reply {
        let snapshot = try archive.snapshot(settings.now())
        let context = try context(document.window, snapshot)
        let history = snapshot.history
        let reader = HistoryReader(history, context)
        switch (document.subject, document.form) {
        case (.metrics, _):
            let text = try Metrics.text(of: archive.store(), version: settings.toolVersion)
            return Reply(type: Metrics.contentType, content: .text(text))
        case (.overview, .data): return json(try overview(snapshot))
        case (.overview, .page): return .page(try overviewPage(document, snapshot, reader))
        case (.window(let grouping), _): return json(try reader.window(by: grouping))
        case (.changes, _): return json(try reader.changes())
        case (.course(let label), .data): return json(try course(label, history, context))
        case (.course(let label), .page):
            return .page(try coursePage(label, document, history, context))
        case (.comparison(let baseline, let candidate), .data):
            let pair = try ComparedPair(baseline, candidate, in: history, settings)
            return json(try comparison(pair, history, context))
        case (.comparison(let baseline, let candidate), .page):
            return .page(try comparisonPage(baseline, candidate, document, history, context))
        }
    }

    private func json(_ report: some Report) -> Reply {
        .json(report.render(as: .json))
    }

    // MARK: - Reports

    private func context(_ window: WindowChoice, _ snapshot: Snapshot) throws -> WindowContext {
        try window.context(at: snapshot.moment, toolVersion: settings.toolVersion)
    }

    private func overview(_ snapshot: Snapshot) throws -> OverviewReport {
        try snapshot.overview {
            try HistoryReader(snapshot.history, try context(.week, snapshot))
                .overview(inUse: settings.inUse, rules: ComparisonRules())
        }
    }

    private func course(
        _ label: String?,
        _ history: any SampleSource,
        _ context: WindowContext
    ) throws -> CourseReport {
        let source = label.map { history.limited(to: [$0]) } ?? history
        return try HistoryReader(source, context).course()
    }

    private func comparison(
        _ pair: ComparedPair,
        _ history: any SampleSource,
        _ context: WindowContext
    ) throws -> ComparisonReport {
        try HistoryReader(history.limited(to: [pair.baseline, pair.candidate]), context)
            .comparison(
                baseline: pair.baseline,
                isInUse: pair.baseline == settings.inUse,
                rules: ComparisonRules()
            )
    }

    // MARK: - Pages

    private func overviewPage(
        _ document: Document,
        _ snapshot: Snapshot,
        _ reader: HistoryReader
    ) throws -> HTMLPage {
        let overview = try overview(snapshot)
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
        return try shell(document, snapshot.history)
            .page("Overview", overview.fragments(links) + (figures ?? []))
    }

    private func coursePage(
        _ label: String?,
        _ document: Document,
        _ history: any SampleSource,
        _ context: WindowContext
    ) throws -> HTMLPage {
        let report = try course(label, history, context)
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
        _ history: any SampleSource,
        _ context: WindowContext
    ) throws -> HTMLPage {
        let pair = try ComparedPair(baseline, candidate, in: history, settings)
        var shell = try shell(document, history)
        shell.controls = [pair.form(shell.labels, window: document.window)]
        let (report, charts) = try HistoryReader(
            history.limited(to: [pair.baseline, pair.candidate]),
            context
        )
        .comparedCourses(
            baseline: pair.baseline,
            isInUse: pair.baseline == settings.inUse,
            rules: ComparisonRules()
        )
        return shell.page(
            "\(pair.candidate) and \(pair.baseline)",
            report.document.fragments + charts.comparedCharts
                + [PageFragments.section("Worth knowing", id: "notes", [charts.remarks])]
        )
    }

    private func shell(
        _ document: Document,
        _ history: any SampleSource
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
