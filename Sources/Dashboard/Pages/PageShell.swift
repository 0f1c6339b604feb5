import Reports

/// The surroundings of every page's content: where one is, and where one can go.
struct PageShell: Sendable {
    var target: RequestTarget
    var window: WindowChoice
    /// Whether the page is about a window that can be chosen.
    var offersWindows = true
    var labels: [String] = []
    /// Between the navigation and the content, and not replaced when that is.
    var controls: [HTML] = []

    static let style = TrustedMarkup(
        String(decoding: PackageResources.dashboard_css, as: UTF8.self)
    )
    static let script = TrustedMarkup(String(decoding: PackageResources.live_js, as: UTF8.self))

    func page(_ title: String, _ content: [HTML]) -> HTMLPage {
        HTMLPage(
            title: "\(title) – dnstempo",
            content: [header, HTML(.main, [], content), footer],
            addedStyle: Self.style,
            scripts: [PageAssets.sorting, Self.script],
            allowsServer: true
        )
    }

    private var header: HTML {
        let windows = offersWindows ? [windowBar, otherWindow] : []
        return HTML(.header, [], [pageBar] + windows + controls)
    }

    private var pageBar: HTML {
        let links =
            [
                link("Overview", to: RequestTarget("/"), isHere: target.path == "/"),
                link("Compare", to: kept("/compare"), isHere: target.path == "/compare"),
            ]
            + labels.map { label in
                link(
                    label,
                    to: kept("/resolver").setting("label", to: label),
                    isHere: target.path == "/resolver" && target["label"] == label
                )
            }
        return bar("Pages", [HTML(.strong, "dnstempo"), HTML(.ul, [], links)])
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
        return bar("Window", [HTML(.span, [.class("quiet")], "The last"), HTML(.ul, [], links)])
    }

    private var otherWindow: HTML {
        let hidden = ["label", "baseline", "candidate"].compactMap { name in
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
