import ArgumentParser
import Catalogue
import DNSWire
import Integrity
import Samples
import Transports

/// Whether resolvers answer over the encrypted transports that the catalogue has them answer over,
/// with certificates for the names that it has.
struct EncryptedClaims: Sendable {
    private let session: CheckSession
    private let carriage: Carriage
    /// The most ordinary query: any answer shows who answers.
    private let query: Query

    /// Certificates are held against the system's roots, or those that `authority` names.
    init(_ session: CheckSession, of entries: [CatalogueEntry], authority: AuthorityOption) throws {
        self.session = session
        var trust = try TrustOptions.parse([])
        trust.authority = authority
        carriage = try Carriage(
            to: entries.flatMap { Self.resolvers(of: $0, []) },
            RunOptions(),
            trust,
            allowed: session.allowed
        )
        query = try Query(Question(name: DomainName("example.com"), type: .a))
    }

    /// A claim for each transport, in the order of the entries: asked at once, each at its turn.
    func claims(
        of entries: [CatalogueEntry],
        _ families: Set<IPAddress.Family>
    ) async -> [[Claim]] {
        let turns = session.turns
        return await withTaskGroup(of: (Int, [Claim]).self) { group in
            for (index, entry) in entries.enumerated() {
                group.addTask {
                    var claims: [Claim] = []
                    for resolver in Self.resolvers(of: entry, families) {
                        await turns.wait(for: resolver.endpoint)
                        claims.append(await claim(of: resolver))
                    }
                    return (index, claims)
                }
            }
            var found = [[Claim]](repeating: [], count: entries.count)
            for await (index, claims) in group { found[index] = claims }
            return found
        }
    }

    private func claim(of resolver: Resolver) async -> Claim {
        let way = carriage.transport(to: resolver, in: .first)
        let exchange = await way.exchange(query, timeout: session.timeout)
        let kind = resolver.endpoint.transport.rawValue
        let place = "\(resolver.endpoint) over \(kind)"
        let (standing, seen): (Claim.Standing, String) =
            switch exchange.result {
            case .response: (.holds, "\(place) answers with a certificate for it")
            case .untrusted(let reason): (.contradicted, "\(place): \(reason)")
            case .unreachable(let reason), .noRoute(let reason), .malformed(let reason):
                (.open, "\(place) does not answer: \(reason)")
            case .timeout: (.open, "\(place) does not answer")
            case .blocked: (.notChecked, "\(place) lies outside the allowed networks")
            case .cancelled: (.notChecked, "not asked")
            }
        let name = resolver.serverName ?? resolver.endpoint.address.description
        return Claim(.certificate, "\(kind)://\(name)", standing, seen)
    }

    /// The first address of an entry, over each encrypted transport that is carried.
    private static func resolvers(
        of entry: CatalogueEntry,
        _ families: Set<IPAddress.Family>
    ) -> [Resolver] {
        let usual = entry.bootstrap.map { Endpoint(transport: .udp, address: $0, port: 53) }
        let place = (entry.endpoints + usual)
            .first { families.isEmpty || families.contains($0.address.family) }
        guard let place else { return [] }
        let resolver = Resolver(label: entry.name, endpoint: place, origin: .catalogue(entry))
        // An encrypted service has no plain one to ask.
        return ((try? resolver.over(.all)) ?? []).filter(\.endpoint.transport.isEncrypted)
    }
}
