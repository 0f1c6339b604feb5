import Catalogue
import DNSWire

/// What one resolver said, before it is held beside the others.
struct Examination: Sendable {
    let resolver: Resolver
    /// The first query, which every resolver can answer; with NSID.
    let alive: Evidence
    var rewriting: RewritingCheck?
    var validation: ValidationCheck?
    var rebinding: RebindingCheck?
    var filtering: FilteringCheck?
    var identity: IdentityCheck?
    var egress: EgressCheck?
    var stream: StreamCheck?
    var extensions: ExtensionCheck?

    /// Asks for each of `checks`, one query after the other; a silent resolver is left alone.
    init(
        of resolver: Resolver,
        _ checks: Set<Check>,
        _ questions: CheckQuestions,
        send: @escaping CheckSend
    ) async {
        self.resolver = resolver
        let asker = Asker(endpoint: resolver.endpoint, send: send)
        let first = await asker.ask(questions.signed) { $0.nsid = true }
        alive = first
        guard answers else { return }
        if checks.contains(.rewriting) { rewriting = await RewritingCheck(asker, questions) }
        if checks.contains(.validation) { validation = await ValidationCheck(asker, questions) }
        if checks.contains(.rebinding) { rebinding = await RebindingCheck(asker, questions) }
        if checks.contains(.filtering) { filtering = await FilteringCheck(asker, questions) }
        if checks.contains(.identity) { identity = await IdentityCheck(nsid: first, asker) }
        if checks.contains(.egress) || checks.contains(.ecs) {
            egress = await EgressCheck(asker, questions)
        }
        if checks.contains(.tcp) { stream = await StreamCheck(asker, questions) }
        if checks.contains(.edns) { extensions = await ExtensionCheck(asker, questions) }
    }

    /// Whether anything came back from it, were it a refusal.
    var answers: Bool { alive.reply.response != nil }

    /// The findings, with what the other resolvers said as a measure.
    func findings(
        _ checks: Set<Check>,
        beside others: [Examination],
        blockPages: Set<[UInt8]>,
        interception: CheckFinding?
    ) -> ResolverFindings {
        let found = Check.allCases.filter(checks.contains).map { check in
            finding(of: check, others, blockPages, interception)
                ?? CheckFinding(check, .inconclusive, "it does not answer", [alive])
        }
        return ResolverFindings(
            resolver: resolver,
            answers: answers,
            site: identity?.site,
            findings: found
        )
    }

    private func finding(
        of check: Check,
        _ others: [Examination],
        _ blockPages: Set<[UInt8]>,
        _ interception: CheckFinding?
    ) -> CheckFinding? {
        switch check {
        case .rewriting: rewriting?.finding
        case .validation: validation?.finding
        case .rebinding: rebinding?.finding
        case .filtering:
            filtering?.finding(
                beside: others.compactMap(\.filtering),
                blockPages: blockPages,
                declared: resolver.entry?.declaredFilter ?? .unknown
            )
        case .identity: identity?.finding
        case .egress: egress?.finding(sharedWith: namesSharingEgress(others))
        case .ecs: egress?.subnetFinding(isDeclared: resolver.entry?.declaresSubnet == true)
        case .interception: interception
        case .tcp: stream?.finding
        case .edns: extensions?.finding
        }
    }

    /// Resolvers at other addresses, not of the same operator, that ask from the same address.
    private func namesSharingEgress(_ others: [Examination]) -> [String] {
        guard let mine = egress.map({ Set($0.addresses) }) else { return [] }
        return others.filter { other in
            let isSame =
                other.resolver.endpoint.address == resolver.endpoint.address
                && other.resolver.endpoint.port == resolver.endpoint.port
            let operators = [resolver, other.resolver].compactMap { $0.entry?.provider }
            let isRelated = operators.count == 2 && operators[0] == operators[1]
            let theirs = Set(other.egress?.addresses ?? [])
            return !isSame && !isRelated && !mine.isDisjoint(with: theirs)
        }.map(\.resolver.label)
    }
}
