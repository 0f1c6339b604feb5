package import Catalogue
import DNSWire
import Samples

/// One resolver's answers, before they are compared with the answers of other resolvers.
struct Examination: Sendable {
    let resolver: Resolver
    /// The first query, which every resolver can answer. It has NSID, unless the resolver drops
    /// queries with NSID.
    let alive: Evidence
    var filtering: FilteringCheck?
    var egress: EgressCheck?
    /// The server's name for itself, escaped.
    private var site: String?
    /// The findings that need the answers of this resolver only.
    private var findings: [Check: CheckFinding] = [:]

    /// Sends the queries of each of `checks` one after the other. A silent resolver gets no further
    /// queries.
    init(
        of resolver: Resolver,
        _ checks: Set<Check>,
        _ questions: CheckQuestions,
        send: @escaping CheckSend
    ) async {
        self.resolver = resolver
        let asker = Asker(endpoint: resolver.endpoint, send: send)
        var named = await asker.ask(questions.signed, isRepeated: false) { $0.nsid = true }
        let isSilent = named.reply.outcome == .timeout
        let plain = isSilent ? await asker.ask(questions.signed, isRepeated: false) : named
        alive = plain.reply.response == nil ? named : plain
        guard answers else { return }
        func make(_ kinds: any ResolverCheck.Type...) async {
            for kind in kinds where checks.contains(kind.subject) {
                findings[kind.subject] = await kind.init(asker, questions).finding
            }
        }
        await make(RewritingCheck.self, ValidationCheck.self, RebindingCheck.self)
        if checks.contains(.filtering) { filtering = await FilteringCheck(asker, questions) }
        if checks.contains(.identity) {
            // One lost query does not prove that the resolver drops the option.
            if isSilent { named = await asker.ask(questions.signed) { $0.nsid = true } }
            let identity = await IdentityCheck(nsid: named, asker)
            site = identity.site
            findings[.identity] = identity.finding
        }
        if checks.contains(.egress) || checks.contains(.ecs) {
            egress = await EgressCheck(asker, questions)
        }
        await make(StreamCheck.self, ExtensionCheck.self)
    }

    /// Whether the resolver sent any response, even a refusal.
    var answers: Bool { alive.reply.response != nil }

    /// The findings, with the answers of the other resolvers as reference.
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
        return ResolverFindings(resolver: resolver, answers: answers, site: site, findings: found)
    }

    private func finding(
        of check: Check,
        _ others: [Examination],
        _ blockPages: Set<[UInt8]>,
        _ interception: CheckFinding?
    ) -> CheckFinding? {
        switch check {
        case .filtering:
            filtering?.finding(
                beside: others.compactMap(\.filtering),
                blockPages: blockPages,
                declared: resolver.entry?.declaredFilter ?? .unknown
            )
        case .egress: egress?.finding(sharedWith: namesSharingEgress(others))
        case .ecs: egress?.subnetFinding(isDeclared: resolver.entry?.declaresSubnet == true)
        case .interception: interception
        case .rewriting, .validation, .rebinding, .identity, .tcp, .edns: findings[check]
        }
    }

    /// Resolvers at other addresses, and of other operators, that query from the same address.
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

/// Examines resolvers at the same time, each at its own pace.
package struct Examiner: Sendable {
    private let questions: CheckQuestions
    private let send: CheckSend

    /// More examinations at the same time would only wait for their turns, and use memory during
    /// the wait.
    private static let mostAtOnce = 256

    /// Creates an examiner. `send` waits for its turn before it sends a query; ``CheckTurns``
    /// determines the turn.
    package init(_ questions: CheckQuestions, send: @escaping CheckSend) {
        self.questions = questions
        self.send = send
    }

    /// Makes `checks` of each resolver, in the order of `resolvers`. `onEnd` is called after each
    /// resolver. Interception is checked once, because it concerns the path and not a resolver.
    package func examine(
        _ resolvers: [Resolver],
        _ checks: Set<Check> = Set(Check.allCases),
        onEnd: @escaping @Sendable (Resolver) -> Void = { _ in }
    ) async -> [ResolverFindings] {
        var interception: CheckFinding?
        if checks.contains(.interception) {
            interception = await InterceptionCheck.finding(questions, send: send)
        }
        let examinations = await resolvers.concurrentMap(atOnce: Self.mostAtOnce) {
            [questions, send] resolver in
            let found = await Examination(of: resolver, checks, questions, send: send)
            onEnd(resolver)
            return found
        }
        return Self.judged(examinations, checks, interception)
    }

    /// Compares each resolver's answers with the answers of the other resolvers.
    private static func judged(
        _ examinations: [Examination],
        _ checks: Set<Check>,
        _ interception: CheckFinding?
    ) -> [ResolverFindings] {
        var answers = SeenAnswers()
        for (number, examination) in examinations.enumerated() {
            for test in examination.filtering?.tests ?? [] {
                let found = test.evidence.reply.response?.addresses ?? []
                answers.note(found, for: Question(name: test.name, type: .a), from: number)
            }
        }
        return examinations.enumerated().map { number, examination in
            var others = examinations
            others.remove(at: number)
            return examination.findings(
                checks,
                beside: others,
                blockPages: answers.blockPages(of: number),
                interception: examinations.contains(where: \.answers)
                    ? interception : interception?.withoutNetwork
            )
        }
    }
}

extension CheckFinding {
    /// If no resolver answers, silence of the unassigned addresses proves nothing.
    fileprivate var withoutNetwork: CheckFinding {
        guard judgement == .pass else { return self }
        let words = "no resolver answers, so silence shows nothing"
        return CheckFinding(check, .inconclusive, words, evidence)
    }
}

package struct ResolverFindings: Hashable, Sendable {
    package var resolver: Resolver
    package var answers: Bool
    /// The server's name for itself, escaped.
    package var site: String?
    /// The findings in the order of ``Check``.
    package var findings: [CheckFinding]
    /// The placeholder for the endpoint, if it must not be shown.
    var otherEndpoint: String?

    /// The endpoint in words.
    package var endpoint: String { otherEndpoint ?? resolver.endpoint.description }

    package func finding(of check: Check) -> CheckFinding? { findings.first { $0.check == check } }
}
