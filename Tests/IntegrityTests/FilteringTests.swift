import Catalogue
import DNSWire
import Testing

@testable import Integrity

struct FilteringTests {
    @Test(arguments: [
        (reply: Reply.answer([0, 0, 0, 0]), isFiltered: true),
        (.answer([UInt8](repeating: 0, count: 16)), true),
        (.answer([0, 0, 0, 0], [UInt8](repeating: 0, count: 16)), true),
        (.answer(code: .nxDomain, error: 15), true),
        (.answer(code: .nxDomain, error: 16), true),
        (.answer(code: .nxDomain, error: 17), true),
        (.answer(code: .refused, error: 17), true),
        (.answer(Address.page, error: 15), true),
        (.answer(code: .nxDomain, error: 14), false),
        // Extended error 18 (Prohibited, RFC 8914) rejects the client. It does not depend on the name.
        (.answer(code: .refused, error: 18), false),
        (.noSuchName, false),
        (.failure, false),
        (.answer(), false),
        (.answer(Address.host), false),
        (.answer([0, 0, 0, 0], Address.host), false),
        (.answer([0, 0, 0, 1]), false),
    ])
    func `an answer that blocks its name is marked`(reply: Reply, isFiltered: Bool) throws {
        #expect(try #require(reply.response).isFiltered == isFiltered)
    }

    private func check(_ replies: [String: Reply]) throws -> FilteringCheck {
        FilteringCheck(
            tests: try replies.sorted { $0.key < $1.key }.map { name, reply in
                .init(name: try DomainName(name), evidence: .one(reply))
            }
        )
    }

    @Test(arguments: [
        (declared: DeclaredFilter.unknown, reply: Reply.answer(Address.host), Judgement.pass),
        (.nothing, .answer(Address.host), .pass),
        (.filters("malware"), .answer(Address.host), .inconclusive),
        (.unknown, .answer([0, 0, 0, 0]), .fail),
        (.nothing, .answer([0, 0, 0, 0]), .fail),
        (.filters("malware"), .answer([0, 0, 0, 0]), .pass),
        (.unknown, .noSuchName, .inconclusive),
        (.unknown, .silence, .inconclusive),
        (.unknown, .answer(code: .refused), .inconclusive),
    ])
    func `the filter is compared with the declaration`(
        declared: DeclaredFilter,
        reply: Reply,
        judgement: Judgement
    ) throws {
        let finding = try check(["bad.test": reply]).finding(declared: declared)
        #expect(finding.judgement == judgement)
    }

    @Test func `a denied name that others resolve is blocked`() throws {
        let denied = try check(["bad.test": .noSuchName])
        let open = try check(["bad.test": .answer(Address.host)])
        let blocked = try check(["bad.test": .answer([0, 0, 0, 0])])
        #expect(denied.finding(beside: [open]).judgement == .fail)
        #expect(denied.finding(beside: [denied, blocked]).judgement == .inconclusive)
        #expect(
            try check(["bad.test": .answer(code: .refused)]).finding(beside: [open]).judgement
                == .inconclusive
        )
    }

    @Test func `a name with a block page is blocked`() throws {
        let finding = try check(["bad.test": .answer(Address.page)])
            .finding(blockPages: [Address.page])
        #expect(finding.judgement == .fail)
        #expect(finding.conclusion == "it blocks bad.test")
    }

    @Test(arguments: [
        ("none", DeclaredFilter.nothing), ("none (court-ordered blocks)", .nothing),
        ("unknown", .unknown), ("malware, ads", .filters("malware, ads")),
    ])
    func `the catalogue's filter words are understood`(text: String, declared: DeclaredFilter) {
        var entry = CatalogueEntry(name: "a", title: "a", endpoints: [])
        entry.filtering = text
        #expect(entry.declaredFilter == declared)
    }

    @Test(arguments: [
        ("yes", true), ("yes (for 192.0.2.1)", true), ("yes, to some", true), ("no", false),
        ("unknown", nil), ("disputed: yes (A), no (B)", nil), ("", nil),
    ])
    func `the catalogue's words for DNSSEC and ECS are understood`(text: String, means: Bool?) {
        var entry = CatalogueEntry(name: "a", title: "a", endpoints: [])
        entry.dnssec = text
        entry.ecs = text
        #expect(entry.declaresValidation == means)
        #expect(entry.declaresSubnet == means)
    }
}
