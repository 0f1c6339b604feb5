/// Where queries may go: the networks of `--allow-net`, or everywhere where there is none.
public struct AllowedNetworks: Hashable, Sendable, CustomStringConvertible {
    /// `nil` where every address is allowed.
    private let networks: [Network]?

    /// No restriction.
    public static let everywhere = AllowedNetworks(networks: nil)

    private init(networks: [Network]?) { self.networks = networks }

    /// Reads networks separated by commas; an empty list is refused rather than guessed at.
    public init(parsing text: String) throws(CatalogueError) {
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
        self.init(networks: networks)
    }

    /// Whether a query may be sent to `address`.
    public func allows(_ address: IPAddress) -> Bool {
        networks?.contains { $0.contains(address) } ?? true
    }

    /// Throws a usage error that names the first resolver outside the allowed networks.
    public func check(_ resolvers: [Resolver]) throws(CatalogueError) {
        for resolver in resolvers where !allows(resolver.endpoint.address) {
            throw CatalogueError(
                .usage,
                "resolver \(resolver.label.quoted) at \(resolver.endpoint.address) is outside"
                    + " the allowed networks (\(self)); leave it out or allow its network"
            )
        }
    }

    public var description: String {
        networks?.map(\.description).joined(separator: ",") ?? "everywhere"
    }
}
