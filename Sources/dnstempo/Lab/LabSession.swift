import Catalogue
import Lab

/// Which simulated resolvers `--lab` means.
enum LabChoice {
    static let standard = "default"

    /// Whether a word after `--lab` is a profile and not a resolver.
    static func isProfile(_ word: String) -> Bool {
        LabProfile.bundledNames.contains(word) || word.hasSuffix(".toml")
    }

    static func profile(_ nameOrPath: String) throws -> LabProfile { try LabProfile(nameOrPath) }
}

/// Simulated resolvers that answer as long as this is held, and how to ask them.
struct LabSession {
    /// In the profile's order; where both families are wanted, one after the other.
    let resolvers: [Resolver]
    /// What the profile says that one uses now.
    let baseline: String?
    private let laboratory: Laboratory

    init(
        _ profile: LabProfile,
        families: Set<IPAddress.Family> = [],
        seed: UInt64? = nil,
        basePort: UInt16? = nil
    ) throws {
        laboratory = Laboratory(
            profile.resolvers.map(Behaviour.init),
            seed: seed ?? profile.seed ?? 0,
            families: families == [.v6] ? [.v6] : families.count == 2 ? [.v4, .v6] : [.v4],
            basePort: basePort
        )
        let places = try laboratory.start()
        resolvers = places.compactMap { place in
            IPAddress(octets: place.octets).map { address in
                Resolver(
                    label: families.count == 2 ? "\(place.name)@\(address)" : place.name,
                    endpoint: Endpoint(transport: .udp, address: address, port: place.port)
                )
            }
        }
        baseline = profile.baseline
    }

    /// Those of a name, over whichever family.
    func resolvers(named name: String) -> [Resolver] {
        resolvers.filter { $0.label == name || $0.label.hasPrefix("\(name)@") }
    }

    /// Stops answering.
    func stop() { laboratory.stop() }
}

extension Behaviour {
    /// What a profile says of one resolver, in the lab's own terms.
    init(_ resolver: LabProfile.Resolver) {
        self.init(name: resolver.name, baseDelay: resolver.base)
        jitter = resolver.jitter
        sigma = resolver.sigma
        missProbability = resolver.miss
        missDelayLow = resolver.missDelay.low
        missDelayHigh = resolver.missDelay.high
        recursionLow = resolver.recursion.low
        recursionHigh = resolver.recursion.high
        coldCache = resolver.coldCache
        lossProbability = resolver.loss
        lateProbability = resolver.late
        lateDelay = resolver.lateDelay
        duplicateProbability = resolver.duplicate
        wrongIDProbability = resolver.wrongID
        truncateProbability = resolver.truncate
        servfailProbability = resolver.servfail
        refuse = resolver.refuse
        nxdomainRewrite = resolver.nxdomainRewrite
        silent = resolver.silent
        ttl = resolver.ttl
        answers = resolver.answers
        strata = resolver.strata
    }
}
