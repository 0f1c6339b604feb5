import Catalogue
import DNSWire
import Measurement
import Reports
import Samples
import Transports

/// What a measuring command is to do: the command line before the campaign, that before the user's
/// configuration, and that before the defaults. All is checked before anything is sent.
struct Settings {
    /// In the order in which they were named, each over each transport asked for.
    let resolvers: [Resolver]
    /// Who can be asked by name, the user's own among them.
    let catalogue: ResolverCatalogue
    var plan: Plan
    /// By the plan's index of questions.
    let queries: [PlannedQuery]
    /// By the plan's index of targets.
    let targetResolvers: [Resolver]
    /// What was found while all was put together, a sentence each.
    let notes: [String]
    /// Of resolvers that are asked at an address from earlier, since their name could not be looked
    /// up, a sentence each.
    let rememberedNotes: [String]
    let allowed: AllowedNetworks
    /// How queries get to resolvers.
    let carriage: Carriage
    let vantage: String
    let baseline: String?
    /// Whether the baseline is what this machine uses now.
    let isBaselineInUse: Bool
    /// Runs as long as it is held.
    let lab: LabSession?
    /// What command line, campaign and configuration say together.
    let options: RunOptions

    /// A lab that runs already is `kept`: who asks it goes on at its ports. Only with `certainty` may
    /// a run go on until it is certain. Where a resolver's name cannot be looked up, its last address
    /// is taken from the store that `rounds` names.
    init(
        _ flags: MeasuringOptions,
        certainty: CertaintyOptions? = nil,
        keeping kept: LabSession? = nil,
        rounds: (RunOptions) throws -> String? = { _ in nil }
    ) async throws {
        let campaign = try flags.campaign.map(Campaign.init)
        let configuration = try UserConfiguration.current()
        var asked = try certainty?.added(to: RunOptions(flags)) ?? RunOptions(flags)
        if let source = flags.domainsFrom {
            asked.domains = try await VisitedNames(source, isAgreed: flags.yes).read()
        }
        let given = asked.over(campaign?.options ?? RunOptions())
        if let campaign { try campaign.options.check(campaign.fault) }
        try configuration.options.check(configuration.fault)
        var options = given.over(configuration.options)
        if certainty == nil {
            options.untilSure = false
        } else if options.rounds == nil, options.duration == nil {
            options.untilSure = options.untilSure ?? true
        }
        self.options = options
        lab =
            try kept
            ?? flags.lab.map { try LabSession(LabChoice.profile($0), families: flags.families) }
        allowed = try ReachOption.allowed(options)
        let questions = try Self.questions(options)
        let query = try Self.query(options)
        let queries = try questions.map { try Query($0, options: query) }
        let known = try ResolverCatalogue.bundled().adding(configuration.resolvers)
        let bootstrap = try Bootstrap(options.bootstrap, within: allowed)
        let hosts = known.unknownHosts(
            in: flags.resolvers.isEmpty ? campaign?.notations ?? [] : flags.resolvers,
            families: flags.families
        )
        // Whatever else is wrong shows before anything is sent.
        let assumed = try Self.resolvers(flags, campaign, known.assuming(hosts), lab)
        try allowed.check(assumed)
        vantage = options.vantage ?? Environment.hostName
        let found = try await bootstrap.addresses(of: hosts, flags.families) { [vantage] host in
            try rounds(options).flatMap { path in
                RememberedAddresses(store: path, vantage: vantage).address(of: host, in: assumed)
            }
        }
        rememberedNotes = found.notes
        catalogue = known.knowing(found.addresses)
        let chosen = try Self.resolvers(flags, campaign, catalogue, lab)
        let present =
            flags.resolvers.isEmpty
            ? await Self.withoutSilentGateway(chosen, queries, allowed) : chosen
        resolvers = try Self.over(options.transports, present)
        carriage = try Carriage(to: resolvers, options, flags.trust, allowed: allowed)
        if lab != nil, carriage.isEncrypted {
            throw Failure(.usage, "simulated resolvers have no TLS; leave out --lab, tls or both")
        }
        let planned = try await Self.plan(resolvers, questions, options, flags, lab, carriage)
        plan = planned.plan
        notes = planned.notes + [Self.uncarriedNote(options.transports, present)].compactMap(\.self)
        targetResolvers = planned.resolvers
        self.queries = try Self.queries(plan, query)
        let baseline = try Self.baseline(flags, campaign, configuration, lab, of: resolvers)
        self.baseline = baseline
        isBaselineInUse =
            baseline != nil
            && (baseline == lab?.baseline
                || resolvers.contains { $0.label == baseline && $0.isSystem })
    }

    private static func resolvers(
        _ flags: MeasuringOptions,
        _ campaign: Campaign?,
        _ catalogue: ResolverCatalogue,
        _ lab: LabSession?
    ) throws -> [Resolver] {
        let system = SystemResolvers()
        let families = flags.families
        if !flags.resolvers.isEmpty {
            var resolvers: [Resolver] = []
            var others: [String] = []
            for name in flags.resolvers {
                let simulated = lab?.resolvers(named: name) ?? []
                if simulated.isEmpty { others.append(name) } else { resolvers += simulated }
            }
            resolvers += try catalogue.resolvers(named: others, families: families, system: system)
            return resolvers
        }
        if let lab { return lab.resolvers }
        if let campaign, !campaign.resolvers.isEmpty {
            return try catalogue.resolvers(of: campaign, families: families, system: system)
        }
        return try catalogue.defaultResolvers(families: families, system: system)
    }

    /// Nobody chose the gateway: where it does not answer a query within a second, it is left out.
    private static func withoutSilentGateway(
        _ resolvers: [Resolver],
        _ queries: [Query],
        _ allowed: AllowedNetworks
    ) async -> [Resolver] {
        guard let gateway = resolvers.first(where: { $0.origin == .gateway }),
            let query = queries.first
        else { return resolvers }
        let transport = UDPTransport(to: gateway.endpoint, allowed: allowed)
        let exchange = await transport.exchange(query, timeout: .seconds(1))
        if case .response = exchange.result { return resolvers }
        return resolvers.filter { $0 != gateway }
    }

    private static func questions(_ options: RunOptions) throws -> [Question] {
        let names = try DomainName.all(options)
        let types = try (options.types ?? ["A"]).map { try RecordType(asked: $0) }
        guard names.count * types.count <= mostQuestions else {
            throw Failure(
                .usage,
                "\(names.count.counted("name")) in \(types.count.counted("type")) are more than the "
                    + "\(mostQuestions) questions that a round may have: take fewer"
            )
        }
        return names.flatMap { name in types.map { Question(name: name, type: $0) } }.uniqued
    }

    /// At the polite pace a round of so many takes more than half an hour.
    private static let mostQuestions = 10_000

    /// What every query carries.
    private static func query(_ options: RunOptions) throws -> QueryOptions {
        var query = QueryOptions()
        query.dnssecOK = options.dnssec ?? false
        query.nsid = options.nsid ?? false
        query.randomCase = options.mixedCase ?? false
        if let text = options.ecs {
            let network = try Network(parsing: text)
            query.clientSubnet = ClientSubnet(
                address: network.address.octets,
                prefixLength: UInt8(clamping: network.prefixLength)
            )
        }
        return query
    }

    /// What is sent for each question of the plan.
    private static func queries(
        _ plan: Plan,
        _ options: QueryOptions
    ) throws -> [PlannedQuery] {
        try plan.questions.enumerated().map { index, question in
            switch plan.series(ofQuestion: index) {
            case .cached, .first: .fixed(try Query(question, options: options))
            case .uncached:
                .random(
                    try UncachedQuery(
                        under: question.name.parent,
                        type: question.type,
                        options: options
                    )
                )
            }
        }
    }

    /// The one asked for, else the one in use as far as it is asked, else the first.
    private static func baseline(
        _ flags: MeasuringOptions,
        _ campaign: Campaign?,
        _ configuration: UserConfiguration,
        _ lab: LabSession?,
        of resolvers: [Resolver]
    ) throws -> String? {
        let labels = resolvers.map(\.label)
        let choice = "choose one of \(labels.joined(separator: ", "))"
        if let wanted = flags.baseline {
            if labels.contains(wanted) { return wanted }
            let text = "'\(wanted)' is not among the resolvers asked; \(choice)"
            throw Failure(.usage, "--baseline: \(text)")
        }
        if let campaign, let wanted = campaign.options.baseline {
            if labels.contains(wanted) { return wanted }
            let text = "'\(wanted)' is not among the resolvers asked; \(choice)"
            throw campaign.fault("baseline", text)
        }
        // The usual baseline is no concern of a run that asks others.
        if let usual = configuration.options.baseline, labels.contains(usual) { return usual }
        let inUse = resolvers.first { $0.isSystem || $0.label == lab?.baseline }
        return (inUse ?? resolvers.first)?.label
    }
}

extension Settings {
    /// By the plan's index of targets.
    var endpoints: [Endpoint] { targetResolvers.map(\.endpoint) }

    /// What a difference must exceed to be worth it.
    var margin: Duration { options.usedMargin }
}

extension MeasuringOptions {
    /// The address families asked for by -4 and -6; empty for the usual choice.
    var families: Set<IPAddress.Family> {
        Set((v4 ? [.v4] : []) + (v6 ? [.v6] : []))
    }
}

extension UserConfiguration {
    /// The user's own file, where there is one.
    static func current() throws -> UserConfiguration {
        guard let path = path(environment: Environment.variables("XDG_CONFIG_HOME", "HOME")) else {
            return UserConfiguration()
        }
        return try UserConfiguration(path: path)
    }
}

extension Settings {
    /// The plan that the options ask for, at a pace that the resolvers may be asked.
    static func plan(
        _ resolvers: [Resolver],
        _ questions: [Question],
        _ options: RunOptions,
        _ flags: MeasuringOptions,
        _ lab: LabSession?,
        _ carriage: Carriage
    ) async throws -> PlannedRun {
        let draft = PlanDraft(
            resolvers: resolvers,
            groups: groups(of: resolvers),
            questions: questions,
            options: options,
            pace: try pace(for: resolvers, options, flags, lab),
            isLab: lab != nil,
            isUntilSure: options.isUntilSure
        )
        return try await draft.plan(over: carriage)
    }

    /// Resolvers at one address share its rate; on loopback each port is a resolver of its own.
    private static func groups(of resolvers: [Resolver]) -> [Endpoint: Int] {
        var numbers: [Endpoint: Int] = [:]
        return resolvers.reduce(into: [:]) { groups, resolver in
            var place = resolver.endpoint
            place.transport = .udp
            if !place.address.isLoopback { place.port = 0 }
            let number = numbers[place] ?? numbers.count
            numbers[place] = number
            groups[resolver.endpoint] = number
        }
    }

    private static func pace(
        for resolvers: [Resolver],
        _ options: RunOptions,
        _ flags: MeasuringOptions,
        _ lab: LabSession?
    ) throws -> Pace {
        var pace = lab == nil ? Pace.polite : .lab(resolvers: resolvers.count)
        if let rate = options.rate {
            pace.rate = rate
            // Who asks one resolver faster means to ask faster in all.
            pace.totalRate = max(pace.totalRate, rate)
        }
        pace.totalRate = options.totalRate ?? pace.totalRate
        for resolver in resolvers {
            try pace.checked(
                for: resolver.endpoint,
                isLab: lab?.resolvers.contains(resolver) ?? false,
                runsResolvers: flags.iRunTheseResolvers
            )
        }
        return pace
    }
}

extension DomainName {
    /// The names to ask for: those given, those of a file, or the first of the bundled list.
    static func all(_ options: RunOptions) throws -> [DomainName] {
        if let names = options.domains { return try names.map { try DomainName($0) } }
        guard let path = options.domainsFile else {
            return try NameList.bundled().entries.prefix(10).map { try DomainName($0.name) }
        }
        let list = try NameList(file: path)
        return try list.entries.map { entry in
            do throws(NameError) {
                return try DomainName(entry.name)
            } catch {
                throw Failure(.badData, "\(list.file):\(entry.line): \(error)")
            }
        }
    }
}
