package import Catalogue

/// Facts of a resolver beside what was measured, as its operator or a list declares it;
/// `nil` is not known.
package struct ResolverFacts: Hashable, Sendable {
    /// Who runs it: two of one operator may fail together.
    package var provider: String?
    /// Kind of filter; `none` where nothing is.
    package var filtering: String?
    /// Whether answers are validated (RFC 4035).
    package var dnssec: String?
    /// Whether the client's network is sent on (RFC 7871).
    package var ecs: String?
    /// Whether queries are logged.
    package var logging: String?
}

extension ResolverFacts {
    /// Facts that the catalogue tells.
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

    /// Phrase for `yes` or `no`; what is neither is repeated in parentheses.
    private static func phrase(_ text: String, yes: String, no: String) -> String {
        if text == "yes" { return yes }
        if text == "no" { return no }
        let verb = text.hasPrefix("no") ? no : yes
        return "\(verb) (\(EscapedText.terminal(text)))"
    }
}

/// Wait of a look-up where servers of resolv.conf are silent, in seconds.
///
/// glibc asks the servers in their order and begins anew until it did so `attempts` times. The first
/// of them may take `timeout`, a later one, n, (timeout << n) / servers, and at least a second
/// (resolv.conf(5); `send_dg` in resolv/res_send.c). By the next look-up it has forgotten who was
/// silent.
struct StubFailover: Hashable, Sendable {
    var timeout: Int
    var attempts: Int
    var servers: Int

    /// Standard without a line `options` (RES_TIMEOUT and RES_DFLRETRY in resolv.h).
    static func standard(servers: Int) -> StubFailover {
        StubFailover(timeout: 5, attempts: 2, servers: servers)
    }

    /// The shortest that gives up on no answer as slow as `slowest`, in milliseconds, but at most
    /// what holds anyway.
    init(servers: Int, slowest: Double) {
        let standard = Self.standard(servers: servers)
        let seconds = slowest.isFinite ? (max(0, slowest) / 1000).rounded(.down) + 1 : .infinity
        timeout = Int(min(seconds, Double(standard.timeout)))
        attempts = standard.attempts
        self.servers = servers
    }

    private init(timeout: Int, attempts: Int, servers: Int) {
        self.timeout = timeout
        self.attempts = attempts
        self.servers = servers
    }

    /// The line of resolv.conf.
    var option: String { "options timeout:\(timeout) attempts:\(attempts)" }

    /// How long a server may take, counted from 0.
    private func patience(with server: Int) -> Int {
        server == 0 ? timeout : max(1, (timeout << server) / servers)
    }

    /// Until the second server is asked where the first is silent: at every look-up.
    var wait: Int { patience(with: 0) }

    /// Until a look-up fails where all are silent.
    var surrender: Int {
        attempts * (0..<servers).reduce(0) { $0 + patience(with: $1) }
    }
}
