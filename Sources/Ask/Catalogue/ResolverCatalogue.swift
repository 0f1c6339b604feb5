import CData

/// The resolvers of the bundled list and of the user's configuration, by name.
package struct ResolverCatalogue: Hashable, Sendable {
    /// The entries in the order of the file, followed by the entries of the configuration.
    package internal(set) var entries: [CatalogueEntry]
    /// The day on which the bundled list was last compared with its sources.
    package private(set) var date: CalendarDay?
    /// Addresses of host names from look-ups at other resolvers, by name.
    var lookedUp: [String: IPAddress] = [:]
    /// Other names that a misspelt name may mean, such as the names of a lab.
    package var otherNames: [String] = []

    package init(entries: [CatalogueEntry]) { self.entries = entries }

    package static func bundled() throws(CatalogueError) -> ResolverCatalogue {
        try ResolverCatalogue(
            parsing: NamedText(name: "resolvers.toml", bundled: cdata_resolvers)
        )
    }

    /// The bundled catalogue; empty if `notations` is not empty and names nothing in the catalogue.
    /// Reading it takes longer than sending a round.
    package static func bundled(
        for notations: [String]
    ) throws(CatalogueError) -> ResolverCatalogue {
        let isNeeded = notations.contains { text in
            switch (try? ResolverNotation(parsing: text))?.subject {
            case .endpoint, .host, .system, .gateway: false
            case .name, .encrypted, .uncarried, nil: true
            }
        }
        return isNeeded || notations.isEmpty ? try bundled() : ResolverCatalogue(entries: [])
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        try top.check(keys: ["date", "resolver"])
        self.init(entries: try top.resolvers(CatalogueEntry.init(bundled:)))
        date = try top.requiredValue("date")
    }

    /// A copy with the user's entries. They shadow bundled entries with the same name, and extend
    /// the others.
    package func adding(_ configured: [CatalogueEntry]) -> ResolverCatalogue {
        var copy = self
        var places = Dictionary(zip(entries.map(\.name), entries.indices)) { first, _ in first }
        for entry in configured {
            if let place = places[entry.name] {
                copy.entries[place] = entry
            } else {
                places[entry.name] = copy.entries.count
                copy.entries.append(entry)
            }
        }
        return copy
    }

    /// The entry with that name, also of a dead service.
    ///
    /// - Throws: a usage error with the nearest name if there is no such entry.
    package func entry(named name: String) throws(CatalogueError) -> CatalogueEntry {
        if let entry = entries.first(where: { $0.name == name }) { return entry }
        let known = entries.map(\.name) + ["system", "gateway"] + otherNames
        if let owner = entries.first(where: { $0.isServed(at: name) }) {
            throw .usage(
                "\(name.quoted) is a host name, which is looked up as udp://\(name);"
                    + " the catalogue has that resolver as '\(owner.name)'"
            )
        }
        let host = PlainHost.isHost(name[...]) ? ", or udp://\(name) for a host" : ""
        let advice =
            NearestName.advice(for: name, among: known)
            ?? "give an address or a name that 'dnstempo resolvers list' shows\(host)"
        throw .usage("unknown resolver \(name.quoted); \(advice)")
    }

    /// The entry in service that serves plain DNS at that address and port, over any transport.
    package func entry(at endpoint: Endpoint) -> CatalogueEntry? {
        entries.first { entry in
            entry.isAskable
                && entry.endpoints.contains {
                    $0.address == endpoint.address && $0.port == endpoint.port
                }
        }
    }

    package var groups: [String] { Set(entries.flatMap(\.groups)).sorted() }

    /// The members of a group that answer plain DNS queries.
    package func members(ofGroup group: String) throws(CatalogueError) -> [CatalogueEntry] {
        guard groups.contains(group) else {
            let advice = NearestName.advice(for: group, among: groups)
            throw .usage(
                "unknown group \(group.quoted); "
                    + (advice ?? "the groups are \(groups.joined(separator: ", "))")
            )
        }
        return entries.filter { $0.groups.contains(group) && $0.isAskable }
    }

    /// The resolvers that the notations name, in their order. A label occurs once per transport.
    ///
    /// `families` select among the addresses of a name, as `-4` and `-6` do. The machine's own
    /// nameservers and written addresses are unchanged.
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

    /// The resolvers of a run without named resolvers. They are the first nameserver of this
    /// machine, the gateway if it has another address, and the default entries of the catalogue.
    /// With `all`, they include every entry for plain DNS.
    package func defaultResolvers(
        families: Set<IPAddress.Family> = [],
        system: SystemResolvers,
        all: Bool = false
    ) throws(CatalogueError) -> [Resolver] {
        var notations = system.nameservers.isEmpty ? [] : ["system"]
        if let gateway = system.gateway, gateway != system.nameservers.first?.address {
            notations.append("gateway")
        }
        let names = entries.filter { entry in
            (all || entry.isDefault) && entry.isAskable
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
        case .endpoint(let written):
            let endpoint = written.withNamedZone
            var resolver = Resolver(label: notation.label ?? endpoint.shortText, endpoint: endpoint)
            resolver.isWrittenOut = notation.text.contains("://")
            return [resolver]
        case .host(let place):
            var resolver = try resolver(at: place, label: notation.label ?? place.label)
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
        case .name(let name, let all):
            if all, ResolverNotation.isOfMachine(name) {
                throw .usage(
                    "\(notation.text.quoted) cannot be resolved;"
                        + " name this machine's nameservers one by one: system, system-2 …"
                )
            }
            return try resolvers(of: entry(named: name), all: all, families, notation.label)
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
        let endpoints = entry.endpoints(of: families, all: all).map(\.withNamedZone)
        guard !endpoints.isEmpty else {
            let (wanted, option) = families == [.v6] ? ("IPv6", "-6") : ("IPv4", "-4")
            throw .usage(
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
        if case .dead(let retirement) = entry.status {
            let since = retirement.since.map { " since \($0)" } ?? ""
            let instead = retirement.instead.map { "'\($0)'" }.joined(separator: " or ")
            throw .usage(
                "'\(entry.name)' is out of service\(since) (\(retirement.reason));"
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
        return .usage("\(text.quoted): this build has no QUIC; \(advice)")
    }
}

extension [Resolver] {
    /// Throws if two resolvers have the same label over the same transport, because their samples
    /// could not be distinguished. Over different transports, an equal label means one resolver.
    /// Also throws if a name is longer than files and stores allow.
    package func checkLabels() throws(CatalogueError) {
        var seen: [TransportKind: Set<String>] = [:]
        for resolver in self {
            let endpoint = resolver.endpoint
            for name in [resolver.label, resolver.identity]
            where name.utf8.count > Resolver.longestName {
                throw .usage(
                    "\(name.quoted) has \(name.utf8.count) bytes: shorten its path or name"
                        + " to \(Resolver.longestName) in all"
                )
            }
            let isNew = seen[endpoint.transport, default: []].insert(resolver.label).inserted
            guard !isNew else { continue }
            let advice =
                resolver.origin == .lab
                ? "name each simulated resolver once"
                : "give one another label, such as other=\(endpoint.shortText)"
            throw .usage("two resolvers have the label \(resolver.label.quoted); \(advice)")
        }
    }
}
