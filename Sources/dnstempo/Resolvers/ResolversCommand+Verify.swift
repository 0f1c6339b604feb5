import ArgumentParser
import Catalogue
import Integrity
import Reports
import Samples

extension ResolversCommand {
    /// Is what the catalogue says of resolvers true here and now?
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hold what the catalogue says of resolvers against what they do.",
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
            help: ArgumentHelp(
                "Names that 'resolvers list' shows. (default: all of them)",
                valueName: "name"
            )
        )
        var names: [String] = []

        @OptionGroup var authority: AuthorityOption

        @OptionGroup var options: CheckOptions

        func run() async throws {
            let destinations = try CheckDestinations(options)
            let catalogue = try ResolverCatalogue.forUser()
            let entries =
                names.isEmpty
                ? catalogue.entries : try names.uniqued.map { try catalogue.entry(named: $0) }
            let places = entries.flatMap { $0.places(of: options.families) }
            let session = try CheckSession(options, for: places)
            let encrypted = try EncryptedClaims(session, of: entries, authority: authority)
            let started = Timestamp.now
            let (findings, interrupted) = await session.examine(
                places,
                CatalogueEntry.claimChecks
            )
            let certificates =
                await interrupted ? [] : encrypted.claims(of: entries, options.families)
            let document = VerifyDocument(
                claims: entries.enumerated().map { index, entry in
                    let own = findings.filter { $0.resolver.entry == entry }
                    let found = certificates.isEmpty ? [] : certificates[index]
                    return (entry, entry.claims(against: own, encrypted: found))
                },
                started: started,
                finished: .now
            )
            try destinations.write(document)
            if interrupted { throw Failure(.interrupted, "") }
            if !findings.contains(where: \.answers) {
                throw Failure(.noResolver, "no resolver answered; is there a network?")
            }
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
