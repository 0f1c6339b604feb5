import Catalogue
import Samples
import Store

/// Where a store's last rounds asked resolvers whose addresses are looked up: they are measured, or
/// found silent, while the look-up fails.
struct RememberedAddresses {
    /// Asked lately, the latest first.
    private let targets: [Recording.Target]

    /// Those that were asked from a place; none where there is no store yet.
    init(store path: String, vantage: String) {
        let rounds = try? Store(path: path, access: .readOnly)
            .latestResponses(from: vantage, count: 1)
        targets = (rounds ?? []).reversed().flatMap { $0.resolvers.map(\.target) }
    }

    /// The last address of the resolvers that are to be asked under the name `host`.
    func address(of host: String, in resolvers: [Resolver]) -> IPAddress? {
        let labels = resolvers.filter { $0.isLookedUp && $0.serverName == host }.map(\.label)
        return targets.first { labels.contains($0.label) }
            .flatMap { IPAddress(endpoint: $0.endpoint) }
    }
}
