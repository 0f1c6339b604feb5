import Catalogue
import Testing

@testable import Integrity

struct ClaimTests {
    private func entry(_ change: (inout CatalogueEntry) -> Void = { _ in }) throws -> CatalogueEntry
    {
        var entry = CatalogueEntry(
            name: "a",
            title: "a",
            endpoints: [try Endpoint(parsing: "192.0.2.1")]
        )
        change(&entry)
        return entry
    }

    private func found(
        _ entry: CatalogueEntry,
        answers: Bool,
        _ findings: CheckFinding...
    ) -> [ResolverFindings] {
        entry.endpoints.map {
            ResolverFindings(
                resolver: Resolver(label: "a", endpoint: $0, origin: .catalogue(entry)),
                answers: answers,
                findings: findings
            )
        }
    }

    private func standing(_ subject: Claim.Subject, in claims: [Claim]) -> Claim.Standing? {
        claims.first { $0.subject == subject }?.standing
    }

    @Test(arguments: [
        (isDead: false, isEncryptedOnly: false, answers: true, holds: true),
        (false, false, false, false),
        (false, true, false, true),
        (false, true, true, false),
        (true, false, false, true),
        (true, false, true, false),
    ])
    func `the answers are compared with the status`(
        isDead: Bool,
        isEncryptedOnly: Bool,
        answers: Bool,
        holds: Bool
    ) throws {
        let name = isDead ? "norton" : "quad9"
        var entry = try ResolverCatalogue.bundled().entry(named: name)
        entry.isEncryptedOnly = isEncryptedOnly
        let claims = entry.claims(against: found(entry, answers: answers))
        #expect(standing(.answers, in: claims) == (holds ? .holds : .contradicted))
    }

    @Test(arguments: [
        (declared: "yes", judgement: Judgement.pass, standing: Claim.Standing.holds),
        ("yes (since 2020)", .fail, .contradicted), ("no", .fail, .holds),
        ("no", .pass, .contradicted), ("yes", .inconclusive, .open), ("unknown", .pass, .open),
    ])
    func `the declared validation is compared with the observation`(
        declared: String,
        judgement: Judgement,
        standing: Claim.Standing
    ) throws {
        let entry = try entry { $0.dnssec = declared }
        let finding = CheckFinding(.validation, judgement, "so")
        let claims = entry.claims(against: found(entry, answers: true, finding))
        #expect(self.standing(.dnssec, in: claims) == standing)
    }

    @Test(arguments: [
        (declared: "yes", texts: [["ecs 192.0.2.0/24"]], standing: Claim.Standing.holds),
        ("no", [["ecs 192.0.2.0/24"]], .contradicted), ("no", [["192.0.2.9"]], .holds),
        // One query without a client subnet does not prove that all queries are without one.
        ("yes", [["192.0.2.9"]], .open), ("no", [], .open), ("unknown", [["192.0.2.9"]], .open),
    ])
    func `the declared client subnet is compared with the observation`(
        declared: String,
        texts: [[String]],
        standing: Claim.Standing
    ) throws {
        let entry = try entry { $0.ecs = declared }
        let check = EgressCheck(evidence: [.one(.answer(texts: texts))])
        let finding = check.subnetFinding(isDeclared: entry.declaresSubnet == true)
        let claims = entry.claims(against: found(entry, answers: true, finding))
        #expect(self.standing(.ecs, in: claims) == standing)
    }

    @Test func `a silent resolver contradicts its claim, its certificate is unchecked`() throws {
        let entry = try entry { $0.encrypted.tls = "dns.example" }
        let claims = entry.claims(against: found(entry, answers: false))
        #expect(claims.map(\.subject) == [.answers, .certificate])
        #expect(claims.map(\.standing) == [.contradicted, .notChecked])
        #expect(claims.last?.declared == "dns.example")
    }
}
