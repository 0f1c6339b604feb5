package import Catalogue

/// What the checks came to for one resolver.
package struct ResolverFindings: Hashable, Sendable {
    package var resolver: Resolver
    /// Whether it answered anything at all.
    package var answers: Bool
    /// As it calls itself, escaped.
    package var site: String?
    /// In the order of ``Check``.
    package var findings: [CheckFinding]

    package init(resolver: Resolver, answers: Bool, site: String? = nil, findings: [CheckFinding]) {
        self.resolver = resolver
        self.answers = answers
        self.site = site
        self.findings = findings
    }

    /// The finding of one check, where it was made.
    package func finding(of check: Check) -> CheckFinding? { findings.first { $0.check == check } }

    /// The findings that keep the resolver from being advised: something else was put in the place
    /// of the truth.
    package var tampering: [CheckFinding] {
        findings.filter { $0.check.isTampering && $0.judgement == .fail }
    }
}
