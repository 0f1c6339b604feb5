extension ResolverCatalogue {
    /// The resolvers that the notations name, in their order, with no label twice over a transport.
    ///
    /// `families` choose among the addresses of a name, as `-4` and `-6` do; the machine's own
    /// nameservers and addresses given as such stay what they are.
    package func resolvers(
        named notations: [String],
        families: Set<IPAddress.Family> = [],
        system: SystemResolvers
    ) throws(CatalogueError) -> [Resolver] {
        var resolvers: [Resolver] = []
        for notation in notations {
            resolvers += try self.resolvers(notation, families: families, system: system)
        }
        try resolvers.checkLabels()
        return resolvers
    }

    /// Whom a run asks that names no resolver: the first nameserver of this machine, the gateway
    /// where it is another address, and the default entries of the catalogue.
    package func defaultResolvers(
        families: Set<IPAddress.Family> = [],
        system: SystemResolvers
    ) throws(CatalogueError) -> [Resolver] {
        var notations = ["system"]
        if let gateway = system.gateway, gateway != system.nameservers.first?.address {
            notations.append("gateway")
        }
        let names = entries.filter { entry in
            entry.isDefault && entry.isAskable
                && !entry.endpoints(of: families, all: false).isEmpty
        }
        return try resolvers(
            named: notations + names.map(\.name),
            families: families,
            system: system
        )
    }

    private func resolvers(
        _ text: String,
        families: Set<IPAddress.Family>,
        system: SystemResolvers
    ) throws(CatalogueError) -> [Resolver] {
        let notation = try ResolverNotation(parsing: text)
        switch notation.subject {
        case .endpoint(let endpoint):
            var resolver = Resolver(
                label: notation.label ?? endpoint.shortText,
                endpoint: endpoint
            )
            resolver.isWrittenOut = notation.text.contains("://")
            return [resolver]
        case .encrypted(let address):
            let label = notation.label ?? notation.text
            var resolver = try resolver(at: address, families, label: label)
            resolver.certificateHashes = notation.hashes
            resolver.isWrittenOut = true
            return [resolver]
        case .uncarried(let host):
            throw encryptedRefusal(notation.text, host: host)
        case .system(let index):
            return [try system.resolver(index, label: notation.label)]
        case .gateway:
            return [try system.gatewayResolver(label: notation.label)]
        case .name(let name):
            return try resolvers(of: entry(named: name), all: false, families, notation.label)
        case .everyAddress(let name):
            guard ResolverNotation.systemIndex(name) == nil, name != "gateway" else {
                throw CatalogueError(
                    .usage,
                    "\(notation.text.quoted) cannot be resolved;"
                        + " name this machine's nameservers one by one: system, system-2 …"
                )
            }
            return try resolvers(of: entry(named: name), all: true, families, notation.label)
        }
    }

    private func resolvers(
        of entry: CatalogueEntry,
        all: Bool,
        _ families: Set<IPAddress.Family>,
        _ label: String?
    ) throws(CatalogueError) -> [Resolver] {
        try refuseDead(entry)
        guard entry.isAskable else {
            return try encryptedResolvers(of: entry, all: all, families, label: label ?? entry.name)
        }
        let endpoints = entry.endpoints(of: families, all: all)
        guard !endpoints.isEmpty else {
            let (wanted, option) = families == [.v6] ? ("IPv6", "-6") : ("IPv4", "-4")
            throw CatalogueError(
                .usage,
                "'\(entry.name)' has no \(wanted) address in the catalogue;"
                    + " leave out \(option) or the resolver"
            )
        }
        let name = label ?? entry.name
        return endpoints.map { endpoint in
            let label = all || endpoints.count > 1 ? "\(name)@\(endpoint.shortText)" : name
            return Resolver(label: label, endpoint: endpoint, origin: .catalogue(entry))
        }
    }

    private func refuseDead(_ entry: CatalogueEntry) throws(CatalogueError) {
        if case .dead(let obituary) = entry.status {
            let since = obituary.since.map { " since \($0)" } ?? ""
            let instead = obituary.instead.map { "'\($0)'" }.joined(separator: " or ")
            throw CatalogueError(
                .usage,
                "'\(entry.name)' is out of service\(since) (\(obituary.reason));"
                    + " ask \(instead.isEmpty ? "another resolver" : instead) instead"
            )
        }
    }

    private func encryptedRefusal(_ text: String, host: String) -> CatalogueError {
        let advice =
            if let entry = entries.first(where: { $0.isServed(at: host) }) {
                entry.isAskable
                    ? "'\(entry.name)' asks the same resolver over udp"
                    : "'\(entry.name)' does not serve udp, choose another resolver"
            } else if let address = IPAddress(host) {
                "'\(address)' asks the same address over udp"
            } else {
                "give the resolver's address to ask it over udp"
            }
        return CatalogueError(
            .usage,
            "\(text.quoted): this build has no QUIC; \(advice)"
        )
    }
}

extension [Resolver] {
    /// Throws where two have the same label over the same transport: nothing would tell their samples
    /// apart. Over different transports a label says that it is one resolver.
    package func checkLabels() throws(CatalogueError) {
        var seen: [TransportKind: Set<String>] = [:]
        for resolver in self {
            let endpoint = resolver.endpoint
            let isNew = seen[endpoint.transport, default: []].insert(resolver.label).inserted
            guard !isNew else { continue }
            throw CatalogueError(
                .usage,
                "two resolvers have the label \(resolver.label.quoted);"
                    + " give one another label, such as other=\(endpoint.shortText)"
            )
        }
    }
}
