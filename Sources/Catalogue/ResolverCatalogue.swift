/// Who can be asked by name: the bundled public resolvers and those of the user's configuration.
package struct ResolverCatalogue: Hashable, Sendable {
    /// In the order of the file, the configuration's own after them.
    package private(set) var entries: [CatalogueEntry]
    /// Addresses of host names that others were asked for, by name.
    var lookedUp: [String: IPAddress] = [:]

    package init(entries: [CatalogueEntry]) { self.entries = entries }

    /// With the user's entries, which shadow bundled ones of the same name and extend the rest.
    package func adding(_ configured: [CatalogueEntry]) -> ResolverCatalogue {
        var copy = self
        for entry in configured {
            if let index = copy.entries.firstIndex(where: { $0.name == entry.name }) {
                copy.entries[index] = entry
            } else {
                copy.entries.append(entry)
            }
        }
        return copy
    }

    /// The entry of a name, dead services among them; a usage error with the nearest name if none.
    package func entry(named name: String) throws(CatalogueError) -> CatalogueEntry {
        if let entry = entries.first(where: { $0.name == name }) { return entry }
        let known = entries.map(\.name) + ["system", "gateway"]
        if let owner = entries.first(where: { $0.isServed(at: name) }) {
            throw CatalogueError(
                .usage,
                "\(name.quoted) is a host name, and no name is looked up here;"
                    + " the catalogue has that resolver as '\(owner.name)'"
            )
        }
        let hint = NearestName.find(name, among: known).map { "did you mean '\($0)'?" }
        throw CatalogueError(
            .usage,
            "unknown resolver \(name.quoted); "
                + (hint ?? "give an address or a name that 'dnstempo resolvers list' shows")
        )
    }

    /// The entry in service that plain DNS is asked of there, whatever carries the message.
    package func entry(at endpoint: Endpoint) -> CatalogueEntry? {
        entries.first { entry in
            entry.isAskable
                && entry.endpoints.contains {
                    $0.address == endpoint.address && $0.port == endpoint.port
                }
        }
    }

    /// The names of the groups, in alphabetical order.
    package var groups: [String] { Set(entries.flatMap(\.groups)).sorted() }

    /// The members of a group that plain DNS can ask.
    package func members(ofGroup group: String) throws(CatalogueError) -> [CatalogueEntry] {
        guard groups.contains(group) else {
            let hint = NearestName.find(group, among: groups).map { "did you mean '\($0)'?" }
            throw CatalogueError(
                .usage,
                "unknown group \(group.quoted); "
                    + (hint ?? "the groups are \(groups.joined(separator: ", "))")
            )
        }
        return entries.filter { $0.groups.contains(group) && $0.isAskable }
    }
}

extension CatalogueEntry {
    /// Whether plain DNS can be asked.
    package var isAskable: Bool {
        if case .dead = status { return false }
        return !isEncryptedOnly && !endpoints.isEmpty
    }
}
