import Analysis
import Catalogue
import Reports
import Samples
import Statistics

/// Renders what a request asks for: the same reports and charts as the command line's.
struct PageRenderer {
    private let target: RequestTarget
    private let window: WindowChoice
    private let snapshot: Snapshot
    private let settings: DashboardSettings
    private let rules = ComparisonRules()

    init(_ target: RequestTarget, _ snapshot: Snapshot, _ settings: DashboardSettings) {
        self.target = target
        window = WindowChoice(target)
        self.snapshot = snapshot
        self.settings = settings
    }

    /// `nil` where nothing is at the address.
    func reply() throws -> Reply? {
        switch target.path {
        case "/": return .page(try overviewPage())
        case "/resolver": return .page(try coursePage())
        case "/compare": return .page(try comparisonPage())
        case "/metrics":
            let text = try Metrics.text(
                of: snapshot.sums,
                version: settings.toolVersion,
                objective: settings.objective.map { ($0, snapshot.moment) }
            )
            return Reply(type: Metrics.contentType, text: text)
        case "/api/overview": return .report(try overview())
        case "/api/resolver": return .report(try course())
        case "/api/comparison":
            let pair = try pair()
            return .report(try reader(pair.labels).comparison(with: baseline(of: pair)))
        case "/api/window":
            let grouping = WindowGrouping(rawValue: target["by"] ?? "resolver")
            return try grouping.map { .report(try reader().window(by: $0)) }
        case "/api/changes": return .report(try reader().changes())
        default: return nil
        }
    }

    /// Reads this window, of resolvers with these labels; `nil` is any.
    private func reader(
        _ labels: Set<String>? = nil,
        _ window: WindowChoice? = nil
    ) throws -> HistoryReader {
        let window = window ?? self.window
        let history = try snapshot.history
        var context = try WindowContext(
            since: window.since,
            until: window.until,
            now: snapshot.moment,
            toolVersion: settings.toolVersion
        )
        context.isOnPage = true
        return HistoryReader(
            labels.map(history.limited) ?? history,
            context,
            rounds: snapshot.rounds
        )
    }

    private func overview() throws -> OverviewReport {
        // A window that cannot be told is refused, though this is always of the week.
        _ = try reader()
        return try snapshot.overview {
            try reader(nil, .week).overview(
                inUse: settings.inUse,
                rules: rules,
                objective: settings.objective
            )
        }
    }

    private func course() throws -> TimelineReport {
        try reader(target["label"].map { [$0] }).course()
    }

    private func pair() throws -> ComparedPair {
        try ComparedPair(target, among: snapshot.history.resolverLabels(), inUse: settings.inUse)
    }

    private func baseline(of pair: ComparedPair) -> WindowBaseline {
        let isInUse = pair.baseline == settings.inUse
        return WindowBaseline(pair.baseline, isInUse: isInUse, rules: rules)
    }

    private func overviewPage() throws -> HTMLPage {
        let overview = try overview()
        let report = window == .week ? overview.week : try reader().window(by: .resolver)
        let figures = report.map { report in
            [
                PageFragments.section(
                    "All resolvers",
                    id: "resolvers",
                    report.fragments(links, inUse: overview.inUse)
                ),
                PageFragments.section("Notes", id: "notes", report.remarks),
            ]
        }
        return try shell().page("Overview", overview.fragments(links) + (figures ?? []))
    }

    private func coursePage() throws -> HTMLPage {
        let (report, shell) = (try course(), try shell())
        var compare = HTML.nothing
        if let label = target["label"], let inUse = settings.inUse, inUse != label,
            shell.labels.contains(inUse)
        {
            let address = links.comparison(inUse, label)
            compare = HTML(.p, HTML(.a, [.href(address)], HTML(text: "Compare with \(inUse)")))
        }
        return shell.page(target["label"] ?? "Resolvers", report.fragments(next: compare))
    }

    private func comparisonPage() throws -> HTMLPage {
        let pair = try pair()
        var shell = try shell()
        shell.controls = [pair.form(shell.labels, window: window)]
        let (report, charts) = try reader(pair.labels).comparedCourses(with: baseline(of: pair))
        return shell.page(
            "\(pair.candidate) and \(pair.baseline)",
            report.document.fragments + charts.comparedCharts
                + [PageFragments.section("Notes", id: "notes", [charts.remarks])]
        )
    }

    private func shell() throws -> PageShell {
        let context = try reader().context
        return PageShell(
            target: target,
            window: window,
            labels: try snapshot.history.resolverLabels(),
            zone: context.zone,
            moment: context.clock.text(snapshot.moment)
        )
    }

    private var links: PageLinks {
        (
            resolver: { [window] label in
                window.applied(to: RequestTarget("/resolver").setting("label", to: label)).text
            },
            comparison: { [window] baseline, candidate in
                window.applied(
                    to: RequestTarget("/compare").setting("baseline", to: baseline)
                        .setting("candidate", to: candidate)
                ).text
            }
        )
    }
}

/// Two resolvers that are held against each other.
private struct ComparedPair {
    let baseline: String
    let candidate: String

    var labels: Set<String> { [baseline, candidate] }

    /// As they are asked for; else the one in use, and the first of the others.
    init(
        _ target: RequestTarget,
        among labels: [String],
        inUse: String?
    ) throws(CatalogueError) {
        let (baseline, candidate) = (target["baseline"], target["candidate"])
        for label in [baseline, candidate].compactMap(\.self) where !labels.contains(label) {
            let near = NearestName.question(label, among: labels)
            throw CatalogueError(.usage, "'\(label)' was not measured\(near)")
        }
        let usual = labels.first { $0 == inUse && $0 != candidate }
        guard let first = baseline ?? usual ?? labels.first(where: { $0 != candidate }),
            let second = candidate ?? labels.first(where: { $0 != first })
        else {
            throw CatalogueError(.usage, "nothing to compare: only one resolver was measured")
        }
        (self.baseline, self.candidate) = (first, second)
    }

    func form(_ labels: [String], window: WindowChoice) -> HTML {
        let lists = [("baseline", "Compare", baseline), ("candidate", "with", candidate)]
            .map { name, title, chosen in
                let options = labels.map { label in
                    let chosen: [HTMLAttribute] = label == chosen ? [.selected] : []
                    return HTML(.option, [.value(label)] + chosen, HTML(text: label))
                }
                let list = HTML(.select, [.id(name), .name(name)], options)
                return PageShell.field(name, title, list)
            }
        return HTML(
            .form,
            [.id("pair"), .action("/compare")],
            lists + [
                PageShell.hidden("since", window.since), PageShell.hidden("until", window.until),
                HTML(.button, [.type("submit")], "Compare"),
            ]
        )
    }
}
