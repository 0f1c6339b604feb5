/// Names that public resolvers do not know and should not receive. They belong to private networks
/// or to systems other than DNS (IANA registry "Special-Use Domain Names", and ICANN's `internal`).
///
/// `example` is not included, because clients treat it as any other name (RFC 6761 §6.5).
package struct SpecialUseName: Hashable, Sendable {
    /// The suffix that makes the name a special-use name, such as `onion`.
    package let suffix: String
    /// Whether no DNS server knows the name, not even in a private network.
    package let isOutsideDNS: Bool

    /// RFC 7686, RFC 9476 and RFC 6761 §6.4.
    private static let outside = ["onion", "alt", "invalid"]
    /// RFC 6762, RFC 8375, RFC 9665, RFC 6761 §6.2 and §6.3.
    private static let inside = [
        "local", "internal", "home.arpa", "service.arpa", "test", "localhost",
    ]

    /// Reads a host name; `nil` if public resolvers may know it.
    package init?(_ host: some StringProtocol) {
        let labels = host.lowercased().split(separator: ".")
        let ends = [1, 2].map { labels.suffix($0).joined(separator: ".") }
        guard let suffix = (Self.outside + Self.inside).first(where: { ends.contains($0) }) else {
            return nil
        }
        self.suffix = suffix
        isOutsideDNS = Self.outside.contains(suffix)
    }

    /// Whether hosts with this suffix are reached through Tor.
    package var needsTor: Bool { suffix == "onion" }

    /// The reason why the name is not looked up, as a clause after the name.
    package var reason: String {
        if needsTor { return "is reached through Tor, and no resolver is asked for it (RFC 7686)" }
        if isOutsideDNS { return "is a .\(suffix) name, which does not exist in DNS" }
        return "is a .\(suffix) name of a private network, which no public resolver is asked for"
    }
}

/// The names that a machine resolves without a DNS server (hosts(5)).
package enum HostsFile {
    package static func names(in path: String = "/etc/hosts") -> Set<String> {
        guard let file = try? NamedText(repairing: path) else { return [] }
        return Set(
            file.lines.flatMap { line in
                line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).dropFirst()
                    .map { $0.lowercased() }
            }
        )
    }
}
