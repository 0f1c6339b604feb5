/// One public resolver, or one that the user configured, with all that is known about it. The
/// operator or a list declares the properties of the service; they are not measured. `source` names
/// the operator or list.
package struct CatalogueEntry: Hashable, Sendable {
    package enum Status: Hashable, Sendable {
        case active
        /// Listed by a source, but no source recently recorded an answer to plain DNS.
        case unverified
        case dead(Retirement)
    }

    package struct Retirement: Hashable, Sendable {
        /// The year, or year and month, if it is recorded.
        package var since: String?
        package var reason: String
        /// Names in this catalogue of resolvers to use instead.
        package var instead: [String]
    }

    /// The host names and URLs at which the same service answers encrypted queries.
    package struct EncryptedHosts: Hashable, Sendable {
        package var tls: String?
        package var https: String?
        package var quic: String?
        /// Whether the service answers DNS over HTTPS also over HTTP/3.
        package var hasHTTP3 = false

        /// The server name for `kind`, and over HTTP the path; `nil` if the service does not answer
        /// over it.
        func server(over kind: TransportKind) -> (name: String, path: String?)? {
            switch kind {
            case .udp, .tcp: return nil
            case .tls: return tls.map { ($0, nil) }
            case .quic: return quic.map { ($0, nil) }
            case .https, .h3:
                guard let rest = https?.dropFirst("https://".count) else { return nil }
                let authority = rest.prefix { $0 != "/" }
                let path = rest[authority.endIndex...]
                let isUsual = path.isEmpty || path == Resolver.usualPath
                return (String(Endpoint.split(authority).host), isUsual ? nil : String(path))
            }
        }

        /// The paths and server names in the places of the service's resolvers, see ``Resolver/place``.
        package var placeEnds: [String] {
            TransportKind.allCases.compactMap(server).map { ($0.path ?? "") + "#\($0.name)" }
        }
    }

    package var name: String
    package var title: String
    package var provider: String?
    /// The addresses and ports of plain DNS, IPv4 first, in the operator's order.
    package var endpoints: [Endpoint]
    package var encrypted = EncryptedHosts()
    /// The addresses of the encrypted service, if there is no plain DNS service.
    package var bootstrap: [IPAddress] = []
    /// The blocking of names, as declared; `none` if no name is blocked.
    package var filtering = "unknown"
    /// Whether answers are validated (RFC 4035), as declared.
    package var dnssec = "unknown"
    /// Whether the resolver forwards the client's network (RFC 7871), as declared.
    package var ecs = "unknown"
    /// Whether queries are logged, as declared.
    package var logging = "unknown"
    package var status = Status.active
    package var isEncryptedOnly = false
    /// Whether a run without named resolvers includes this resolver.
    package var isDefault = false
    package var groups: [String] = []
    package var note: String?
    /// The source of all this data. The top of `data/resolvers.toml` explains the abbreviations.
    package var source: String?
    /// The date of the newest source that confirms the data.
    package var confirmed: CalendarDay?

    /// The address family to use without `-4` or `-6`, if it differs from the first address's
    /// family.
    private var preferredFamily: IPAddress.Family?

    package init(name: String, title: String, endpoints: [Endpoint]) {
        self.name = name
        self.title = title
        self.endpoints = endpoints
    }

    /// Whether the resolver answers plain DNS queries.
    package var isAskable: Bool {
        if case .dead = status { return false }
        return !isEncryptedOnly && !endpoints.isEmpty
    }

    /// The endpoints that `-4` and `-6` select.
    func endpoints(of families: Set<IPAddress.Family>, all: Bool) -> [Endpoint] {
        selected(endpoints, of: families, all: all, \.address.family)
    }

    /// The addresses of the encrypted service that `-4` and `-6` select.
    func encryptedAddresses(of families: Set<IPAddress.Family>, all: Bool = false) -> [IPAddress] {
        selected(endpoints.map(\.address) + bootstrap, of: families, all: all, \.family)
    }

    /// Prefers the family with a route, if only one of the two families has a route. `route`
    /// returns whether an address has a route, or `nil` if that is unknown.
    mutating func preferFamily(withRoute route: (IPAddress) -> Bool?) {
        let places = endpoints.map(\.address) + bootstrap
        guard let first = places.first,
            let other = places.first(where: { $0.family != first.family }),
            route(first) == false, route(other) == true
        else { return }
        preferredFamily = other.family
    }

    /// The first place of each requested family. Without a requested family, the first place of the
    /// preferred family. With `all`, all places of these families.
    private func selected<Place>(
        _ places: [Place],
        of families: Set<IPAddress.Family>,
        all: Bool,
        _ family: (Place) -> IPAddress.Family
    ) -> [Place] {
        let most = all ? Int.max : 1
        guard !families.isEmpty else {
            let preferred = places.filter { family($0) == preferredFamily }
            return Array((preferred.isEmpty || all ? places : preferred).prefix(most))
        }
        return IPAddress.Family.allCases.filter(families.contains).flatMap { wanted in
            places.filter { family($0) == wanted }.prefix(most)
        }
    }

    /// The first encrypted transport that both the service and this version support.
    var encryptedServer: (kind: TransportKind, name: String, path: String?)? {
        transports.lazy.filter { $0.isEncrypted && $0.isCarried }.compactMap { kind in
            encrypted.server(over: kind).map { (kind, $0.name, $0.path) }
        }.first
    }

    /// Whether `host`, a name or an address, belongs to the service.
    func isServed(at host: String) -> Bool {
        if let address = IPAddress(host)?.unmapped {
            return endpoints.contains { $0.address == address } || bootstrap.contains(address)
        }
        let name = host.lowercased()
        return TransportKind.allCases.contains { encrypted.server(over: $0)?.name == name }
    }

    var transports: [TransportKind] {
        TransportKind.allCases.filter { kind in
            switch kind {
            case .udp, .tcp: !isEncryptedOnly && !endpoints.isEmpty
            case .h3: encrypted.hasHTTP3
            case .tls, .https, .quic: encrypted.server(over: kind) != nil
            }
        }
    }

    private static let keys =
        [
            "name", "title", "by", "v4", "v6", "default", "group", "status", "since", "reason",
            "instead", "source",
        ] + serviceKeys

    init(bundled section: TOMLSection) throws(CatalogueError) {
        try section.check(keys: Self.keys)
        let plain =
            try section.addresses("v4", family: .v4) + section.addresses("v6", family: .v6)
        self.init(
            name: try section.resolverName(),
            title: try section.requiredString("title"),
            endpoints: plain.map { Endpoint(transport: .udp, address: $0, port: 53) }
        )
        provider = try section.string("by") ?? title
        try readService(section)
        isDefault = try section.bool("default") ?? false
        groups = try section.strings("group") ?? []
        source = try section.requiredString("source")
        status = try Self.status(section)
        confirmed = try section.requiredValue("confirmed")
    }

    /// The keys of ``readService(_:)``.
    static let serviceKeys = [
        "bootstrap", "tls", "https", "quic", "h3", "filtering", "dnssec", "ecs", "logging",
        "encrypted_only", "note", "confirmed",
    ]

    /// Reads the encrypted addresses and the declared properties of the service. A property without
    /// a key stays unknown.
    mutating func readService(_ section: TOMLSection) throws(CatalogueError) {
        bootstrap = try section.addresses("bootstrap")
        isEncryptedOnly = try section.bool("encrypted_only") ?? false
        note = try section.string("note")
        confirmed = try section.parsed("confirmed")
        encrypted = EncryptedHosts(
            tls: try section.serverName("tls"),
            https: try section.serverAddress("https"),
            quic: try section.serverName("quic"),
            hasHTTP3: try section.bool("h3") ?? false
        )
        filtering = try section.string("filtering") ?? filtering
        dnssec = try section.string("dnssec") ?? dnssec
        ecs = try section.string("ecs") ?? ecs
        logging = try section.string("logging") ?? logging
    }

    private static func status(_ section: TOMLSection) throws(CatalogueError) -> Status {
        switch try section.string("status") ?? "active" {
        case "active": return .active
        case "unverified": return .unverified
        case "dead":
            return .dead(
                Retirement(
                    since: try section.string("since"),
                    reason: try section.requiredString("reason"),
                    instead: try section.strings("instead") ?? []
                )
            )
        case let other:
            throw section.fault(
                "status",
                "'status' has to be active, unverified or dead, not \(other.quoted)"
            )
        }
    }
}

extension TOMLSection {
    func resolverName() throws(CatalogueError) -> String {
        let name = try requiredString("name")
        guard Resolver.isLabel(name) else {
            throw fault(
                "name",
                "\(name.quoted) cannot be a name: use letters, digits, '.', '_' and '-',"
                    + " at most 63, beginning with a letter or digit"
            )
        }
        return name
    }

    /// Addresses without a port; empty if the key is absent.
    fileprivate func addresses(
        _ key: String,
        family: IPAddress.Family? = nil
    ) throws(CatalogueError) -> [IPAddress] {
        try (strings(key) ?? []).map { text throws(CatalogueError) in
            guard let address = IPAddress(text)?.unmapped,
                family == nil || address.family == family
            else {
                let kind = family.map { $0 == .v4 ? "an IPv4" : "an IPv6" } ?? "an IP"
                throw fault(key, "\(text.quoted) is not \(kind) address")
            }
            return address
        }
    }

    /// A name in a certificate.
    fileprivate func serverName(_ key: String) throws(CatalogueError) -> String? {
        guard let name = try string(key) else { return nil }
        guard EncryptedAddress.isServerName(name[...]) else {
            throw fault(key, "'\(key)': \(name.quoted) is not a valid name in a certificate")
        }
        return name.lowercased()
    }

    /// A name in a certificate with a path, such as `https://dns.example/dns-query`.
    fileprivate func serverAddress(_ key: String) throws(CatalogueError) -> String? {
        guard let text = try string(key) else { return nil }
        let start = "https://"
        guard text.hasPrefix(start) else {
            throw fault(key, "'\(key)': \(text.quoted) does not begin with \(start)")
        }
        do throws(CatalogueError) {
            let address = try EncryptedAddress(.https, text.dropFirst(start.count), in: text)
            let path = address.path ?? Resolver.usualPath
            switch address.place {
            case .host(let host, port: 443) where address.name == nil: return start + host + path
            // A certificate may contain an address.
            case .endpoint(let endpoint) where endpoint.port == 443 && address.name == nil:
                return start + endpoint.address.bracketed + path
            default: break
            }
        } catch {
            throw fault(key, error.description)
        }
        throw fault(
            key,
            "'\(key)': \(text.quoted): write a name and a path; the port is that of 'address'"
        )
    }
}
