import Catalogue
import DNSWire
import Failures
import Integrity
import Measurement
import Reports
import Samples
import Store
import Transports

/// Finds all that a run needs to know before it begins: who is asked at which addresses, and which
/// zones can be used. All is checked before anything is sent.
struct Preparation {
    private let flags: MeasuringOptions
    private let given: GivenOptions
    private let choice: ResolverChoice
    private let allowed: AllowedNetworks
    /// A schedule goes on asking whoever is not trusted, as it does the silent: it may end.
    private let leavesOutDistrusted: Bool
    private let wantsCertainty: Bool
    /// Whether the rounds are of later, when nobody looks on.
    private let isForLater: Bool

    /// A lab that runs already is `kept`: whoever asks it goes on at its ports. Of rounds for later no
    /// browser's history is read.
    init(
        _ flags: MeasuringOptions,
        certainty: CertaintyOptions? = nil,
        usesCatalogue: Bool = false,
        isForLater: Bool = false,
        keeping kept: LabSession? = nil
    ) async throws {
        var given = try GivenOptions(flags, certainty: certainty)
        let hasOthers =
            !flags.choice.resolvers.isEmpty || given.campaign?.resolvers.isEmpty == false
        try Failure.refuse([
            "--catalogue is every resolver of the catalogue: leave out those that are named":
                usesCatalogue && hasOthers,
            "--catalogue and --lab cannot be combined; give one":
                usesCatalogue && flags.choice.lab != nil,
            "--strategies rests on names that are sent to all at one moment: leave out --sampling poisson":
                certainty?.strategies.isWanted == true && given.merged[.sampling] == .poisson,
        ])
        let isAsFound = given.merged.asksAsFound
        try flags.checkAsFound(given.merged, certainty)
        try flags.checkBrowser(given.merged, isComparison: certainty != nil)
        if isAsFound {
            // Which names are asked follows from it too.
            given.merged[.seed] = given.merged[.seed] ?? UInt64.random(in: 0...UInt64(UInt32.max))
        }
        if let source = flags.names.domainsFrom {
            let choice: VisitedNames.Choice =
                isAsFound
                ? .drawn(FoundNamesChoice.count(given.merged), seed: given.merged[.seed] ?? 0)
                : .most
            if isForLater, !flags.names.yes {
                throw Failure.usage(
                    "--domains-from asks before it reads a history, which a schedule cannot: add --yes"
                )
            }
            let visited = try VisitedNames(source, choice, isAgreed: flags.names.yes)
            if !isForLater { given.merged[.domains] = .names(try await visited.read()) }
        }
        self.flags = flags
        self.isForLater = isForLater
        self.given = given
        leavesOutDistrusted = certainty != nil
        wantsCertainty = certainty?.untilSure == true || certainty?.maxRounds != nil
        choice = try ResolverChoice(
            flags.choice,
            given,
            usesCatalogue: usesCatalogue,
            keeping: kept
        )
        allowed = try ReachOption.allowed(given.merged)
    }

    var options: RunOptions { given.merged }

    /// The files that it reads.
    var files: [String] {
        let names: String? = if case .file(let path) = options[.domains] { path } else { nil }
        let authority = flags.trust.authority.file
        return [flags.place.campaign, names, flags.choice.lab, authority].compactMap(\.self)
    }

    private var lab: LabSession? { choice.lab }

    /// Whether the resolvers are those that the orders name. Otherwise they are this machine's, which may
    /// be others later.
    private var areNamed: Bool { lab != nil || !choice.notations.isEmpty }

    /// Parts of the settings that are known before anything is sent.
    private struct Checked {
        var questions: [Question]
        var notes: [String]
        /// By question.
        var expected: [Question: AnswerExpectation]
        var queryOptions: QueryOptions
        var queries: [Query]
        var known: ResolverCatalogue
        var bootstrap: Bootstrap
        /// The names of resolvers that are to be looked up.
        var hosts: [String]
        /// The resolvers, those of `hosts` at any address.
        var assumed: [Resolver]
        var vantage: String
    }

    /// Finds whatever is wrong and can be found before anything is sent.
    private func checked(_ asked: (RunOptions) throws -> String?) throws -> Checked {
        let (questions, notes) = try questions(asked)
        let expected = try Expectations(
            flags.names.expectations,
            given.campaign,
            among: questions
        ).byQuestion
        // Which site answered tells later why a resolver became slower.
        let queryOptions = try options.queryOptions(asksSite: !leavesOutDistrusted)
        let queries = try questions.map { try Query($0, options: queryOptions) }
        // A comparison tells of addresses, too, whose they are.
        let known = try ResolverCatalogue.bundled(for: leavesOutDistrusted ? [] : choice.notations)
            .adding(given.configuration.resolvers)
            .preferringRoutes(flags.choice.family.families, within: allowed)
        let bootstrap = try Bootstrap(
            options[.bootstrap],
            within: allowed,
            plainHosts: ResolverNotation.plainHosts(in: choice.notations)
        )
        let hosts = choice.unknownHosts(to: known)
        let assumed = try choice.resolvers(in: known.assuming(hosts))
        if !isForLater || areNamed { try allowed.check(assumed) }
        // A schedule goes on with the others when an interface is unplugged.
        if leavesOutDistrusted || isForLater
            || assumed.allSatisfy({ $0.endpoint.address.zoneFault != nil })
        {
            try assumed.checkZones()
        }
        try options.checkSources()
        _ = try options.fromSources(assumed)
        return Checked(
            questions: questions,
            notes: notes,
            expected: expected,
            queryOptions: queryOptions,
            queries: queries,
            known: known,
            bootstrap: bootstrap,
            hosts: hosts,
            assumed: assumed,
            vantage: try options.vantagePoint()
        )
    }

    /// Finds what each round would fail at, and sends nothing: not even which zones can be used is
    /// looked up.
    func check() async throws {
        let order = try checked { _ in nil }
        try order.bootstrap.check(order.hosts)
        let asked = try options.fromSources(options.overTransports(order.assumed))
        let namesBaseline = flags.choice.baseline.map { !ResolverNotation.isOfMachine($0) } ?? false
        if areNamed || namesBaseline { _ = try choice.baseline(of: asked) }
        _ = try TransportFactory(to: asked, options, flags.trust, allowed: allowed)
        try flags.checkUse(by: asked, hosts: order.hosts)
        _ = try await builder(asked, order.questions).plan { choice, _ in (choice.zones, []) }
    }

    private func builder(_ resolvers: [Resolver], _ questions: [Question]) throws -> PlanBuilder {
        PlanBuilder(
            resolvers: resolvers,
            questions: questions,
            options: options,
            pace: try flags.pacing.pace.pace(options, for: resolvers, simulated: lab?.resolvers),
            isLab: lab != nil
        )
    }

    /// Names that cannot be looked up have the address of the last round in the store of `rounds`;
    /// those that the store of `asked` tells of are in caches by that, and are not asked as found.
    func settings(
        remembering rounds: (RunOptions) throws -> String? = { _ in nil },
        leavingOutNamesIn asked: (RunOptions) throws -> String? = { _ in nil }
    ) async throws -> Settings {
        let order = try checked(asked)
        var queryOptions = order.queryOptions
        let (catalogue, present, remembered) = try await present(order, remembering: rounds)
        let asked = try options.fromSources(options.overTransports(present))
        let factory = try TransportFactory(to: asked, options, flags.trust, allowed: allowed)
        try flags.checkUse(by: asked, hosts: order.hosts)
        if wantsCertainty, asked.count == 1 {
            throw Failure.usage(
                "--until-sure and --max-rounds need resolvers to compare: name another, or give "
                    + "--rounds"
            )
        }
        var (plan, targetResolvers, notes) =
            try await builder(asked, order.questions).plan(over: factory)
        var baseline = try choice.baseline(of: asked)
        let distrusted =
            leavesOutDistrusted
            ? await CertificateCheck(factory: factory, plan: plan).distrusted(of: asked) : []
        let resolvers = asked.filter { !distrusted.map(\.resolver).contains($0) }
        let unmeasured = distrusted.unmeasured(among: asked)
        unmeasured.map(\.sentence).forEach(Terminal.mention)
        if !distrusted.isEmpty {
            guard !resolvers.isEmpty else { throw Failure(.unavailable, "") }
            (plan, targetResolvers, notes) =
                try await builder(resolvers, order.questions).plan(over: factory)
            if !resolvers.contains(where: { $0.label == baseline }) {
                baseline = choice.usualBaseline(of: resolvers)
            }
        }
        let isRegistered = plan.isRegistered(with: queryOptions) && options[.cookie] != true
        if isRegistered { queryOptions = .withoutEDNS }
        let inUse = resolvers.filter { $0.isInUse(beside: lab) }.map(\.label)
        let isInUse = baseline.map(inUse.contains) ?? false
        return Settings(
            resolvers: resolvers,
            unmeasured: unmeasured,
            catalogue: catalogue,
            plan: plan,
            isRegistered: isRegistered,
            queries: try plan.queries(queryOptions, keepingDataOf: Set(order.expected.keys)),
            expectations: plan.questions.enumerated().reduce(into: [:]) {
                $0[$1.offset] = order.expected[$1.element]
            },
            targetResolvers: targetResolvers,
            notes: order.notes + notes + [uncarriedNote(present)].compactMap(\.self)
                + (present.contains(where: \.isNameserver) ? choice.system.remarks : []),
            rememberedNotes: remembered,
            allowed: allowed,
            factory: factory,
            vantage: order.vantage,
            baseline: baseline,
            baselineInUse: isInUse ? baseline : nil,
            inUse: isInUse ? baseline : inUse.first,
            lab: lab,
            options: options
        )
    }

    // MARK: - Resolvers

    /// The resolvers that are there now, at their addresses, with the catalogue that knows these, and
    /// sentences on those that are asked at an address from earlier.
    private func present(
        _ order: Checked,
        remembering rounds: (RunOptions) throws -> String?
    ) async throws -> (ResolverCatalogue, [Resolver], notes: [String]) {
        let found = try await order.bootstrap.addresses(
            of: order.hosts,
            flags.choice.family.families
        ) { host in
            try rounds(options).flatMap {
                order.assumed.rememberedAddress(of: host, in: $0, from: order.vantage)
            }
        }
        let catalogue = order.known.knowing(found.addresses)
        let chosen = try choice.resolvers(in: catalogue)
        var present = chosen
        if flags.choice.resolvers.isEmpty,
            let silent = await silentGateway(of: chosen, order.queries)
        {
            let isKnown = try rounds(options).map {
                silent.hasAnswered(in: $0, from: order.vantage)
            }
            if isKnown != true { present.removeAll { $0 == silent } }
        }
        return (catalogue, present, found.notes)
    }

    /// The gateway, where it does not answer a query within a second: nobody chose it, and it is
    /// left out unless it answered before.
    private func silentGateway(of resolvers: [Resolver], _ queries: [Query]) async -> Resolver? {
        guard let gateway = resolvers.first(where: { $0.origin == .gateway }),
            let query = queries.first
        else { return nil }
        let transport = UDPTransport(to: gateway.endpoint, allowed: allowed)
        // A gateway that drops queries with NSID answers this query.
        var options = query.options
        options.nsid = options.nsid && self.options[.nsid] == true
        guard let query = try? Query(query.question, options: options) else { return nil }
        let exchange = await transport.exchange(query, timeout: .seconds(1))
        if case .response = exchange.result { return nil }
        return gateway
    }

    /// Names the transports that were asked for with all the rest and are not in this build.
    private func uncarriedNote(_ resolvers: [Resolver]) -> String? {
        guard options[.transports] == .all else { return nil }
        let parts = TransportKind.allCases.compactMap { kind -> String? in
            let labels = resolvers.filter { $0.uncarriedTransports.contains(kind) }.map(\.label)
            return labels.isEmpty ? nil : "\(kind.rawValue) (\(labels.joined(separator: ", ")))"
        }
        guard !parts.isEmpty else { return nil }
        return "left out, since this build has no QUIC: \(parts.joined(separator: "; "))"
    }

    // MARK: - Questions

    private func questions(
        _ asked: (RunOptions) throws -> String?
    ) throws -> ([Question], notes: [String]) {
        let ofBrowsers: [RecordType] =
            [.a] + (choice.system.hasDefaultRoute6 ? [.aaaa] : []) + [.https]
        let types: [RecordType]? =
            options.asksAsBrowser
            ? ofBrowsers : try options[.types]?.map { try RecordType(asked: $0) }
        guard options.asksAsFound else {
            return (try AskedNames(options).questions(ofTypes: types, options), [])
        }
        let vantage = try options.vantagePoint()
        let store = lab == nil ? try asked(options) : nil
        let (names, notes) = try FoundNamesChoice(options).names(
            seed: options[.seed] ?? 0,
            but: store.map {
                try Store.namesInCaches(at: $0, from: vantage, now: .now)
            } ?? []
        )
        return (try Question.all(names, types ?? [.a], options.usedClass), notes)
    }
}

extension Resolver {
    /// As many rounds as a schedule takes in a day as a rule: who was silent longer may be none.
    private static let roundsOfDay = 288

    /// Whether it answered in the last rounds that a store has from a place: then silence is news.
    fileprivate func hasAnswered(in path: String, from vantage: String) -> Bool {
        let target = target(in: .cached)
        let rounds = try? Store(path: path, access: .readOnly)
            .latestResponses(from: vantage, count: Self.roundsOfDay)
        return (rounds ?? []).contains { round in
            round.resolvers.contains { $0.target.hasWay(of: target) && $0.responses > 0 }
        }
    }
}
