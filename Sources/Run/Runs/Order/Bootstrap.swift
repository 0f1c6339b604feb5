import Catalogue
import DNSWire
import Failures
import Integrity
import Samples
import Store
import Transports

/// Finds the addresses of resolvers that are given by name, before the timed queries.
struct Bootstrap {
    /// The resolver for the look-ups; `nil` for the system.
    private let resolver: Endpoint?
    private let allowed: AllowedNetworks
    private let turns: CheckTurns<ContinuousClock>
    /// The hosts at which plain DNS is queried.
    private let plainHosts: Set<String>

    private static let timeout = Duration.seconds(2)
    private static let attempts = 3

    init(
        _ resolver: Endpoint?,
        within allowed: AllowedNetworks,
        plainHosts: Set<String> = [],
        turns: CheckTurns<ContinuousClock> = CheckTurns(.polite, on: ContinuousClock())
    ) throws {
        if let resolver, !allowed.allows(resolver.address) {
            throw Failure.usage(
                "--bootstrap: \(resolver.address) is outside the allowed networks (\(allowed));"
                    + " give another resolver or allow its network"
            )
        }
        self.resolver = resolver
        self.allowed = allowed
        self.turns = turns
        self.plainHosts = plainHosts
    }

    /// One address for each of `hosts`: of the first family with a routed address, IPv4 before
    /// IPv6. If the look-up fails, the `remembered` address applies, with a sentence about it.
    func addresses(
        of hosts: [String],
        _ families: Set<IPAddress.Family>,
        remembered: (String) throws -> IPAddress? = { _ in nil }
    ) async throws -> (addresses: [String: IPAddress], notes: [String]) {
        let families = IPAddress.Family.allCases.filter {
            families.isEmpty || families.contains($0)
        }
        try check(hosts)
        var addresses: [String: IPAddress] = [:]
        var notes: [String] = []
        for host in hosts {
            do {
                addresses[host] = try await address(of: host, families)
            } catch let failure as Failure where failure.status == .unavailable {
                guard let address = try remembered(host) else { throw failure }
                addresses[host] = address
                notes.append("\(failure.description); asked at \(address) as before")
            }
        }
        return (addresses, notes)
    }

    /// Throws if the look-up of `hosts` may query a server that must not receive the names.
    func check(_ hosts: [String]) throws {
        for host in hosts where Self.loopback(host) == nil {
            if let resolver {
                let advice = self.advice(host)
                try Self.checkSpecialUse(of: host, at: [resolver.address], advice: advice)
            } else {
                try Self.checkSystem(
                    host,
                    within: allowed,
                    advice: "name a resolver to ask with --bootstrap"
                )
            }
        }
    }

    /// Throws if the servers must not receive the name.
    private static func checkSpecialUse(
        of host: String,
        at servers: [IPAddress],
        advice: String
    ) throws(Failure) {
        guard let special = SpecialUseName(host),
            special.isOutsideDNS || servers.contains(where: { !$0.isPrivate })
        else { return }
        let remedy = special.isOutsideDNS ? "give another host" : advice
        throw Failure.usage("'\(host)' \(special.reason); \(remedy)")
    }

    private func address(of host: String, _ families: [IPAddress.Family]) async throws -> IPAddress
    {
        let found = try await foundAddresses(of: host, families)
        let wanted = families.flatMap { family in found.filter { $0.family == family } }
        guard let first = wanted.first else {
            let kind = families == [.v6] ? "IPv6 " : families == [.v4] ? "IPv4 " : ""
            throw Failure(
                .unavailable,
                "'\(host)' has no \(kind)address, says \(source); \(advice(host))"
            )
        }
        // Prefers an address that is allowed and has a route.
        let permitted = wanted.filter(allowed.allows)
        return permitted.first(where: SourceAddress.hasRoute) ?? permitted.first ?? first
    }

    private func foundAddresses(
        of host: String,
        _ families: [IPAddress.Family]
    ) async throws -> [IPAddress] {
        if let own = Self.loopback(host) { return own }
        guard let resolver else { return try await systemAddresses(of: host) }
        return try await addresses(of: host, families, from: resolver)
    }

    private var source: String { resolver.map(\.shortText) ?? "this machine" }

    private func advice(_ host: String) -> String {
        "write its address" + (plainHosts.contains(host) ? "" : ", as in tls://ADDRESS#\(host)")
    }

    /// The addresses of `localhost`, for which no resolver is queried (RFC 6761 §6.3); `nil` for
    /// other names.
    private static func loopback(_ host: String) -> [IPAddress]? {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
    }

    /// Throws if the system's look-up of a host may leave the allowed networks. The system queries
    /// any configured nameservers, and for some names the local network.
    static func checkSystem(
        _ host: String,
        within allowed: AllowedNetworks,
        advice: String
    ) throws {
        try checkSpecialUse(of: host, at: [], advice: advice)
        let servers = SystemResolvers().nameservers.map(\.address)
        if allowed.isRestricted {
            let outside = servers.first { !allowed.allows($0) }
            let asked =
                outside.map { "this machine would ask \($0) for it, which is" }
                ?? (host.contains(".") && !host.hasSuffix(".local")
                    ? nil : "this machine would ask its neighbours for it, which may be")
            if let asked {
                throw Failure.usage(
                    "'\(host)' is a host name, and \(asked) outside the allowed networks "
                        + "(\(allowed)); \(advice)"
                )
            }
        }
        // The machine resolves names in its hosts file without a query.
        guard host != "localhost", !HostsFile.names().contains(host.lowercased()) else { return }
        try checkSpecialUse(of: host, at: servers, advice: advice)
    }

    private func systemAddresses(of host: String) async throws -> [IPAddress] {
        do {
            return try await SystemLookup.addresses(of: host)
        } catch {
            throw Failure(
                .unavailable,
                "this machine finds no address of '\(host)' (\(error.reason));"
                    + " \(advice(host)), or name a resolver to ask with --bootstrap"
            )
        }
    }

    private func addresses(
        of host: String,
        _ families: [IPAddress.Family],
        from resolver: Endpoint
    ) async throws -> [IPAddress] {
        var found: [IPAddress] = []
        for family in families {
            let type = family == .v4 ? RecordType.a : .aaaa
            let query = try Query(Question(name: try DomainName(host), type: type))
            let response: Response
            do {
                response = try await answer(to: query, of: host, from: resolver)
            } catch {
                guard found.isEmpty else { break }
                throw error
            }
            found += response.addresses.compactMap { IPAddress(bytes: $0) }
                .filter { $0.family == family }
            let permitted = found.filter(allowed.allows)
            // Addresses of the other family are needed only if these have no route.
            let isEnough = permitted.isEmpty || permitted.contains(where: SourceAddress.hasRoute)
            if !found.isEmpty, isEnough { break }
        }
        return found
    }

    private func answer(
        to query: Query,
        of host: String,
        from resolver: Endpoint
    ) async throws -> Response {
        let exchange = await TransportFactory.plain(to: resolver, allowed: allowed).exchange(
            query,
            timeout: Self.timeout,
            attempts: Self.attempts,
            at: turns,
            of: resolver
        )
        let reason: String
        switch exchange.result {
        case .response(let response) where [.noError, .nxDomain].contains(response.code):
            return response
        case .response(let response): reason = "\(response.code)"
        case .timeout: reason = "no answer within \(Self.timeout * Self.attempts)"
        default: reason = exchange.detail ?? "no answer"
        }
        throw Failure(
            .unavailable,
            "--bootstrap: \(source) gives no address of '\(host)': \(reason);"
                + " give another resolver, or \(advice(host))"
        )
    }
}

extension [Resolver] {
    /// The last address of the resolvers at `host`, queried from a place, in a store. The run
    /// measures this address while the look-up fails, or finds it silent.
    func rememberedAddress(of host: String, in path: String, from vantage: String) -> IPAddress? {
        let rounds = try? Store(path: path, access: .readOnly)
            .latestResponses(from: vantage, count: 1)
        let targets = (rounds ?? []).reversed().flatMap { $0.resolvers.map(\.target) }
        let labels = filter { $0.lookedUpHost == host }.map(\.label)
        return targets.first { labels.contains($0.label) }?.address
    }
}
