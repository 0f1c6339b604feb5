extension ResolverCatalogue {
    /// With addresses of host names that were looked up, by name.
    package func knowing(_ addresses: [String: IPAddress]) -> ResolverCatalogue {
        var copy = self
        copy.lookedUp.merge(addresses) { _, new in new }
        return copy
    }

    /// As if each host had an address, so that all else that is wrong shows before one is looked up.
    package func assuming(_ hosts: [String]) -> ResolverCatalogue {
        guard let nowhere = IPAddress(octets: [0, 0, 0, 0]) else { return self }
        return knowing(Dictionary(hosts.map { ($0, nowhere) }) { first, _ in first })
    }

    /// The host names in `notations` that have no address here, each once; what cannot be read has
    /// none.
    package func unknownHosts(
        in notations: [String],
        families: Set<IPAddress.Family> = []
    ) -> [String] {
        var hosts: [String] = []
        for text in notations {
            guard let notation = try? ResolverNotation(parsing: text),
                let host = unknownHost(notation.subject, families), !hosts.contains(host)
            else { continue }
            hosts.append(host)
        }
        return hosts
    }

    private func unknownHost(
        _ subject: ResolverNotation.Subject,
        _ families: Set<IPAddress.Family>
    ) -> String? {
        switch subject {
        case .encrypted(let address):
            guard case .host(let host, _) = address.place, lookedUp[host] == nil,
                entry(serving: host, over: address.transport, families) == nil
            else { return nil }
            return host
        case .name(let name), .everyAddress(let name):
            guard let entry = entries.first(where: { $0.name == name }), !entry.isAskable,
                entry.encryptedAddresses(of: families).isEmpty
            else { return nil }
            return entry.encryptedServer?.name
        case .system, .gateway, .endpoint, .uncarried:
            return nil
        }
    }

    /// Who answers under the name `host`, and at which address.
    func entry(
        serving host: String,
        over transport: TransportKind,
        _ families: Set<IPAddress.Family>
    ) -> (entry: CatalogueEntry, address: IPAddress)? {
        for entry in entries where entry.encrypted.server(over: transport)?.name == host {
            if let address = entry.encryptedAddresses(of: families).first {
                return (entry, address)
            }
        }
        return nil
    }

    /// A service that plain DNS cannot ask, over the first transport that it has, at the addresses
    /// of its encrypted service.
    func encryptedResolvers(
        of entry: CatalogueEntry,
        all: Bool,
        _ families: Set<IPAddress.Family>,
        label: String
    ) throws(CatalogueError) -> [Resolver] {
        guard let (kind, host, path) = entry.encryptedServer else {
            throw CatalogueError(
                .usage,
                "'\(entry.name)' serves no transport that is in this version;"
                    + " choose another resolver"
            )
        }
        let known = entry.encryptedAddresses(of: families, all: all)
        let addresses = known.isEmpty ? [lookedUp[host]].compactMap(\.self) : known
        guard !addresses.isEmpty else {
            throw CatalogueError(
                .usage,
                "'\(entry.name)' has no address in the catalogue, and its name \(host.quoted) is"
                    + " not looked up here; give an address of it as \(kind)://ADDRESS#\(host)"
            )
        }
        return addresses.map { address in
            var resolver = Resolver(
                label: all || addresses.count > 1 ? "\(label)@\(address)" : label,
                endpoint: Endpoint(transport: kind, address: address, port: kind.usualPort),
                origin: .catalogue(entry),
                serverName: host,
                path: path
            )
            resolver.isLookedUp = known.isEmpty
            return resolver
        }
    }
}

extension CatalogueEntry {
    /// The addresses of the encrypted service that `-4` and `-6` select: the first of each family
    /// that is asked for, the first at all where none is.
    func encryptedAddresses(
        of families: Set<IPAddress.Family>,
        all: Bool = false
    ) -> [IPAddress] {
        let addresses = endpoints.map(\.address) + bootstrap
        guard !families.isEmpty else { return Array(addresses.prefix(all ? .max : 1)) }
        return IPAddress.Family.allCases.filter(families.contains).flatMap { family in
            addresses.filter { $0.family == family }.prefix(all ? .max : 1)
        }
    }

    /// The first encrypted transport that it has and this version carries.
    var encryptedServer: (kind: TransportKind, name: String, path: String?)? {
        for kind in transports where kind.isEncrypted && kind.isCarried {
            if let server = encrypted.server(over: kind) { return (kind, server.name, server.path) }
        }
        return nil
    }
}
