/// The source of queries: one of this machine's addresses or interfaces.
package enum QuerySource: TextValue, Hashable, Sendable, Codable, CustomStringConvertible {
    case address(IPAddress)
    case interface(String)

    /// The maximum length of an interface name on Linux (IFNAMSIZ).
    private static let longestName = 15

    /// Reads an address, otherwise the name of an interface. Does not check that this machine has
    /// it.
    package init(parsing text: String) throws(CatalogueError) {
        if let address = IPAddress(text)?.unmapped.withNamedZone {
            self = .address(address)
            return
        }
        let isName =
            (1...Self.longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || "._-@".utf8.contains($0) }
        guard isName else {
            throw .usage(
                "\(text.quoted) is neither an address nor the name of an interface; write one that "
                    + "'ip address' shows"
            )
        }
        self = .interface(text)
    }

    package var description: String {
        switch self {
        case .address(let address): address.description
        case .interface(let name): name
        }
    }

    /// Whether queries from this source can reach `address`.
    package func reaches(_ address: IPAddress) -> Bool {
        switch self {
        case .address(let own): own.family == address.family
        case .interface: true
        }
    }
}

extension Resolver {
    /// The same resolver queried from `source`, which is added to its label.
    private func from(_ source: QuerySource) -> Resolver {
        var resolver = self
        resolver.endpoint.source = source
        resolver.label += "@\(source)"
        return resolver
    }

    /// The label without the source and the mark of the queries.
    package var bareLabel: String {
        let label = unmarkedLabel
        guard let source = endpoint.source, label.hasSuffix("@\(source)") else { return label }
        return String(label.dropLast(source.description.count + 1))
    }

    /// The same resolver, once for each of the `sources` that can reach its address.
    package func from(_ sources: [QuerySource]) throws(CatalogueError) -> [Resolver] {
        let own = sources.filter { $0.reaches(endpoint.address) }
        guard let first = sources.first, own.isEmpty else { return own.map(from) }
        let family = endpoint.address.family == .v4 ? "IPv4" : "IPv6"
        throw .usage(
            "--source \(first): \(label.quoted) is at \(endpoint.address): add an \(family) address or "
                + "an interface, or leave out the resolver"
        )
    }
}
