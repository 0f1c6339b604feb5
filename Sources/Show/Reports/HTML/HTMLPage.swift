import Charts
import DNSWire

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A self-contained page. It includes its style, scripts and charts, and may load nothing else.
package struct HTMLPage: Hashable, Sendable {
    package var title: String
    package var content: [HTML]
    /// Style in addition to ``PageAssets/style``; the policy allows it by its hash.
    package var addedStyle: TrustedMarkup?
    package var scripts = [PageAssets.sorting]
    /// Whether the page's scripts may send requests to its own server.
    package var allowsServer = false

    package init(title: String, content: [HTML]) {
        self.title = title
        self.content = content
    }

    /// The policy on what the page may load and run, for the `meta` element and a server's header.
    /// It allows only the page's own style and scripts, each by its hash (Content Security Policy
    /// Level 3).
    package var policy: String {
        let directives = [
            "default-src 'none'", "style-src " + Self.sources(styles),
            "script-src " + (scripts.isEmpty ? "'none'" : Self.sources(scripts.map(\.markup))),
        ]
        return
            (directives + (allowsServer ? ["connect-src 'self'"] : []) + [
                "base-uri 'none'", allowsServer ? "form-action 'self'" : "form-action 'none'",
            ]).joined(separator: "; ")
    }

    private static func sources(_ texts: [String]) -> String {
        texts.map { "'sha256-\(Data(SHA256.hash(Array($0.utf8))).base64EncodedString())'" }
            .joined(separator: " ")
    }

    private var styles: [String] {
        [PageAssets.style.markup] + (addedStyle.map { [$0.markup] } ?? [])
    }

    package var text: String {
        let head = HTML(
            .head,
            HTML(.meta, [.charset("utf-8")]),
            HTML(.meta, [.header("Content-Security-Policy"), .content(policy)]),
            HTML(.meta, [.name("viewport"), .content("width=device-width, initial-scale=1")]),
            HTML(.meta, [.name("color-scheme"), .content("light dark")]),
            HTML(.meta, [.name("referrer"), .content("no-referrer")]),
            HTML(.title, HTML(text: title)),
            HTML(
                TrustedMarkup("\n" + styles.map { "<style>\($0)</style>\n" }.joined())
            )
        )
        let scripts = scripts.map { HTML(TrustedMarkup("<script>\($0.markup)</script>\n")) }
        let body = HTML(.body, [], content + scripts)
        return "<!DOCTYPE html>\n<html lang=\"en\">\n\(head.markup)\(body.markup)</html>\n"
    }
}

package enum PageAssets {
    /// The style for light and dark themes, narrow and wide screens, and paper. It includes the
    /// style of the charts.
    package static let style = TrustedMarkup(
        String(decoding: PackageResources.page_css, as: UTF8.self) + Sheet.inlineStyle
    )

    /// Sorts a table by a column when its header is clicked.
    package static let sorting = TrustedMarkup(resource: PackageResources.sort_js)
}
