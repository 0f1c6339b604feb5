extension ResolverCatalogue {
    /// The resolvers of `data/resolvers.toml`.
    package static func bundled() throws(CatalogueError) -> ResolverCatalogue {
        try ResolverCatalogue(
            parsing: NamedText(name: "resolvers.toml", bundled: PackageResources.resolvers_toml)
        )
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        try top.check(keys: ["resolver"])
        var entries: [CatalogueEntry] = []
        for section in try top.tables("resolver") {
            let entry = try CatalogueEntry(bundled: section)
            guard !entries.contains(where: { $0.name == entry.name }) else {
                throw section.fault("name", "there are two resolvers named \(entry.name.quoted)")
            }
            entries.append(entry)
        }
        self.init(entries: entries)
    }
}

extension CatalogueEntry {
    private static let keys = [
        "name", "title", "by", "v4", "v6", "bootstrap", "tls", "https", "quic", "h3", "filtering",
        "dnssec", "ecs", "logging", "encrypted_only", "default", "group", "status", "since",
        "reason", "instead", "note", "source",
    ]

    fileprivate init(bundled section: TOMLSection) throws(CatalogueError) {
        try section.check(keys: Self.keys)
        let plain =
            try section.addresses("v4", family: .v4) + section.addresses("v6", family: .v6)
        self.init(
            name: try section.resolverName(),
            title: try section.requiredString("title"),
            endpoints: plain.map { Endpoint(transport: .udp, address: $0, port: 53) }
        )
        provider = try section.string("by") ?? title
        bootstrap = try section.addresses("bootstrap")
        encrypted = EncryptedHosts(
            tls: try section.string("tls"),
            https: try section.string("https"),
            quic: try section.string("quic"),
            hasHTTP3: try section.bool("h3") ?? false
        )
        filtering = try section.string("filtering") ?? filtering
        dnssec = try section.string("dnssec") ?? dnssec
        ecs = try section.string("ecs") ?? ecs
        logging = try section.string("logging") ?? logging
        isEncryptedOnly = try section.bool("encrypted_only") ?? false
        isDefault = try section.bool("default") ?? false
        groups = try section.strings("group") ?? []
        note = try section.string("note")
        source = try section.requiredString("source")
        status = try Self.status(section)
    }

    private static func status(_ section: TOMLSection) throws(CatalogueError) -> Status {
        switch try section.string("status") ?? "active" {
        case "active": return .active
        case "unverified": return .unverified
        case "dead":
            return .dead(
                Obituary(
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
    /// The `name` of a resolver; the names of this machine's own resolvers are taken.
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

    /// Addresses without a port; none where the key is absent.
    fileprivate func addresses(
        _ key: String,
        family: IPAddress.Family? = nil
    ) throws(CatalogueError) -> [IPAddress] {
        var addresses: [IPAddress] = []
        for text in try strings(key) ?? [] {
            guard let address = IPAddress(text), family == nil || address.family == family else {
                let kind = family.map { $0 == .v4 ? "an IPv4" : "an IPv6" } ?? "an IP"
                throw fault(key, "\(text.quoted) is not \(kind) address")
            }
            addresses.append(address)
        }
        return addresses
    }
}
