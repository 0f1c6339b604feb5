package import Catalogue
import DNSWire
package import Integrity
import Samples
package import Transports

/// Asks plain resolvers for the encrypted ones that they designate (RFC 9462), and looks whether
/// those vouch for it.
package struct Discovery {
    /// Rows of one plain resolver: who designates, whom, and whether that can be relied on.
    package struct Finding {
        package var rows: [[String]]
        package var isAnswered = true
    }

    private let query: Query
    private let credentials: TLSCredentials
    private let allowed: AllowedNetworks
    private let turns = CheckTurns(.polite, on: ContinuousClock())

    /// One for each transport: a liar might name the whole internet.
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

    /// In words: whether its certificate names the address of the plain resolver (§4.2), or at least
    /// both are one machine of this network (§4.3).
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
            trusting: TLSCredentials(credentials, address: plain.octets),
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

/// Whether resolvers answer over encrypted transports, with certificates, as the catalogue has it.
package struct EncryptedClaims: Sendable {
    private let session: CheckSession
    private let factory: TransportFactory
    private let query: Query

    /// Certificates are held against whom `credentials` trust.
    package init(_ session: CheckSession, _ credentials: TLSCredentials) throws {
        self.session = session
        factory = TransportFactory(
            trusting: credentials,
            allowed: session.allowed
        )
        query = try Query(Question(name: DomainName("example.com"), type: .a))
    }

    /// A claim for each transport, in the order of the entries: asked at once, each at its turn.
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
