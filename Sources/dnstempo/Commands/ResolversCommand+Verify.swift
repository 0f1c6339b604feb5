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
                Checks that every address answers. Then checks that the resolver validates DNSSEC, \
                filters names and sends on the client's network as declared. Queries the first \
                address over each encrypted transport too: the certificate must contain the \
                catalogue's name. Without an answer, that claim stays open.

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
                onAsked: Terminal.noteAsked(isRedacted: false)
            )
            let certificates =
                await interrupted ? [] : encrypted.claims(of: entries, options.family.families)
            let document = VerifyReport(
                claims: entries.enumerated().map { index, entry in
                    let own = findings.filter { $0.resolver.entry == entry }
                    let found = certificates.isEmpty ? [] : certificates[index]
                    return (entry, entry.claims(against: own, encrypted: found))
                },
                context: .command(since: started)
            )
            try await destinations.write(document)
            if interrupted { throw Failure(.interrupted, "") }
            if !findings.contains(where: \.answers) { throw Failure.noAnswer() }
        }
    }
}

extension CatalogueEntry {
    /// Every address of the requested families, whether or not it is known to answer.
    fileprivate func places(of families: Set<IPAddress.Family>) -> [Resolver] {
        endpoints.filter { families.isEmpty || families.contains($0.address.family) }.map {
            Resolver(label: "\(name)@\($0.shortText)", endpoint: $0, origin: .catalogue(self))
        }
    }
}
