import Reports

/// The frame of every page's content: where one is, and where one can go.
struct PageShell: Sendable {
    var target: RequestTarget
    var window: WindowChoice
    /// Whether the page is about a window that can be chosen.
    var offersWindows = true
    var labels: [String] = []
    /// The places that can be looked at alone, where there are several.
    var places: [String] = []
    /// The zone of all times on the page; empty where it has none.
    var zone = ""
    /// When the page was made.
    var moment = ""
    /// The edition of the store that it shows.
    var edition = 0
    /// Between the navigation and the content, and not replaced when that is.
    var controls: [HTML] = []

    static let style = TrustedMarkup(resource: PackageResources.dashboard_css)
    static let script = TrustedMarkup(resource: PackageResources.live_js)
    static let readings = TrustedMarkup(resource: PackageResources.readings_js)
    /// More resolvers than this are folded into a menu.
    private static let mostBeside = 6
    /// More places than this are typed instead of chosen.
    private static let mostChoices = 250

    func page(_ title: String, _ content: [HTML]) -> HTMLPage {
        var page = HTMLPage(
            title: "\(title) – dnstempo",
            content: [header, HTML(.main, [.moment(moment), .edition(edition)], content), footer]
        )
        page.addedStyle = Self.style
        page.scripts += [Self.readings, Self.script]
        page.allowsServer = true
        return page
    }

    private var header: HTML {
        let windows = offersWindows ? [windowBar, otherWindow] : []
        return HTML(.header, [], [pageBar] + windows + [placeForm] + controls)
    }

    private var pageBar: HTML {
        let pages = [
            link(
                "Overview",
                to: window.week.applied(to: RequestTarget("/")),
                isHere: target.path == "/"
            ),
            link("Compare", to: kept("/compare"), isHere: target.path == "/compare"),
        ]
        let here = target.path == "/resolver" ? target["label"] : nil
        let resolvers = labels.map { label in
            link(
                label,
                to: kept("/resolver").setting("label", to: label),
                isHere: label == here
            )
        }
        let isFolded = labels.count > Self.mostBeside
        let list = HTML(.ul, [], isFolded ? pages : pages + resolvers)
        let menu = isFolded ? menu(here ?? "\(labels.count) resolvers", resolvers) : .nothing
        return bar("Pages", [HTML(.strong, "dnstempo"), list, menu])
    }

    /// Many links, which a script narrows down to those that have what is typed.
    private func menu(_ title: String, _ links: [HTML]) -> HTML {
        HTML(
            .details,
            [.class("menu")],
            [
                HTML(.summary, HTML(text: title)),
                HTML(.input, [.type("search"), .aria(.label, "Filter resolvers")]),
                HTML(.ul, [], links),
            ]
        )
    }

    private var windowBar: HTML {
        let links = WindowChoice.offered.map { text, title in
            link(
                title,
                to: target.setting("since", to: nil).setting("until", to: nil)
                    .setting("window", to: text),
                isHere: window.since == text && window.until == "now"
            )
        }
        let clock = zone.isEmpty ? [] : [HTML(.span, [.class("quiet")], "Times: \(zone)")]
        return bar(
            "Window",
            [HTML(.span, [.class("quiet")], "Last"), HTML(.ul, [], links)] + clock
        )
    }

    private var otherWindow: HTML {
        let hidden = ["label", "baseline", "candidate", "vantage"].compactMap { name in
            target[name].map { Self.hidden(name, $0) }
        }
        func field(_ name: String, _ title: String, _ value: String) -> HTML {
            Self.field(name, title, HTML(.input, [.id(name), .name(name), .value(value)]))
        }
        let fields = [
            field("since", "From", window.since), field("until", "to", window.until),
            HTML(.button, [.type("submit")], "Show"),
        ]
        let form = HTML(.form, [.action(target.path)], hidden + fields)
        return PageFragments.folded("Custom range", [form])
    }

    /// All places, or one of them alone.
    private var placeForm: HTML {
        guard places.count > 1 else { return .nothing }
        let all = "all \(places.count.of("place", "places"))"
        let options = [("", all)] + places.map { ($0, $0) }
        let attributes: [HTMLAttribute] = [.id("vantage"), .name("vantage")]
        let list =
            places.count > Self.mostChoices
            ? HTML(.input, attributes + [.value(window.vantage ?? ""), .placeholder(all)])
            : HTML(
                .select,
                attributes,
                options.map { value, title in
                    let chosen: [HTMLAttribute] = value == window.vantage ?? "" ? [.selected] : []
                    return HTML(.option, [.value(value)] + chosen, HTML(text: title))
                }
            )
        let hidden = ["label", "baseline", "candidate", "window", "since", "until"]
            .compactMap { name in target[name].map { Self.hidden(name, $0) } }
        let button = HTML(.button, [.type("submit")], "Show")
        return HTML(
            .form,
            [.id("place"), .action(target.path)],
            hidden + [Self.field("vantage", "Measured from", list), button]
        )
    }

    private var footer: HTML {
        HTML(.footer, HTML(.p, [.id("live"), .role("status"), .aria(.live, "off")], ""))
    }

    static func field(_ name: String, _ title: String, _ control: HTML) -> HTML {
        HTML(.div, HTML(.label, [.labels(name)], HTML(text: title)), control)
    }

    static func hidden(_ name: String, _ value: String) -> HTML {
        HTML(.input, [.type("hidden"), .name(name), .value(value)])
    }

    private func kept(_ path: String) -> RequestTarget { window.applied(to: RequestTarget(path)) }

    private func bar(_ name: String, _ content: [HTML]) -> HTML {
        HTML(.nav, [.class("bar"), .aria(.label, name)], content)
    }

    private func link(_ title: String, to target: RequestTarget, isHere: Bool) -> HTML {
        let here: [HTMLAttribute] = isHere ? [.aria(.current, "page")] : []
        return HTML(.li, HTML(.a, [.href(target.text)] + here, HTML(text: title)))
    }
}
