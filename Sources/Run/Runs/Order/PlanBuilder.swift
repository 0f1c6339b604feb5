package import Catalogue
package import DNSWire
import Failures
import Measurement
package import Samples

/// Builds the plan from options, after the usable zones are known.
struct PlanBuilder {
    let resolvers: [Resolver]
    let questions: [Question]
    let options: RunOptions
    let pace: Pace
    let isLab: Bool
    let load: LoadRequest?

    typealias Result = (plan: Plan, resolvers: [Resolver], notes: [String])

    /// The plan of the requested series, its resolvers, and notes. If no zone is usable, it has
    /// only the cached series.
    func plan(over factory: TransportFactory) async throws -> Result {
        try await plan { choice, plan in
            try await choice.usable(plan, asked(in: .uncached), factory)
        }
    }

    /// Builds the plan. `usable` returns the usable zones among the chosen ones, from a plan that
    /// asks each zone once.
    func plan(
        usable: (ZoneChoice, Plan) async throws -> (zones: [DomainName], notes: [String])
    ) async throws -> Result {
        var series = options[.series]?.compactMap { Series($0) } ?? [.cached]
        if series.contains(.uncached), resolvers.contains(where: \.isEncrypted) {
            try requireKeptConnections("uncached names are asked")
        }
        if options.asksAsFound { return try planOnce() }
        if options.asksAsBrowser { return try planAsBrowser() }
        if let load { return try planUnderLoad(load) }
        if !asked(in: .first).isEmpty { series.append(.first) }
        var zones: [DomainName] = []
        var notes: [String] = []
        var checks = 0
        if series.contains(.uncached) {
            let choice = try ZoneChoice(options)
            var check = try plan(of: [.uncached], zones: choice.zones)
            check.rounds = 1
            // Validated before a query is sent.
            _ = try finished(check, afterChecks: choice.zones.count).validated()
            (zones, notes) = try await usable(choice, check)
            checks = choice.zones.count
            if zones.isEmpty { series.removeAll { $0 == .uncached } }
        }
        if series.isEmpty { throw Failure(.unavailable, notes.joined(separator: "; ")) }
        let plan = try finished(plan(of: series, zones: zones), afterChecks: checks)
        return (try plan.validated(), series.flatMap(asked), notes)
    }

    /// The plan that asks each name of a list once.
    private func planOnce() throws -> Result {
        try requireKeptConnections("as-found names are asked")
        let plan = try plan(of: [.asFound], zones: []).askingOnce()
        return (try plan.validated(), asked(in: .asFound), [])
    }

    /// The plan that sends all queries of a browser for a name at one moment.
    private func planAsBrowser() throws -> Result {
        try requireKeptConnections("--type browser asks")
        var plan = try plan(of: [.browser], zones: [])
        plan.questionsAtOnce = Set(questions.map(\.type)).count
        return (
            try finished(plan, afterChecks: 0).validated(), asked(in: .browser), []
        )
    }

    /// The plan that asks cached names on an idle and on a loaded line.
    private func planUnderLoad(_ load: LoadRequest) throws -> Result {
        try requireKeptConnections("--under-load asks")
        var asked = asked(in: .cached) + asked(in: .loaded)
        var series: [Series] = [.cached, .loaded]
        if let mark = load.mark {
            series.append(.loadedMarked)
            asked += self.asked(in: .loadedMarked).map { resolver in
                var resolver = resolver
                resolver.endpoint.mark = mark
                return resolver
            }
        }
        let plan = try finished(plan(of: series, zones: []), afterChecks: 0)
        return (try plan.validated(), asked, [])
    }

    /// Throws unless connections are kept. `subject` needs kept connections, such as `names are
    /// asked`.
    private func requireKeptConnections(_ subject: String) throws(Failure) {
        guard !keepsConnections else { return }
        throw Failure.usage(
            "--connections \(options[.connections]?.rawValue ?? ""): \(subject) on connections that are "
                + "kept; leave out one of the two"
        )
    }

    private var keepsConnections: Bool {
        options[.connections] == nil || options[.connections] == .reuse
    }

    /// The resolvers of a series. Unencrypted resolvers have no first queries.
    private func asked(in series: Series) -> [Resolver] {
        series == .first
            ? options[.connections] == .reuse ? [] : resolvers.filter(\.isEncrypted)
            : resolvers.filter { keepsConnections || !$0.isEncrypted }
    }

    private func plan(of series: [Series], zones: [DomainName]) throws -> Plan {
        var plan = Plan(
            targets: series.flatMap { series in asked(in: series).map { $0.target(in: series) } },
            at: series.flatMap { asked(in: $0).map(\.endpoint.paced) },
            questions: series.contains(where: \.asksCachedNames) ? questions : [],
            // A round has one name under each zone, with any record types.
            zones: try zones.map {
                Question(name: try $0.wildcard(), type: questions.first?.type ?? .a)
            },
            options,
            pace,
            isLab: isLab
        )
        plan.seed = options[.seed] ?? UInt64.random(in: 0...UInt64(UInt32.max))
        return plan
    }

    /// The plan with its number of rounds, after `checks` uncached queries to each resolver.
    private func finished(_ plan: Plan, afterChecks checks: Int) throws -> Plan {
        var plan = plan
        // Without another resolver there is no verdict to wait for.
        plan.isOpenEnded = options.isUntilSure && resolvers.count > 1
        plan.rounds =
            plan.isOpenEnded ? options.usedMaxRounds : options[.rounds] ?? plan.rounds
        plan.asksInParts = plan.isOpenEnded && asksInParts(plan)
        plan.interval = options[.interval] ?? plan.interval
        plan.warmup = options[.warmup] ?? plan.warmup
        if !isLab { plan = try plan.limitingUncached(to: Plan.mostUncached - checks) }
        guard let duration = options[.duration] else { return plan }
        let lasting = plan.lasting(duration)
        if !plan.isOpenEnded || lasting.rounds < plan.rounds { plan = lasting }
        return plan
    }
}

extension PlanBuilder {
    /// Whether candidates are dropped from the rounds as soon as their verdict is clear. This
    /// requires several candidates and one series that measures all of them. Poisson sampling must
    /// not depend on answers.
    private func asksInParts(_ plan: Plan) -> Bool {
        plan.sampling == .periodic && options[.keepAll] != true && options[.duration] == nil
            && plan.targets.count > 2
            && plan.targets.allSatisfy { $0.series == .cached }
    }
}

extension Endpoint {
    /// The place that shares a rate. On loopback, each port is a separate resolver.
    package var paced: Endpoint {
        Endpoint(transport: .udp, address: address, port: address.isLoopback ? port : 0)
    }
}

extension Plan {
    /// Creates a plan for `targets`. Targets with equal `places` (one place per target) share the
    /// rates of `pace`.
    package init(
        targets: [Recording.Target],
        at places: [some Hashable],
        questions: [Question],
        zones: [Question],
        _ options: RunOptions,
        _ pace: Pace,
        isLab: Bool
    ) {
        let groups = Dictionary(uniqueKeysWithValues: zip(places.uniqued, 0...))
        self.init(
            targets: targets,
            targetGroups: places.compactMap { groups[$0] },
            questions: questions,
            zones: zones
        )
        timeout = options[.timeout] ?? timeout
        sampling = options[.sampling] ?? sampling
        self.pace = pace
        if isLab { zoneRate = pace.rate }
    }

    func queries(
        _ options: QueryOptions,
        keepingDataOf kept: Set<Question>
    ) throws -> [NextQuery] {
        try questions.enumerated().map { index, question in
            if series(ofQuestion: index).asksCachedNames {
                let query = try Query(question, options: options)
                let asked = kept.contains(question) ? query.keepingData : query
                return { asked }
            }
            return try UncachedQuery(
                under: question.name.parent,
                type: question.type,
                options: options
            ).next
        }
    }

    /// A note that the uncached series ends before the run, with the reason.
    package var uncachedLimitNote: String? {
        guard zoneCount > 0, rounds > uncachedRounds else { return nil }
        let all = isOpenEnded ? "at most \(rounds)" : "\(rounds)"
        return "uncached names end with round \(uncachedRounds) of \(all): each resolver gets at "
            + "most \(Plan.mostUncached) of them per run"
    }
}

/// Returns the next query for a question. It is always the same query, or has a new random label
/// each time.
package typealias NextQuery = @Sendable () -> Query

extension Resolver {
    fileprivate var isEncrypted: Bool { endpoint.transport.isEncrypted }

    package func target(in series: Series) -> Recording.Target {
        Recording.Target(
            label: label,
            endpoint: identity,
            transport: .init(endpoint.transport.rawValue),
            series: series
        )
    }
}
