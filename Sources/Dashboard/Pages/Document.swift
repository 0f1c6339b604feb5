import Analysis
import Catalogue
import Reports
import Samples

/// What can be asked for, by people or by programs.
struct Document: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        /// How resolvers are doing now, today and this week.
        case overview
        case window(WindowGrouping)
        case changes
        /// What was measured of one resolver, or of all, stretch by stretch.
        case course(label: String?)
        /// Where one is not given, the one in use and the best of the others.
        case comparison(baseline: String?, candidate: String?)
        /// For Prometheus.
        case metrics
    }

    enum Form: Hashable, Sendable {
        case page, data
    }

    var subject: Subject
    var window: WindowChoice
    var form: Form

    /// `nil` where nothing is at that address.
    init?(_ target: RequestTarget) {
        let isData = target.path.hasPrefix("/api/")
        switch isData ? String(target.path.dropFirst(4)) : target.path {
        case "/" where !isData, "/overview" where isData: subject = .overview
        case "/resolver": subject = .course(label: target["label"])
        case "/compare" where !isData, "/comparison" where isData:
            subject = .comparison(
                baseline: target["baseline"],
                candidate: target["candidate"]
            )
        case "/window" where isData:
            guard let grouping = WindowGrouping(rawValue: target["by"] ?? "resolver") else {
                return nil
            }
            subject = .window(grouping)
        case "/changes" where isData: subject = .changes
        case "/metrics" where !isData: subject = .metrics
        default: return nil
        }
        window = WindowChoice(target)
        form = isData ? .data : .page
    }

    /// Where the page is.
    var target: RequestTarget {
        let place =
            switch subject {
            case .course(let label): RequestTarget("/resolver").setting("label", to: label)
            case .comparison(let baseline, let candidate):
                RequestTarget("/compare").setting("baseline", to: baseline)
                    .setting("candidate", to: candidate)
            case .overview, .window, .changes, .metrics: RequestTarget("/")
            }
        return window.applied(to: place)
    }

    /// Whether it is a page, from which others are a click away.
    var leadsOn: Bool { form == .page && subject != .metrics }

    /// The pages that this one leads to: the same of other windows, and others of the same window.
    func neighbours(labels: [String]) -> [Document] {
        let windows = WindowChoice.offered.map { offered in
            var other = self
            other.window = WindowChoice(target.setting("window", to: offered.text))
            return other
        }
        let subjects: [Subject] =
            [.overview, .comparison(baseline: nil, candidate: nil)]
            + labels.prefix(8).map { .course(label: $0) }
        let others = subjects.map { subject in
            var other = self
            other.subject = subject
            return other
        }
        return (others + windows).filter { $0 != self }
    }
}

/// Two resolvers that are held against each other.
struct ComparedPair: Hashable, Sendable {
    /// What the other one is compared with.
    let baseline: String
    let candidate: String

    /// As they are asked for; else the one in use, and the first of the others.
    init(
        _ baseline: String?,
        _ candidate: String?,
        in history: any SampleSource,
        _ settings: DashboardSettings
    ) throws {
        let labels = try history.resolverLabels()
        for label in [baseline, candidate].compactMap(\.self) where !labels.contains(label) {
            let near = NearestName.question(label, among: labels)
            throw CatalogueError(.usage, "'\(label)' was not measured\(near)")
        }
        let usual = labels.first { $0 == settings.inUse && $0 != candidate }
        guard let first = baseline ?? usual ?? labels.first(where: { $0 != candidate }),
            let second = candidate ?? labels.first(where: { $0 != first })
        else {
            throw CatalogueError(.usage, "nothing to compare: only one resolver was measured")
        }
        self.baseline = first
        self.candidate = second
    }

    /// Two lists to choose from.
    func form(_ labels: [String], window: WindowChoice) -> HTML {
        let lists = [("baseline", "Compare", baseline), ("candidate", "with", candidate)]
            .map { name, title, chosen in
                HTML(
                    .div,
                    HTML(.label, [.labels(name)], HTML(text: title)),
                    HTML(
                        .select,
                        [.id(name), .name(name)],
                        labels.map { label in
                            HTML(
                                .option,
                                [.value(label)] + (label == chosen ? [.selected] : []),
                                HTML(text: label)
                            )
                        }
                    )
                )
            }
        let kept = [("since", window.since), ("until", window.until)].map { name, value in
            HTML(.input, [.type("hidden"), .name(name), .value(value)])
        }
        return HTML(
            .form,
            [.id("pair"), .action("/compare")],
            lists + kept + [HTML(.button, [.type("submit")], "Compare")]
        )
    }
}

/// Which part of the history a document is about, as its address says.
struct WindowChoice: Hashable, Sendable {
    /// The lengths that are offered, and what they are called.
    static let offered: [(text: String, title: String)] = [
        ("1h", "hour"), ("24h", "day"), ("7d", "week"), ("30d", "month"), ("90d", "quarter"),
        ("365d", "year"),
    ]
    static let week = WindowChoice(since: "7d", until: "now")

    /// As `--since` takes it.
    var since: String
    /// As `--until` takes it.
    var until: String

    private init(since: String, until: String) {
        self.since = since
        self.until = until
    }

    /// By `window`, a length, or by `since` and `until`; a week where there is neither.
    init(_ target: RequestTarget) {
        since = target["window"] ?? target["since"] ?? Self.week.since
        until = target["window"] == nil ? target["until"] ?? "now" : "now"
    }

    /// From when to when it is at `now`; throws where that cannot be told.
    func context(
        at now: Timestamp,
        toolVersion: String
    ) throws(CatalogueError) -> WindowContext {
        try WindowContext(since: since, until: until, now: now, toolVersion: toolVersion)
    }

    /// `target` with this window; the usual one needs no words.
    func applied(to target: RequestTarget) -> RequestTarget {
        if self == .week { return target }
        return until == "now"
            ? target.setting("window", to: since)
            : target.setting("since", to: since).setting("until", to: until)
    }
}
