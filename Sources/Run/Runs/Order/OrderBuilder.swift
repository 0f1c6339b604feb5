package import Catalogue
import DNSWire
import Failures
import Integrity
import Measurement
import Samples
import Store
import Transports

/// Determines all facts that a run needs before it begins, such as the resolvers' addresses and the
/// usable zones. All input is checked before a query is sent.
package struct OrderBuilder {
    private let request: RunRequest
    private let console: any RunConsole
    private let given: GivenOptions
    private let choice: ResolverChoice
    private let allowed: AllowedNetworks

    /// Creates a builder. `kept` is a lab that is already running, so that its ports stay the same.
    /// For later rounds, no browser history is read.
    package init(
        _ request: RunRequest,
        keeping kept: LabSession? = nil,
        _ console: any RunConsole
    ) async throws {
        var given = try GivenOptions(request)
        let hasOthers =
            !request.resolvers.isEmpty || given.campaign?.resolvers.isEmpty == false
        try Failure.refuse([
            "--catalogue queries every resolver of the catalogue: leave out the named resolvers":
                request.usesCatalogue && hasOthers,
            "--catalogue and --lab cannot be combined; give one":
                request.usesCatalogue && request.lab != nil,
            "--strategies needs each name sent to all at one moment: leave out --sampling poisson":
                request.comparison?.wantsStrategies == true && given.merged[.sampling] == .poisson,
        ])
        let isAsFound = given.merged.asksAsFound
        try request.checkAsFound(given.merged)
        try request.checkBrowser(given.merged)
        let request = try request.movingLoadOptions(from: &given.merged)
        if isAsFound {
            // The seed also determines the names.
            given.merged[.seed] = given.merged[.seed] ?? UInt64.random(in: 0...UInt64(UInt32.max))
        }
        if let source = request.history {
            let choice: VisitedNames.Choice =
                isAsFound
                ? .drawn(FoundNamesChoice.count(given.merged), seed: given.merged[.seed] ?? 0)
                : .most
            if request.isForLater, !request.mayReadHistory {
                throw Failure.usage(
                    "--domains-from asks before it reads a history, which a schedule cannot: add --yes"
                )
            }
            let visited = try VisitedNames(source, choice)
            if !request.mayReadHistory { try visited.ask(console) }
            if !request.isForLater { given.merged[.domains] = .names(try await visited.read()) }
        }
        self.request = request
        self.console = console
        self.given = given
        choice = try ResolverChoice(request, given, keeping: kept)
        allowed = try AllowedNetworks.of(given.merged)
    }

    /// Whether resolvers with an untrusted certificate are left out. A schedule continues to query
    /// them, as it does silent resolvers, because the fault may end.
    private var leavesOutDistrusted: Bool { request.comparison != nil }

    private var wantsCertainty: Bool {
        leavesOutDistrusted
            && (request.options[.untilSure] == true || request.options[.maxRounds] != nil)
    }

    package var options: RunOptions { given.merged }

    /// The files that the request reads.
    package var files: [String] {
        let names: String? = if case .file(let path) = options[.domains] { path } else { nil }
        return [request.campaign, names, request.lab, request.trust.authority].compactMap(\.self)
    }

    private var lab: LabSession? { choice.lab }

    /// Whether the orders name the resolvers. Otherwise they are this machine's resolvers, which
    /// may change.
    private var areNamed: Bool { lab != nil || !choice.notations.isEmpty }

    /// The parts of the order that are known before a query is sent.
    private struct Checked {
        var questions: [Question]
        var notes: [String]
        /// The expectations by question.
        var expected: [Question: AnswerExpectation]
        var queryOptions: QueryOptions
        var queries: [Query]
        var known: ResolverCatalogue
        var bootstrap: Bootstrap
        /// The host names of resolvers that must be looked up.
        var hosts: [String]
        /// The resolvers, in which `hosts` have an arbitrary address.
        var assumed: [Resolver]
        var vantage: String
    }

    /// Finds all errors that can be found before a query is sent.
    private func checked(_ asked: (RunOptions) throws -> String?) throws -> Checked {
        let (questions, notes) = try questions(asked)
        let expected = try Expectations(
            request.expectations,
            given.campaign,
            among: questions
        ).byQuestion
        // The site that answered may explain later why a resolver became slower.
        let queryOptions = try options.queryOptions(asksSite: !leavesOutDistrusted)
        let queries = try questions.map { try Query($0, options: queryOptions) }
        // A comparison also names the operators of given addresses.
        let known = try ResolverCatalogue.bundled(for: leavesOutDistrusted ? [] : choice.notations)
            .adding(given.configuration.resolvers)
            .preferringRoutes(request.families, within: allowed)
        let bootstrap = try Bootstrap(
            options[.bootstrap],
            within: allowed,
            plainHosts: ResolverNotation.plainHosts(in: choice.notations)
        )
        let hosts = choice.unknownHosts(to: known)
        let assumed = try choice.resolvers(in: known.assuming(hosts))
        if !request.isForLater || areNamed { try allowed.check(assumed) }
        // A schedule continues with the other resolvers when an interface is unplugged.
        if leavesOutDistrusted || request.isForLater
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

    /// Finds the errors that would make each round fail, and sends nothing. It does not check which
    /// zones are usable.
    package func check() async throws {
        let checked = try checked { _ in nil }
        try checked.bootstrap.check(checked.hosts)
        let asked = try options.fromSources(options.overTransports(checked.assumed))
        let namesBaseline =
            request.options[.baseline].map { !ResolverNotation.isOfMachine($0) } ?? false
        if areNamed || namesBaseline { _ = try choice.baseline(of: asked) }
        _ = try factory(to: asked, hosts: checked.hosts)
        _ = try await builder(asked, checked.questions).plan { choice, _ in (choice.zones, []) }
    }

    private func builder(_ resolvers: [Resolver], _ questions: [Question]) throws -> PlanBuilder {
        PlanBuilder(
            resolvers: resolvers,
            questions: questions,
            options: options,
            pace: try Pace(
                options,
                for: resolvers,
                simulated: lab?.resolvers,
                request.runsResolvers
            ),
            isLab: lab != nil,
            load: request.load
        )
    }

    /// Builds the order. Hosts whose look-up fails get the address of the last round in the store
    /// of `rounds`. As-found runs exclude names that the store of `asked` contains, because earlier
    /// queries put them into caches.
    package func order(
        remembering rounds: (RunOptions) throws -> String? = { _ in nil },
        leavingOutNamesIn asked: (RunOptions) throws -> String? = { _ in nil }
    ) async throws -> RunOrder {
        let checked = try self.checked(asked)
        var queryOptions = checked.queryOptions
        let (catalogue, present, remembered) = try await present(checked, remembering: rounds)
        let asked = try options.fromSources(options.overTransports(present))
        let factory = try factory(to: asked, hosts: checked.hosts)
        var (plan, targetResolvers, notes) =
            try await builder(asked, checked.questions).plan(over: factory)
        var baseline = try choice.baseline(of: asked)
        let distrusted =
            leavesOutDistrusted
            ? await CertificateCheck(factory: factory, plan: plan).distrusted(of: asked) : []
        let resolvers = asked.filter { !distrusted.map(\.resolver).contains($0) }
        let unmeasured = distrusted.unmeasured(among: asked)
        unmeasured.map(\.sentence).forEach(console.mention)
        if !distrusted.isEmpty {
            guard !resolvers.isEmpty else { throw Failure(.unavailable, "") }
            (plan, targetResolvers, notes) =
                try await builder(resolvers, checked.questions).plan(over: factory)
            if !resolvers.contains(where: { $0.label == baseline }) {
                baseline = choice.usualBaseline(of: resolvers)
            }
        }
        let isRegistered = plan.isRegistered(with: queryOptions) && options[.cookie] != true
        if isRegistered { queryOptions = .withoutEDNS }
        let inUse = resolvers.filter { $0.isInUse(beside: lab) }.map(\.label)
        let isInUse = baseline.map(inUse.contains) ?? false
        return RunOrder(
            resolvers: resolvers,
            unmeasured: unmeasured,
            catalogue: catalogue,
            plan: plan,
            isRegistered: isRegistered,
            queries: try plan.queries(queryOptions, keepingDataOf: Set(checked.expected.keys)),
            expectations: plan.questions.enumerated().reduce(into: [:]) {
                $0[$1.offset] = checked.expected[$1.element]
            },
            targetResolvers: targetResolvers,
            notes: checked.notes + notes + [uncarriedNote(present)].compactMap(\.self)
                + (present.contains(where: \.isNameserver) ? choice.system.remarks : []),
            rememberedNotes: remembered,
            allowed: allowed,
            transports: factory,
            vantage: checked.vantage,
            baseline: baseline,
            baselineInUse: isInUse ? baseline : nil,
            inUse: isInUse ? baseline : inUse.first,
            lab: lab,
            load: try request.load?.load(within: allowed),
            options: options
        )
    }

    /// Creates the factory for transports to the resolvers. Throws if an option has no effect on
    /// any of them.
    private func factory(to asked: [Resolver], hosts: [String]) throws -> TransportFactory {
        let factory = try TransportFactory(to: asked, options, request.trust, allowed: allowed)
        if request.trust.verifiesNothing, factory.isEncrypted {
            console.mention("--insecure: certificates are NOT verified; any server may answer")
        }
        try request.checkUse(by: asked, hosts: hosts)
        if wantsCertainty, asked.count == 1 {
            throw Failure.usage(
                "--until-sure and --max-rounds need resolvers to compare: name another, or give "
                    + "--rounds"
            )
        }
        return factory
    }

    // MARK: - Resolvers

    /// The current resolvers with their addresses, the catalogue that knows the addresses, and
    /// sentences about resolvers with an earlier address.
    private func present(
        _ checked: Checked,
        remembering rounds: (RunOptions) throws -> String?
    ) async throws -> (ResolverCatalogue, [Resolver], notes: [String]) {
        let found = try await checked.bootstrap.addresses(
            of: checked.hosts,
            request.families
        ) { host in
            try rounds(options).flatMap {
                checked.assumed.rememberedAddress(of: host, in: $0, from: checked.vantage)
            }
        }
        let catalogue = checked.known.knowing(found.addresses)
        let chosen = try choice.resolvers(in: catalogue)
        var present = chosen
        if request.resolvers.isEmpty,
            let silent = await silentGateway(of: chosen, checked.queries)
        {
            let isKnown = try rounds(options).map {
                silent.hasAnswered(in: $0, from: checked.vantage)
            }
            if isKnown != true { present.removeAll { $0 == silent } }
        }
        return (catalogue, present, found.notes)
    }

    /// The gateway, if it does not answer a query within a second. The user did not choose it, so
    /// that it is left out unless it answered before.
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

    /// Names the transports that "all" includes and this build does not support.
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
