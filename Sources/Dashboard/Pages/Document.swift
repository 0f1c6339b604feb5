import Reports

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
