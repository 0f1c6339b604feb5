import ArgumentParser
import Catalogue
import DNSWire
import Integrity
import Samples
import Transports

/// Asks plain resolvers for the encrypted ones that they designate (RFC 9462), and looks whether
/// those vouch for it.
struct Discovery {
    /// Whether a designation can be relied on.
    enum Standing {
        /// Its certificate names the address of the plain resolver (§4.2).
        case verified(IPAddress)
        /// No certificate says so, but both are one machine of this network (§4.3).
        case opportunistic(String)
        case unverified(String)
        /// Why nobody looked.
        case unchecked(String)
    }

    /// The designations of one plain resolver.
    struct Finding {
        var resolver: Resolver
        var designated: [(designation: Designation, standing: Standing)] = []
        /// Why there is no answer, in words.
        var silence: String?
        /// How many more it designates, which nobody looked at.
        var leftOut = 0

        var isAnswered: Bool { silence == nil }
    }

    private let query: Query
    private let credentials: TLSCredentials
    private let allowed: AllowedNetworks
    private let turns = CheckTurns(.polite, on: ContinuousClock())

    private static let timeout = Duration.seconds(2)
    private static let attempts = 2
    /// One for each transport: a liar might name the whole internet.
    fileprivate static let mostDesignations = 4

    init(_ credentials: TLSCredentials, within allowed: AllowedNetworks) throws {
        query = try Query(Question(name: try DomainName(Designation.name), type: .svcb))
        self.credentials = credentials
        self.allowed = allowed
    }

    func findings(of resolvers: [Resolver]) async -> [Finding] {
        var findings: [Finding] = []
        for resolver in resolvers { findings.append(await finding(of: resolver)) }
        return findings
    }

    private func finding(of resolver: Resolver) async -> Finding {
        var finding = Finding(resolver: resolver)
        guard allowed.allows(resolver.endpoint.address) else {
            finding.silence = "not asked, outside the allowed networks"
            return finding
        }
        let exchange = await exchange(
            over: TransportFactory.plain(to: resolver.endpoint, allowed: allowed),
            to: resolver.endpoint
        )
        guard case .response(let response) = exchange.result else {
            finding.silence = exchange.detail ?? "no answer"
            return finding
        }
        let designations = Designation.all(of: response.services)
        finding.leftOut = max(0, designations.count - Self.mostDesignations)
        for var designation in designations.prefix(Self.mostDesignations) {
            if designation.address == nil {
                designation.address = await address(of: designation.host, from: resolver)
            }
            let standing = await standing(of: designation, by: resolver.endpoint.address)
            finding.designated.append((designation, standing))
        }
        return finding
    }

    private func exchange(over way: any Transport, to endpoint: Endpoint) async -> Exchange {
        let transport = PacedTransport(way: way, endpoint: endpoint, turns: turns)
        var last = await transport.exchange(query, timeout: Self.timeout)
        for _ in 1..<Self.attempts {
            guard case .timeout = last.result else { break }
            last = await transport.exchange(query, timeout: Self.timeout)
        }
        return last
    }

    private func address(of host: String, from resolver: Resolver) async -> IPAddress? {
        let bootstrap = try? Bootstrap(resolver.endpoint, within: allowed, turns: turns)
        return try? await bootstrap?.addresses(of: [host], []).addresses[host]
    }

    // MARK: - Whether it is so

    private func standing(of designation: Designation, by plain: IPAddress) async -> Standing {
        let transport = designation.transport
        guard transport.isCarried else {
            return .unchecked("this build has no QUIC")
        }
        guard let address = designation.address else {
            return .unchecked("its name has no address")
        }
        if let objection = Designation.objection(to: address, by: plain) {
            return .unchecked(objection)
        }
        guard allowed.allows(address) else {
            return .unchecked("outside the allowed networks")
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
        case .response, .malformed: return .verified(plain)
        case .untrusted(let reason):
            return plain.isPrivate && plain == address
                ? .opportunistic(reason) : .unverified(reason)
        default: return .unverified(exchange.detail ?? "no answer")
        }
    }
}

extension Discovery.Finding {
    /// A row for each designation: who designates, whom, and whether that is so.
    var rows: [[String]] {
        let (label, place) = (resolver.label, resolver.endpoint.description)
        let name = label == place ? label : "\(label) (\(place))"
        if let silence { return [[name, "–", silence]] }
        guard !designated.isEmpty else { return [[name, "none", ""]] }
        let rows = designated.map { [name, $0.designation.notation, $0.standing.words] }
        if leftOut == 0 { return rows }
        return rows + [
            [name, "\(leftOut) more", "not checked: more than \(Discovery.mostDesignations)"]
        ]
    }
}

extension Discovery.Standing {
    fileprivate var words: String {
        switch self {
        case .verified(let address): "yes, its certificate names \(address)"
        case .opportunistic(let reason): "no, but it is at the same private address: \(reason)"
        case .unverified(let reason): "no: \(reason)"
        case .unchecked(let reason): "not checked: \(reason)"
        }
    }
}

/// Whether resolvers answer over the encrypted transports that the catalogue has them answer over,
/// with certificates for the names that it has.
struct EncryptedClaims: Sendable {
    private let session: CheckSession
    private let factory: TransportFactory
    /// The most ordinary query: any answer shows who answers.
    private let query: Query

    /// Certificates are held against the system's roots, or those that `authority` names.
    init(_ session: CheckSession, of entries: [CatalogueEntry], authority: AuthorityOption) throws {
        self.session = session
        var trust = try TrustOptions.parse([])
        trust.authority = authority
        factory = try TransportFactory(
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
