import ArgumentParser
import Catalogue
import Failures
import Integrity
import Reports
import Runs
import Samples
import Transports

extension ResolversCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify the catalogue's claims against the resolvers.",
            discussion: """
                Every address is asked whether it answers; then whether DNSSEC is validated, names \
                are filtered and the client's network is sent on as declared. The first address is \
                asked over each encrypted transport too: its certificate has to be for the name \
                that the catalogue has. Where nothing answers there, that claim stays open.

                Examples:
                  dnstempo resolvers verify quad9 cloudflare
                  dnstempo resolvers verify --format json -o claims.txt
                """
        )

        @Argument(
            help: "Names that 'resolvers list' shows. (default: all of them)".naming("name"),
            completion: .resolvers
        )
        var names: [String] = []

        @OptionGroup var authority: AuthorityOption

        @OptionGroup var options: CheckOptions

        mutating func validate() { JoinedWords.split(&names) }

        func run() async throws {
            let destinations = try await Destinations(options)
            let catalogue = try ResolverCatalogue.forUser()
            let entries =
                names.isEmpty
                ? catalogue.entries : try names.uniqued.map { try catalogue.entry(named: $0) }
            let places = entries.flatMap { $0.places(of: options.family.families) }
            let session = try options.session(for: places)
            let encrypted = try EncryptedClaims(
                session,
                TLSCredentials(authority: authority.file)
            )
            let started = Timestamp.now
            let (findings, interrupted) = await session.examine(
                places,
                CatalogueEntry.claimChecks,
                onAsked: Terminal.noteAsked
            )
            let certificates =
                await interrupted ? [] : encrypted.claims(of: entries, options.family.families)
            let document = VerifyReport(
                claims: entries.enumerated().map { index, entry in
                    let own = findings.filter { $0.resolver.entry == entry }
                    let found = certificates.isEmpty ? [] : certificates[index]
                    return (entry, entry.claims(against: own, encrypted: found))
                },
                started: started,
                finished: .now
            )
            try await destinations.write(document)
            if interrupted { throw Failure(.interrupted, "") }
            if !findings.contains(where: \.answers) { throw Failure.noAnswer() }
        }
    }
}

extension CatalogueEntry {
    /// Every address of the wanted families, whether it is said to answer or not.
    fileprivate func places(of families: Set<IPAddress.Family>) -> [Resolver] {
        endpoints.filter { families.isEmpty || families.contains($0.address.family) }.map {
            Resolver(label: "\(name)@\($0.shortText)", endpoint: $0, origin: .catalogue(self))
        }
    }
}

struct VerifyReport: TruthReport {
    static let schema = "verify"

    let claims: [(entry: CatalogueEntry, claims: [Claim])]
    let started: Timestamp
    let finished: Timestamp

    private static let header = ["resolver", "claim", "declared", "standing", "seen"]

    private var rows: [[String]] {
        claims.flatMap { entry, claims in
            claims.map { claim in
                [
                    entry.name, claim.subject.rawValue, claim.declared, claim.standing.rawValue,
                    claim.seen,
                ]
            }
        }
    }

    func text(_ width: Int) -> String {
        "\(PlainTable.text([Self.header] + rows))\n\(count)\n"
    }

    var document: Document {
        let columns = Self.header.enumerated().map { index, name in
            Table.Column(name, rows.map { $0[index] }, index == 0 ? .heading : .words)
        }
        let table = Table(columns, caption: "Claims of the catalogue, and what was observed.")
        return document(Document.Section(count, tables: [table]))
    }

    private var count: String {
        let all = claims.flatMap(\.claims)
        let counts = Claim.Standing.allCases.map { standing in
            let count = all.count { $0.standing == standing }
            return "\(count) \(standing.words(count))"
        }
        return "Of \(all.count) claims: \(counts.joined(separator: ", "))."
    }

    var resolvers: [JSONValue] {
        claims.map { entry, claims in
            [
                "resolver": .string(entry.name),
                "name": .string(entry.name),
                "source": entry.source.map(JSONValue.string) ?? .null,
                "claims": .array(claims.map(Self.json)),
            ]
        }
    }

    private static func json(_ claim: Claim) -> JSONValue {
        [
            "claim": .string(claim.subject.rawValue),
            "declared": .string(claim.declared),
            "standing": .string(claim.standing.rawValue),
            "seen": .string(claim.seen),
        ]
    }
}

extension Claim.Standing {
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .holds: count == 1 ? "holds" : "hold"
        case .contradicted: "contradicted"
        case .open: "open"
        case .notChecked: "not checked"
        }
    }
}
