package import Catalogue
import Failures

/// The resolvers of a measuring command and their baseline, from its options, the lab, the campaign
/// and this machine.
struct ResolverChoice {
    private let request: RunRequest
    private let given: GivenOptions
    let lab: LabSession?
    let system = SystemResolvers()

    /// Starts the requested lab. `kept` is a lab that is already running.
    init(
        _ request: RunRequest,
        _ given: GivenOptions,
        keeping kept: LabSession? = nil
    ) throws {
        (self.request, self.given) = (request, given)
        lab =
            try kept
            ?? request.lab.map { try LabSession(LabProfile($0), families: request.families) }
    }

    /// The resolvers as written, by name or address; empty if the user did not choose resolvers.
    var notations: [String] {
        request.resolvers.isEmpty ? given.campaign?.notations ?? [] : request.resolvers
    }

    /// The host names in `notations` that must be looked up.
    func unknownHosts(to catalogue: ResolverCatalogue) -> [String] {
        catalogue.unknownHosts(in: notations, families: request.families)
    }

    func resolvers(in catalogue: ResolverCatalogue) throws -> [Resolver] {
        let families = request.families
        if !request.resolvers.isEmpty {
            return try catalogue.resolvers(
                named: request.resolvers,
                lab,
                families: families,
                system: system
            )
        }
        if let lab { return lab.resolvers }
        if let campaign = given.campaign, !campaign.resolvers.isEmpty {
            return try catalogue.resolvers(of: campaign, families: families, system: system)
        }
        return try catalogue.defaultResolvers(
            families: families,
            system: system,
            all: request.usesCatalogue
        )
    }

    /// The requested baseline, otherwise the resolver in use if it is queried, otherwise the first
    /// resolver.
    func baseline(of resolvers: [Resolver]) throws -> String? {
        let labels = resolvers.map(\.label)
        func label(_ wanted: String) -> String? {
            [wanted, ResolverNotation.usualLabel(of: wanted)].first(where: labels.contains)
        }
        func chosen(_ wanted: String?, _ fault: (String) -> any Error) throws -> String? {
            guard let wanted else { return nil }
            if let label = label(wanted) { return label }
            let choice = "choose one of \(labels.joined(separator: ", "))"
            throw fault("'\(wanted)' is not among the resolvers asked; \(choice)")
        }
        let ofCommand = try chosen(request.options[.baseline]) {
            Failure.usage("--baseline: \($0)")
        }
        if let ofCommand { return ofCommand }
        if let campaign = given.campaign {
            let its = try chosen(campaign.options[.baseline]) { campaign.fault("baseline", $0) }
            if let its { return its }
        }
        // The default baseline is ignored if the run does not query it.
        if let usual = given.configuration.options[.baseline].flatMap(label) { return usual }
        return usualBaseline(of: resolvers)
    }

    func usualBaseline(of resolvers: [Resolver]) -> String? {
        (resolvers.first { $0.isInUse(beside: lab) } ?? resolvers.first)?.label
    }
}

extension Resolver {
    /// Whether it is the resolver that this machine uses now, or represents it in a lab.
    func isInUse(beside lab: LabSession?) -> Bool { isSystem || bareLabel == lab?.baseline }
}

extension ResolverCatalogue {
    /// The resolvers with these names: resolvers of the lab, if there is one, and any others.
    package func resolvers(
        named names: [String],
        _ lab: LabSession?,
        families: Set<IPAddress.Family>,
        system: SystemResolvers
    ) throws -> [Resolver] {
        let simulated = names.flatMap { lab?.resolvers(named: $0) ?? [] }
        let others = names.filter { lab?.resolvers(named: $0).isEmpty ?? true }
        var catalogue = self
        if let lab {
            catalogue.otherNames = lab.resolvers.map(\.bareLabel) + LabProfile.bundledNames
        }
        let all =
            try simulated
            + catalogue.resolvers(named: others, families: families, system: system)
        try all.checkLabels()
        return all
    }
}
