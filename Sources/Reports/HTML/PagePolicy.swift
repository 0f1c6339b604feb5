/// What a page may load and run: nothing but its own style and scripts, each by its hash (Content
/// Security Policy Level 3).
package struct PagePolicy: Hashable, Sendable {
    /// The texts between the tags, exactly.
    package var styles: [String]
    package var scripts: [String]
    /// Whether its scripts may ask the server that it came from.
    package var allowsServer: Bool

    package init(styles: [String], scripts: [String], allowsServer: Bool = false) {
        self.styles = styles
        self.scripts = scripts
        self.allowsServer = allowsServer
    }

    /// The value of the header, and of the `meta` element that stands for it.
    package var text: String {
        var directives = ["default-src 'none'"]
        if !styles.isEmpty { directives.append("style-src " + Self.sources(styles)) }
        if !scripts.isEmpty { directives.append("script-src " + Self.sources(scripts)) }
        if allowsServer { directives.append("connect-src 'self'") }
        directives.append("base-uri 'none'")
        directives.append(allowsServer ? "form-action 'self'" : "form-action 'none'")
        return directives.joined(separator: "; ")
    }

    private static func sources(_ texts: [String]) -> String {
        texts.map { "'sha256-\(Base64.text(SHA256.hash(Array($0.utf8))))'" }
            .joined(separator: " ")
    }
}
