extension ResolverCatalogue {
    /// A copy with the addresses of host names that were looked up, by name.
    package func knowing(_ addresses: [String: IPAddress]) -> ResolverCatalogue {
        var copy = self
        copy.lookedUp.merge(addresses) { _, new in new }
        return copy
    }

    /// A copy whose entries prefer the address family with a route, if only one of the two has a
    /// route.
    package func preferringFamilies(
        withRoute route: (IPAddress) -> Bool?
    ) -> ResolverCatalogue {
        var copy = self
        for index in copy.entries.indices { copy.entries[index].preferFamily(withRoute: route) }
        return copy
    }

    /// A copy in which each host has an address. All other errors then show before a name is looked
    /// up.
    package func assuming(_ hosts: [String]) -> ResolverCatalogue {
        guard let nowhere = IPAddress(bytes: [0, 0, 0, 0]) else { return self }
        return knowing(Dictionary(hosts.map { ($0, nowhere) }) { first, _ in first })
    }

    /// The host names in `notations` without a known address here, without repetitions.
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
        case .host(let place): return lookedUp[place.host] == nil ? place.host : nil
        case .encrypted(let address):
            guard case .host(let host, _) = address.place, lookedUp[host] == nil,
                entry(serving: host, over: address.transport, families) == nil
            else { return nil }
            return host
        case .name(let name, _):
            guard let entry = entries.first(where: { $0.name == name }), !entry.isAskable,
                entry.encryptedAddresses(of: families).isEmpty
            else { return nil }
            return entry.encryptedServer?.name
        case .system, .gateway, .endpoint, .uncarried:
            return nil
        }
    }

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

    /// The resolver at `place`, whose host name must have been looked up before.
    func resolver(at place: PlainHost, label: String) throws(CatalogueError) -> Resolver {
        guard let address = lookedUp[place.host] else {
            throw .usage(
                "\(place.host.quoted) is a host name, and no name is looked up here;"
                    + " write its address"
            )
        }
        let endpoint = Endpoint(transport: place.transport, address: address, port: place.port)
        var resolver = Resolver(label: label, endpoint: endpoint)
        resolver.lookedUpHost = place.host
        return resolver
    }

    /// The resolver at `address`. Its host name must be in the catalogue or looked up before.
    func resolver(
        at address: EncryptedAddress,
        _ families: Set<IPAddress.Family>,
        label: String
    ) throws(CatalogueError) -> Resolver {
        switch address.place {
        case .endpoint(let endpoint):
            return Resolver(
                label: label,
                endpoint: endpoint.withNamedZone,
                serverName: address.name,
                path: address.path
            )
        case .host(let host, let port):
            let known = entry(serving: host, over: address.transport, families)
            guard let place = known?.address ?? lookedUp[host] else {
                throw .usage(
                    "\(host.quoted) is a host name, and no name is looked up here;"
                        + " write \(address.transport.rawValue)://ADDRESS#\(host)"
                )
            }
            var resolver = Resolver(
                label: label,
                endpoint: Endpoint(transport: address.transport, address: place, port: port),
                origin: known.map { .catalogue($0.entry) } ?? .address,
                serverName: address.name ?? host,
                path: address.path
            )
            resolver.lookedUpHost = known == nil ? host : nil
            return resolver
        }
    }

    /// The resolvers of an entry without plain DNS, over its first encrypted transport.
    func encryptedResolvers(
        of entry: CatalogueEntry,
        all: Bool,
        _ families: Set<IPAddress.Family>,
        label: String
    ) throws(CatalogueError) -> [Resolver] {
        guard let (kind, host, path) = entry.encryptedServer else {
            throw .usage(
                "'\(entry.name)' serves no transport that is in this version;"
                    + " choose another resolver"
            )
        }
        let known = entry.encryptedAddresses(of: families, all: all)
        let addresses = known.isEmpty ? [lookedUp[host]].compactMap(\.self) : known
        guard !addresses.isEmpty else {
            throw .usage(
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
            resolver.lookedUpHost = known.isEmpty ? host : nil
            return resolver
        }
    }
}
