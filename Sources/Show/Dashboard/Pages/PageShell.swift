import Reports

/// The frame around every page's content: the current location and the navigation.
struct PageShell: Sendable {
    var target: RequestTarget
    var window: WindowChoice
    /// Whether the reader can choose the window of the page.
    var offersWindows = true
    var labels: [String] = []
    /// The places that can be selected, if there are several.
    var places: [String] = []
    /// The time zone of all times on the page. Empty if the page has none.
    var zone = ""
    /// The time at which the page was rendered.
    var moment = ""
    /// The edition of the store that the page shows.
    var edition = 0
    /// Controls between the navigation and the content. They stay when the content is replaced.
    var controls: [HTML] = []

    static let style = TrustedMarkup(resource: PackageResources.dashboard_css)
    static let script = TrustedMarkup(resource: PackageResources.live_js)
    static let readings = TrustedMarkup(resource: PackageResources.readings_js)
    /// The maximum number of resolvers outside a menu.
    private static let mostBeside = 6
    /// The maximum number of places in a list of choices. With more places, the reader types the name.
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

    /// Many links, which a script filters by the typed text.
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

    /// The form that selects all places or a single place.
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
