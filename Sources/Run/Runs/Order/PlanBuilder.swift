package import Catalogue
package import DNSWire
import Failures
import Measurement
package import Samples

/// Makes the plan that options ask for, once it is known which zones can be used.
struct PlanBuilder {
    let resolvers: [Resolver]
    let questions: [Question]
    let options: RunOptions
    let pace: Pace
    let isLab: Bool

    typealias Result = (plan: Plan, resolvers: [Resolver], notes: [String])

    /// The plan of the series asked for, who is asked in it, and what has to be said of it. Where no
    /// zone can be used it has the cached series alone.
    func plan(over factory: TransportFactory) async throws -> Result {
        try await plan { choice, plan in
            try await choice.usable(plan, asked(in: .uncached), factory)
        }
    }

    /// The same where `usable` tells which of the chosen zones can be used, each of which the plan that
    /// it gets asks once.
    func plan(
        usable: (ZoneChoice, Plan) async throws -> (zones: [DomainName], notes: [String])
    ) async throws -> Result {
        var series = options[.series]?.compactMap { Series($0) } ?? [.cached]
        if series.contains(.uncached), resolvers.contains(where: \.isEncrypted) {
            try requireKeptConnections("uncached names are asked")
        }
        if options.asksAsFound { return try planOnce() }
        if options.asksAsBrowser { return try planAsBrowser() }
        if !asked(in: .first).isEmpty { series.append(.first) }
        var zones: [DomainName] = []
        var notes: [String] = []
        var checks = 0
        if series.contains(.uncached) {
            let choice = try ZoneChoice(options)
            var check = try plan(of: [.uncached], zones: choice.zones)
            check.rounds = 1
            // Before anything is sent.
            _ = try finished(check, afterChecks: choice.zones.count).validated()
            (zones, notes) = try await usable(choice, check)
            checks = choice.zones.count
            if zones.isEmpty { series.removeAll { $0 == .uncached } }
        }
        if series.isEmpty { throw Failure(.unavailable, notes.joined(separator: "; ")) }
        let plan = try finished(plan(of: series, zones: zones), afterChecks: checks)
        return (try plan.validated(), series.flatMap(asked), notes)
    }

    /// The plan that asks a list of names once.
    private func planOnce() throws -> Result {
        try requireKeptConnections("as-found names are asked")
        let plan = try plan(of: [.asFound], zones: []).askingOnce()
        return (try plan.validated(), asked(in: .asFound), [])
    }

    /// The plan that asks for all that a browser asks of a name at one moment.
    private func planAsBrowser() throws -> Result {
        try requireKeptConnections("--type browser asks")
        var plan = try plan(of: [.browser], zones: [])
        plan.questionsAtOnce = Set(questions.map(\.type)).count
        return (
            try finished(plan, afterChecks: 0).validated(), asked(in: .browser), []
        )
    }

    /// Throws where connections are not kept on which `subject` goes, such as `names are asked`.
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

    /// The resolvers of a series: what is not encrypted has no first queries.
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
            // A round is one name under each zone, whatever else is asked for.
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

    /// The plan for as long as it lasts, after `checks` uncached queries to each resolver.
    private func finished(_ plan: Plan, afterChecks checks: Int) throws -> Plan {
        var plan = plan
        // Where there is nothing to compare with, nothing is to be sure of.
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
    /// Whether candidates are asked only while it matters: where there are several, and the one series
    /// that tells of all. What is sent by Poisson sampling follows from no answer.
    private func asksInParts(_ plan: Plan) -> Bool {
        plan.sampling == .periodic && options[.keepAll] != true && options[.duration] == nil
            && plan.targets.count > 2
            && plan.targets.allSatisfy { $0.series == .cached }
    }
}

extension Endpoint {
    /// The same for all that share its rate: on loopback each port is a resolver of its own.
    package var paced: Endpoint {
        Endpoint(transport: .udp, address: address, port: address.isLoopback ? port : 0)
    }
}

extension Plan {
    /// Creates a plan for `targets`. Targets with equal `places` (one place per target) share the rates of
    /// `pace`.
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

    /// That the uncached series ends before the run does, and why.
    package var uncachedLimitNote: String? {
        guard zoneCount > 0, rounds > uncachedRounds else { return nil }
        let all = isOpenEnded ? "at most \(rounds)" : "\(rounds)"
        return "uncached names end with round \(uncachedRounds) of \(all): a resolver is asked "
            + "\(Plan.mostUncached) of them at most in a run"
    }
}

/// Gives the query to send next for a question: always the same, or one with another random label.
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
