import Analysis
import Catalogue
import Failures
import Reports
import Samples
import Statistics

/// Renders the requested page. It uses the same reports and charts as the command line.
struct PageRenderer {
    private let target: RequestTarget
    private let window: WindowChoice
    private let snapshot: Snapshot
    private let settings: DashboardSettings
    private let rules = ComparisonRules(lossTolerance: ComparisonRules.usualLossTolerance)

    init(_ target: RequestTarget, _ snapshot: Snapshot, _ settings: DashboardSettings) {
        self.target = target
        window = WindowChoice(target)
        self.snapshot = snapshot
        self.settings = settings
    }

    /// The paths of all pages.
    private enum Page: String {
        case overview = "/"
        case resolver = "/resolver"
        case comparison = "/compare"
        case metrics = "/metrics"
        case overviewData = "/api/overview"
        case resolverData = "/api/resolver"
        case comparisonData = "/api/comparison"
        case window = "/api/window"
        case changes = "/api/changes"
    }

    static func hasPage(at path: String) -> Bool { Page(rawValue: path) != nil }

    /// The reply. `nil` if the address has no page.
    func reply() throws -> Reply? {
        switch Page(rawValue: target.path) {
        case .overview: return .page(try overviewPage())
        case .resolver: return .page(try timelinePage())
        case .comparison: return .page(try comparisonPage())
        case .metrics:
            let text = try Metrics.text(
                of: snapshot.sums,
                version: settings.toolVersion,
                objective: settings.objective.map { ($0, snapshot.moment) }
            )
            return Reply(type: Metrics.contentType, text: text)
        case .overviewData: return .report(try overview())
        case .resolverData: return .report(try timelineReport())
        case .comparisonData:
            let pair = try pair()
            let (reader, baseline) = (try reader(pair.labels), baseline(of: pair))
            return try places.count > 1
                ? .report(try reader.places(with: baseline))
                : .report(try reader.comparison(with: baseline))
        case .window:
            let grouping = WindowGrouping(rawValue: target["by"] ?? "resolver")
            return try grouping.map { .report(try reader().window(by: $0)) }
        case .changes: return .report(try reader().changes())
        case nil: return nil
        }
    }

    /// A reader of this window for resolvers with these labels. `nil` selects any resolver.
    private func reader(
        _ labels: Set<String>? = nil,
        _ window: WindowChoice? = nil
    ) throws -> HistoryReader {
        let window = window ?? self.window
        var context = try WindowContext(
            since: window.since,
            until: window.until,
            now: snapshot.moment,
            toolVersion: settings.toolVersion
        )
        context.medium = .page
        let place = try place(in: context.window)
        if let vantage = window.vantage {
            context.selection = "from \(EscapedText.terminal(vantage))"
        }
        let history = try history(at: place)
        return HistoryReader(labels.map(history.limited) ?? history, context) { [snapshot] window in
            let rounds = try snapshot.rounds(window)
            return place.map { place in rounds.filter { $0.vantage == place } } ?? rounds
        }
    }

    /// The only place on the page: the requested place, or the only place that measured in this time. `nil`
    /// for all places, and if the store has only one place.
    private func place(in times: Range<Timestamp>) throws -> String? {
        let known = try snapshot.vantages
        if let wanted = window.vantage {
            guard known.contains(wanted) else {
                let near = NearestName.question(wanted, among: known.sorted())
                throw CatalogueError(.usage, "'\(wanted)' did not measure\(near)")
            }
            return known.count > 1 ? wanted : nil
        }
        guard known.count > 1 else { return nil }
        let places = Set(try snapshot.rounds(times).map(\.vantage))
        return places.count == 1 ? places.first : nil
    }

    private func history(at place: String?) throws -> any SampleSource {
        let history = try snapshot.history
        return place.map(history.limited(toPlace:)) ?? history
    }

    /// The rounds on the page.
    private var rounds: [RoundMoment] {
        get throws {
            let reader = try reader()
            return try reader.rounds(reader.context.window)
        }
    }

    /// The places on the page.
    private var places: Set<String> { get throws { Set(try rounds.map(\.vantage)) } }

    /// The resolvers available for the page, under the names that each place uses.
    private func labels() throws -> [String] {
        try history(at: try place(in: try reader().context.window)).commonLabels()
    }

    private func overview() throws -> OverviewReport {
        // An invalid window is rejected, although this report always covers the week.
        _ = try reader()
        return try snapshot.overview(at: window.vantage) {
            try reader(nil, window.week).overview(
                inUse: settings.inUse,
                rules: rules,
                objective: settings.objective
            )
        }
    }

    private func timelineReport() throws -> TimelineReport {
        try reader(target["label"].map { [$0] }).timelineReport()
    }

    private func pair() throws -> ComparedPair {
        try ComparedPair(
            target,
            among: labels(),
            usualBaseline: settings.baseline ?? settings.inUse
        )
    }

    private func baseline(of pair: ComparedPair) -> WindowBaseline {
        let isInUse = pair.baseline == settings.inUse
        return WindowBaseline(pair.baseline, isInUse: isInUse, rules: rules)
    }

    private func overviewPage() throws -> HTMLPage {
        let overview = try overview()
        let grouping: WindowGrouping = try places.count > 1 ? .vantage : .resolver
        var report = window == window.week ? overview.week : try reader().window(by: grouping)
        // The headline already states that nothing was measured in the week.
        if window == window.week, report?.isEmpty == true { report = nil }
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

    private func timelinePage() throws -> HTMLPage {
        let (report, shell) = (try timelineReport(), try shell())
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
        var shell = try shell()
        let nothing = [PageFragments.answer(try reader().context.nothing)]
        if shell.labels.isEmpty { return shell.page("Compare", nothing) }
        let pair = try pair()
        shell.controls = [pair.form(shell.labels, window: window)]
        let (reader, baseline) = (try reader(pair.labels), baseline(of: pair))
        let title = "\(pair.candidate) and \(pair.baseline)"
        if try rounds.isEmpty { return shell.page(title, nothing) }
        if try places.count > 1 {
            let (report, charts) = try reader.comparedPlaces(with: baseline)
            let links = { [target] (place: String) in target.setting("vantage", to: place).text }
            return shell.page(title, report.fragments(links) + charts.fragmentsOfPair)
        }
        let (report, charts) = try reader.comparedTimelines(with: baseline)
        return shell.page(title, report.document.fragments + charts.fragmentsOfPair)
    }

    private func shell() throws -> PageShell {
        let context = try reader().context
        return PageShell(
            target: target,
            window: window,
            labels: try labels(),
            places: try snapshot.vantages.sorted(),
            zone: context.zone,
            moment: context.clock.text(snapshot.moment),
            edition: snapshot.edition
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
            },
            place: { [target] place in target.setting("vantage", to: place).text }
        )
    }
}

/// Two resolvers that are compared with each other.
private struct ComparedPair {
    let baseline: String
    let candidate: String

    var labels: Set<String> { [baseline, candidate] }

    /// The requested pair. By default, the usual baseline and the first other resolver.
    init(
        _ target: RequestTarget,
        among labels: [String],
        usualBaseline: String?
    ) throws(CatalogueError) {
        let (baseline, candidate) = (target["baseline"], target["candidate"])
        for label in [baseline, candidate].compactMap(\.self) where !labels.contains(label) {
            let near = NearestName.question(label, among: labels)
            throw CatalogueError(.usage, "'\(label)' was not measured\(near)")
        }
        let usual = labels.first { $0 == usualBaseline && $0 != candidate }
        guard let first = baseline ?? usual ?? labels.first(where: { $0 != candidate }),
            let second = candidate ?? labels.first(where: { $0 != first })
        else {
            let number = labels.isEmpty ? "no" : "only one"
            throw CatalogueError(.usage, "nothing to compare: \(number) resolver was measured")
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
                window.vantage.map { PageShell.hidden("vantage", $0) } ?? .nothing,
                HTML(.button, [.type("submit")], "Compare"),
            ]
        )
    }
}
