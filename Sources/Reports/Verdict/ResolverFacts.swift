package import Catalogue

/// What is known of a resolver beside what was measured, as its operator or a list declares it;
/// `nil` is not known.
package struct ResolverFacts: Hashable, Sendable {
    /// Who runs it: two of one operator may fail together.
    package var provider: String?
    /// What is blocked; `none` where nothing is.
    package var filtering: String?
    /// Whether answers are validated (RFC 4035).
    package var dnssec: String?
    /// Whether the client's network is sent on (RFC 7871).
    package var ecs: String?
    /// Whether queries are logged.
    package var logging: String?

    package init(
        provider: String? = nil,
        filtering: String? = nil,
        dnssec: String? = nil,
        ecs: String? = nil,
        logging: String? = nil
    ) {
        self.provider = provider
        self.filtering = filtering
        self.dnssec = dnssec
        self.ecs = ecs
        self.logging = logging
    }

    /// What the catalogue tells.
    package init(_ entry: CatalogueEntry) {
        /// `unknown` says nothing.
        func known(_ text: String) -> String? { text == "unknown" ? nil : text }
        self.init(
            provider: entry.provider,
            filtering: known(entry.filtering),
            dnssec: known(entry.dnssec),
            ecs: known(entry.ecs),
            logging: known(entry.logging)
        )
    }
}

extension ResolverFacts {
    /// One sentence a fact that both declare and that differs.
    func differences(
        from other: ResolverFacts,
        name: String,
        otherName: String
    ) -> [String] {
        let facts: [(String?, String?, (String) -> String)] = [
            (filtering, other.filtering, Self.filteringPhrase),
            (
                dnssec, other.dnssec,
                { Self.phrase($0, yes: "validates DNSSEC", no: "does not validate DNSSEC") }
            ),
            (
                ecs, other.ecs,
                {
                    Self.phrase(
                        $0,
                        yes: "tells the servers it asks which network you are in (ECS)",
                        no: "keeps your network to itself (no ECS)"
                    )
                }
            ),
            (
                logging, other.logging,
                { Self.phrase($0, yes: "logs queries", no: "does not log queries") }
            ),
        ]
        return facts.compactMap { mine, theirs, phrase in
            guard let mine, let theirs, mine != theirs else { return nil }
            return "As declared, \(name) \(phrase(mine)), and \(otherName) \(phrase(theirs))."
        }
    }

    private static func filteringPhrase(_ text: String) -> String {
        text == "none" ? "blocks nothing" : "blocks \(EscapedText.terminal(text))"
    }

    /// What is neither yes nor no is repeated in parentheses.
    private static func phrase(_ text: String, yes: String, no: String) -> String {
        if text == "yes" { return yes }
        if text == "no" { return no }
        let verb = text.hasPrefix("no") ? no : yes
        return "\(verb) (\(EscapedText.terminal(text)))"
    }
}
