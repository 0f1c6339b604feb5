/// Where queries may go: the networks of `--allow-net`, or everywhere where there is none.
package struct AllowedNetworks: Hashable, Sendable, CustomStringConvertible {
    /// An address has to be in each of these lists; with none, every address is allowed.
    private let lists: [[Network]]

    /// No restriction.
    package static let everywhere = AllowedNetworks(lists: [])

    private init(lists: [[Network]]) { self.lists = lists }

    /// Reads networks separated by commas; an empty list is refused rather than guessed at.
    package init(parsing text: String) throws(CatalogueError) {
        var networks: [Network] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let network = part.trimmingSpaces
            guard !network.isEmpty else {
                throw CatalogueError(
                    .usage,
                    "the list of allowed networks \(text.quoted) has an empty entry;"
                        + " write networks such as 127.0.0.0/8,::1/128"
                )
            }
            networks.append(try Network(parsing: String(network)))
        }
        self.init(lists: [networks])
    }

    /// Whether a query may be sent to `address`.
    package func allows(_ address: IPAddress) -> Bool {
        lists.allSatisfy { list in list.contains { $0.contains(address) } }
    }

    /// What both allow.
    package func narrowed(to other: AllowedNetworks) -> AllowedNetworks {
        AllowedNetworks(lists: lists + other.lists.filter { !lists.contains($0) })
    }

    /// The networks that every list allows, as one list that can be read again; `nil` where there is
    /// none.
    package var common: String? {
        guard var common = lists.first else { return nil }
        for list in lists.dropFirst() {
            common = common.flatMap { outer in list.compactMap(outer.intersection) }
        }
        return common.isEmpty ? nil : common.map(\.description).joined(separator: ",")
    }

    /// Throws a usage error that names the first resolver outside the allowed networks. An address
    /// that was looked up is nobody's to leave out: its queries are blocked.
    package func check(_ resolvers: [Resolver]) throws(CatalogueError) {
        for resolver in resolvers
        where !resolver.isLookedUp && !allows(resolver.endpoint.address) {
            throw CatalogueError(
                .usage,
                "resolver \(resolver.label.quoted) at \(resolver.endpoint.address) is outside"
                    + " the allowed networks (\(self)); leave it out or allow its network"
            )
        }
    }

    /// Whether some addresses are not allowed.
    package var isRestricted: Bool { !lists.isEmpty }

    package var description: String {
        guard !lists.isEmpty else { return "everywhere" }
        return lists.map { $0.map(\.description).joined(separator: ",") }
            .joined(separator: " and ")
    }
}
