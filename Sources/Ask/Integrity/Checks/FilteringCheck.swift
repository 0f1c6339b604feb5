import Catalogue
import DNSWire

/// Test names that filtering resolvers block.
struct FilteringCheck: Sendable {
    struct Test: Sendable {
        var name: DomainName
        var evidence: Evidence
    }

    enum Verdict: Hashable {
        case filtered
        case open
        case unknown
    }

    var tests: [Test] = []
}

extension FilteringCheck {
    init(_ asker: Asker, _ questions: CheckQuestions) async {
        self.init()
        for name in questions.filtering {
            tests.append(Test(name: name, evidence: await asker.ask(name)))
        }
    }

    /// The verdict on each name. If a name has no address, an address from `others` shows that the
    /// name still exists and is filtered. `blockPages` are the addresses of block pages, which do
    /// not count as answers.
    func verdicts(
        beside others: [FilteringCheck],
        blockPages: Set<[UInt8]>
    ) -> [(name: DomainName, verdict: Verdict)] {
        tests.map { test in
            guard let response = test.evidence.reply.response else { return (test.name, .unknown) }
            if response.isFiltered || !blockPages.isDisjoint(with: response.addresses) {
                return (test.name, .filtered)
            }
            if !response.addresses.isEmpty { return (test.name, .open) }
            let opens = others.contains { $0.opens(test.name) }
            let isDenied = opens && test.evidence.reply.deniesAddress
            return (test.name, isDenied ? .filtered : .unknown)
        }
    }

    /// The finding. `declared` is the operator's statement about its filter.
    func finding(
        beside others: [FilteringCheck] = [],
        blockPages: Set<[UInt8]> = [],
        declared: DeclaredFilter = .unknown
    ) -> CheckFinding {
        let verdicts = verdicts(beside: others, blockPages: blockPages)
        return CheckFinding(.filtering, Self.conclusion(verdicts, declared), tests.map(\.evidence))
    }

    private static func conclusion(
        _ verdicts: [(name: DomainName, verdict: Verdict)],
        _ declared: DeclaredFilter
    ) -> Conclusion {
        let filtered = verdicts.filter { $0.verdict == .filtered }.map(\.name.description)
        let list = filtered.joined(separator: ", ")
        switch declared {
        case .filters(let what) where filtered.isEmpty:
            return .inconclusive(
                "it blocks none of the test names, though its operator declares: \(what)"
            )
        case .filters(let what):
            return .pass("it blocks \(list); its operator declares: \(what)")
        case .nothing where !filtered.isEmpty:
            return .fail("it blocks \(list), though its operator declares no filter")
        case .unknown where !filtered.isEmpty: return .fail("it blocks \(list)")
        case .nothing, .unknown: break
        }
        guard !verdicts.isEmpty, verdicts.allSatisfy({ $0.verdict == .open }) else {
            return .inconclusive(
                "some test names have no address here; check another resolver too, to see why"
            )
        }
        return .pass("it blocks none of the test names")
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
