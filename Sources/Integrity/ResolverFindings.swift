public import Catalogue

/// What the checks came to for one resolver.
public struct ResolverFindings: Hashable, Sendable {
    public var resolver: Resolver
    /// Whether it answered anything at all.
    public var answers: Bool
    /// As it calls itself, escaped.
    public var site: String?
    /// In the order of ``Check``.
    public var findings: [CheckFinding]

    public init(resolver: Resolver, answers: Bool, site: String? = nil, findings: [CheckFinding]) {
        self.resolver = resolver
        self.answers = answers
        self.site = site
        self.findings = findings
    }

    /// The finding of one check, where it was made.
    public func finding(of check: Check) -> CheckFinding? { findings.first { $0.check == check } }

    /// The findings that keep the resolver from being advised: something else was put in the place
    /// of the truth.
    public var tampering: [CheckFinding] {
        findings.filter { $0.check.isTampering && $0.judgement == .fail }
    }
}
