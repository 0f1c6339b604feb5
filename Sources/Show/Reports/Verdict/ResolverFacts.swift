package import Catalogue
import Samples

/// Facts of a resolver that its operator or a list declares; `nil` if unknown.
package struct ResolverFacts: Hashable, Sendable, Codable {
    /// The operator. Two resolvers of one operator can fail together.
    package var provider: String?
    /// The kind of filter; `none` without a filter.
    package var filtering: String?
    /// Whether answers are validated (RFC 4035).
    package var dnssec: String?
    /// Whether the client's network is sent on (RFC 7871).
    package var ecs: String?
    /// Whether queries are logged.
    package var logging: String?
}

extension ResolverFacts {
    package init(_ entry: CatalogueEntry) {
        /// `unknown` is ignored.
        func known(_ text: String) -> String? { text == "unknown" ? nil : text }
        self.init(
            provider: entry.provider,
            filtering: known(entry.filtering),
            dnssec: known(entry.dnssec),
            ecs: known(entry.ecs),
            logging: known(entry.logging)
        )
    }

    /// One sentence per fact that both declare and that differs.
    func differences(
        from other: ResolverFacts,
        name: String,
        otherName: String
    ) -> [String] {
        let facts: [(String?, String?, (String) -> String)] = [
            (
                filtering, other.filtering,
                { $0 == "none" ? "blocks nothing" : "blocks \(EscapedText.terminal($0))" }
            ),
            (dnssec, other.dnssec, Self.phrase("validates DNSSEC", "does not validate DNSSEC")),
            (
                ecs, other.ecs,
                Self.phrase(
                    "tells the servers it asks which network you are in (ECS)",
                    "keeps your network to itself (no ECS)"
                )
            ),
            (logging, other.logging, Self.phrase("logs queries", "does not log queries")),
        ]
        return facts.compactMap { mine, theirs, phrase in
            guard let mine, let theirs, mine != theirs else { return nil }
            return "As declared, \(name) \(phrase(mine)), and \(otherName) \(phrase(theirs))."
        }
    }

    /// The phrase for `yes` or `no`. Other words are repeated in parentheses.
    private static func phrase(_ yes: String, _ no: String) -> (String) -> String {
        { text in
            let verb = text.hasPrefix("no") ? no : yes
            return ["yes", "no"].contains(text) ? verb : "\(verb) (\(EscapedText.terminal(text)))"
        }
    }
}

/// The wait of a look-up if servers of resolv.conf are silent, in seconds.
///
/// glibc queries the servers in order, `attempts` times. The first server may take `timeout`, a later server
/// n (timeout << n) / servers, and at least a second (resolv.conf(5); `send_dg` in resolv/res_send.c). The
/// next look-up does not know which server was silent.
struct StubFailover: Hashable, Sendable {
    /// The time until the second server is queried if the first is silent, at every look-up.
    let timeout: Int
    /// RES_DFLRETRY in resolv.h.
    let attempts = 2
    let servers: Int

    /// The shortest timeout above `slowest` (in milliseconds), but at most the default without `options`
    /// (RES_TIMEOUT in resolv.h).
    init(servers: Int, slowest: Double = .infinity) {
        let seconds = slowest.isFinite ? (max(0, slowest) / 1000).rounded(.down) + 1 : .infinity
        timeout = Int(min(seconds, 5))
        self.servers = servers
    }

    var standard: StubFailover { StubFailover(servers: servers) }

    var option: String { "options timeout:\(timeout) attempts:\(attempts)" }

    /// The time until a look-up fails if all servers are silent.
    var surrender: Int {
        (0..<servers).reduce(0) { sum, server in
            sum + attempts * (server == 0 ? timeout : max(1, (timeout << server) / servers))
        }
    }
}
