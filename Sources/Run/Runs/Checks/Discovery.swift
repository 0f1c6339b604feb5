package import Catalogue
import DNSWire
package import Integrity
import Samples
package import Transports

/// Asks plain DNS resolvers for their designated encrypted resolvers (RFC 9462), and checks whether
/// the encrypted resolvers confirm the designation.
package struct Discovery {
    /// The rows about one plain DNS resolver: the designating resolver, the designated resolver,
    /// and whether the designation is verified.
    package struct Finding {
        package var rows: [[String]]
        package var isAnswered = true
    }

    private let query: Query
    private let credentials: TLSCredentials
    private let allowed: AllowedNetworks
    private let turns = CheckTurns(.polite, on: ContinuousClock())

    /// The limit: one per transport. A malicious resolver might designate the whole internet.
    private static let mostDesignations = 4

    package init(_ credentials: TLSCredentials, within allowed: AllowedNetworks) throws {
        query = try Query(Question(name: try DomainName(Designation.name), type: .svcb))
        self.credentials = credentials
        self.allowed = allowed
    }

    package func findings(of resolvers: [Resolver]) async -> [Finding] {
        var findings: [Finding] = []
        for resolver in resolvers { findings.append(await finding(of: resolver)) }
        return findings
    }

    private func finding(of resolver: Resolver) async -> Finding {
        let (label, endpoint) = (resolver.label, resolver.endpoint)
        let name = label == endpoint.description ? label : "\(label) (\(endpoint))"
        func silence(_ reason: String) -> Finding {
            Finding(rows: [[name, "–", reason]], isAnswered: false)
        }
        guard allowed.allows(endpoint.address) else {
            return silence("not asked, outside the allowed networks")
        }
        let way = TransportFactory.plain(to: endpoint, allowed: allowed)
        let exchange = await exchange(over: way, to: endpoint)
        guard case .response(let response) = exchange.result else {
            return silence(exchange.detail ?? "no answer")
        }
        let designations = Designation.all(of: response.services)
        if designations.isEmpty { return Finding(rows: [[name, "none", ""]]) }
        var rows: [[String]] = []
        for var designation in designations.prefix(Self.mostDesignations) {
            if designation.address == nil {
                designation.address = await address(of: designation.host, from: resolver)
            }
            let standing = await standing(of: designation, by: endpoint.address)
            rows.append([name, designation.notation, standing])
        }
        let leftOut = designations.count - Self.mostDesignations
        if leftOut > 0 {
            rows.append([
                name, "\(leftOut) more", "not checked: more than \(Self.mostDesignations)",
            ])
        }
        return Finding(rows: rows)
    }

    private func exchange(over way: any Transport, to endpoint: Endpoint) async -> Exchange {
        await way.exchange(query, timeout: .seconds(2), attempts: 2, at: turns, of: endpoint)
    }

    private func address(of host: String, from resolver: Resolver) async -> IPAddress? {
        let bootstrap = try? Bootstrap(resolver.endpoint, within: allowed, turns: turns)
        return try? await bootstrap?.addresses(of: [host], []).addresses[host]
    }

    /// The verification in words. Either the certificate contains the address of the plain DNS
    /// resolver (§4.2), or at least both have the same private address (§4.3).
    private func standing(of designation: Designation, by plain: IPAddress) async -> String {
        let transport = designation.transport
        guard transport.isCarried else { return "not checked: this build has no QUIC" }
        guard let address = designation.address else {
            return "not checked: its name has no address"
        }
        if let objection = Designation.objection(to: address, by: plain) {
            return "not checked: \(objection)"
        }
        guard allowed.allows(address) else {
            return "not checked: outside the allowed networks"
        }
        let factory = TransportFactory(
            trusting: TLSCredentials(credentials, address: plain.bytes),
            allowed: allowed
        )
        let resolver = Resolver(
            label: designation.notation,
            endpoint: Endpoint(transport: transport, address: address, port: designation.port),
            serverName: designation.host,
            path: designation.plainPath
        )
        let exchange = await exchange(
            over: factory.transport(to: resolver, in: .first),
            to: resolver.endpoint
        )
        switch exchange.result {
        case .response, .malformed: return "yes, its certificate names \(plain)"
        case .untrusted(let distrust):
            let reason = distrust.reason
            return plain.isPrivate && plain == address
                ? "no, but it is at the same private address: \(reason)" : "no: \(reason)"
        default: return "no: \(exchange.detail ?? "no answer")"
        }
    }
}

/// A check of the catalogue's claims about encrypted transports and their certificates.
package struct EncryptedClaims: Sendable {
    private let session: CheckSession
    private let factory: TransportFactory
    private let query: Query

    /// Creates the check. Certificates are verified with `credentials`.
    package init(_ session: CheckSession, _ credentials: TLSCredentials) throws {
        self.session = session
        factory = TransportFactory(
            trusting: credentials,
            allowed: session.allowed
        )
        query = try Query(Question(name: DomainName("example.com"), type: .a))
    }

    /// A claim for each transport, in the order of the entries. Entries are checked at the same
    /// time, each query at its turn.
    package func claims(
        of entries: [CatalogueEntry],
        _ families: Set<IPAddress.Family>
    ) async -> [[Claim]] {
        let turns = session.turns
        return await entries.concurrentMap { entry in
            var claims: [Claim] = []
            for resolver in Self.resolvers(of: entry, families) {
                await turns.wait(for: resolver.endpoint)
                claims.append(await claim(of: resolver))
            }
            return claims
        }
    }

    private func claim(of resolver: Resolver) async -> Claim {
        let way = factory.transport(to: resolver, in: .first)
        let exchange = await way.exchange(query, timeout: session.timeout)
        let kind = resolver.endpoint.transport.rawValue
        let place = "\(resolver.endpoint) over \(kind)"
        let (standing, seen): (Claim.Standing, String) =
            switch exchange.result {
            case .response: (.holds, "\(place) answers with a certificate for it")
            case .untrusted(let distrust): (.contradicted, "\(place): \(distrust.reason)")
            case .unreachable(let reason), .noRoute(let reason), .wrongAddress(let reason),
                .malformed(let reason):
                (.open, "\(place) does not answer: \(reason)")
            case .timeout: (.open, "\(place) does not answer")
            case .blocked: (.notChecked, "\(place) lies outside the allowed networks")
            case .cancelled: (.notChecked, "not asked")
            }
        let name = resolver.serverName ?? resolver.endpoint.address.description
        return Claim(.certificate, "\(kind)://\(name)", standing, seen)
    }

    /// The first address of an entry, over each encrypted transport that this build supports.
    private static func resolvers(
        of entry: CatalogueEntry,
        _ families: Set<IPAddress.Family>
    ) -> [Resolver] {
        let usual = entry.bootstrap.map { Endpoint(transport: .udp, address: $0, port: 53) }
        let place = (entry.endpoints + usual)
            .first { families.isEmpty || families.contains($0.address.family) }
        guard let place else { return [] }
        let resolver = Resolver(label: entry.name, endpoint: place, origin: .catalogue(entry))
        // An entry with encrypted service only has no plain DNS resolver.
        return ((try? resolver.over(.all)) ?? []).filter(\.endpoint.transport.isEncrypted)
    }
}
