import Catalogue
package import DNSWire

/// Asks for names that resolvers with a filter block for a test.
struct FilteringCheck: Sendable {
    /// One test name.
    struct Test: Sendable {
        var name: DomainName
        /// Whose filter is known to block it.
        var by: String
        var evidence: Evidence
    }

    /// What is known of one name.
    enum Verdict: Hashable {
        case filtered
        case open
        case unknown
    }

    var tests: [Test] = []

    init(tests: [Test]) { self.tests = tests }

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        for test in questions.filtering {
            tests.append(
                Test(name: test.name, by: test.by, evidence: await asker.ask(test.name))
            )
        }
    }

    /// The verdict on each name. Where one has no address, only `others`, who give it one, tell a
    /// filter from a name that is gone; `blockPages` are what they show to be no answers.
    func verdicts(
        beside others: [FilteringCheck],
        blockPages: Set<[UInt8]>
    ) -> [(name: DomainName, verdict: Verdict)] {
        tests.map { test in
            let verdict: Verdict
            if let response = test.evidence.reply.response {
                if response.isFiltered || !blockPages.isDisjoint(with: response.addresses) {
                    verdict = .filtered
                } else if !response.addresses.isEmpty {
                    verdict = .open
                } else {
                    let opens = others.contains { $0.opens(test.name) }
                    verdict = opens && test.evidence.reply.deniesAddress ? .filtered : .unknown
                }
            } else {
                verdict = .unknown
            }
            return (test.name, verdict)
        }
    }

    /// `declared` is what the operator says of its filter.
    func finding(
        beside others: [FilteringCheck] = [],
        blockPages: Set<[UInt8]> = [],
        declared: DeclaredFilter = .unknown
    ) -> CheckFinding {
        let verdicts = verdicts(beside: others, blockPages: blockPages)
        let filtered = verdicts.filter { $0.verdict == .filtered }.map(\.name.description)
        let evidence = tests.map(\.evidence)
        if !filtered.isEmpty {
            let list = filtered.joined(separator: ", ")
            return switch declared {
            case .filters(let what):
                CheckFinding(
                    .filtering,
                    .pass,
                    "it blocks \(list); its operator declares: \(what)",
                    evidence
                )
            case .nothing:
                CheckFinding(
                    .filtering,
                    .fail,
                    "it blocks \(list), though its operator declares no filter",
                    evidence
                )
            case .unknown: CheckFinding(.filtering, .fail, "it blocks \(list)", evidence)
            }
        }
        if case .filters(let what) = declared {
            return CheckFinding(
                .filtering,
                .inconclusive,
                "it blocks none of the test names, though its operator declares: \(what)",
                evidence
            )
        }
        guard !verdicts.isEmpty, verdicts.allSatisfy({ $0.verdict == .open }) else {
            return CheckFinding(
                .filtering,
                .inconclusive,
                "some test names have no address here; another resolver beside it would tell why",
                evidence
            )
        }
        return CheckFinding(.filtering, .pass, "it blocks none of the test names", evidence)
    }

    private func opens(_ name: DomainName) -> Bool {
        tests.contains { test in
            guard test.name == name, let response = test.evidence.reply.response else {
                return false
            }
            return !response.isFiltered && !response.addresses.isEmpty
        }
    }
}

extension Response {
    /// Whether the answer alone says that its name is blocked: every address is 0.0.0.0 or ::, or
    /// the resolver says so in an extended error, 15 (Blocked), 16 (Censored) or 17 (Filtered)
    /// ([RFC 8914 §4](https://www.rfc-editor.org/rfc/rfc8914#section-4)).
    package var isFiltered: Bool {
        if extendedErrors.contains(where: { (15...17).contains($0.infoCode) }) { return true }
        return !addresses.isEmpty && addresses.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }
}
