package import Catalogue
import Lab

/// Simulated resolvers that answer while this object exists, and their addresses.
package struct LabSession: Sendable {
    /// The resolvers in the profile's order. With both families, the addresses of a resolver follow
    /// each other.
    package let resolvers: [Resolver]
    package let baseline: String?
    private let laboratory: Laboratory

    package init(
        _ profile: LabProfile,
        families: Set<IPAddress.Family> = [],
        seed: UInt64? = nil,
        basePort: UInt16? = nil
    ) throws {
        laboratory = Laboratory(
            profile.resolvers,
            seed: seed ?? profile.seed ?? 0,
            families: families == [.v6] ? [.v6] : families.count == 2 ? [.v4, .v6] : [.v4],
            basePort: basePort
        )
        let places = try laboratory.start()
        resolvers = places.compactMap { place in
            IPAddress(bytes: place.bytes).map { address in
                Resolver(
                    label: families.count == 2 ? "\(place.name)@\(address)" : place.name,
                    endpoint: Endpoint(transport: .udp, address: address, port: place.port),
                    origin: .lab
                )
            }
        }
        baseline = profile.baseline
    }

    package func resolvers(named name: String) -> [Resolver] {
        resolvers.filter { $0.label == name || $0.label.hasPrefix("\(name)@") }
    }

    package func stop() { laboratory.stop() }
}
