import Catalogue
import DNSWire
import Measurement
import Reports
import Runs
import Samples
import Statistics

extension ReportContext {
    init(_ session: ComparisonSession, _ compared: ComparedRun) {
        let (order, earlier, findings) = (session.order, session.earlier, session.findings)
        let plan = order.plan
        self.init(
            toolVersion: Version.text,
            vantage: order.vantage,
            started: compared.span.lowerBound,
            finished: compared.span.upperBound,
            plan: Plan(
                rounds: plan.rounds + (earlier?.lastRound ?? 0),
                interval: plan.interval,
                timeout: plan.timeout,
                seed: earlier?.run.seed ?? plan.seed,
                names: plan.names(of: plan.asksOnce ? .asFound : .cached),
                zones: plan.names(of: .uncached),
                types: plan.questions.map(\.type.description).uniqued,
                series: plan.targets.map(\.series).uniqued
            ),
            baseline: order.baseline
        )
        self.plan.isUntilSure = plan.isOpenEnded
        self.plan.sampling = plan.sampling
        self.plan.pace = plan.pace
        isBaselineInUse = order.baselineInUse != nil
        rules = ComparisonRules(margin: order.margin)
        resolverSetup = ResolverSetup(SystemResolvers(), vantage: order.vantage)
        for resolver in order.resolvers {
            // The resolver in use on this machine may be in the catalogue.
            let entry = resolver.entry ?? order.catalogue.entry(at: resolver.endpoint)
            facts[resolver.label] = entry.map(ResolverFacts.init)
        }
        unmeasured = order.unmeasured
        machine = findings.machine
        instrument = findings.instrument
        floors = findings.floors
        tampering = findings.candidates.tampering
        unchecked = findings.candidates.unchecked
        isInterrupted = compared.run.interrupted
        registered = compared.registered
        distances = compared.distances
        networkChanges = compared.networkChanges
        clockStep = compared.clockStep
        instrumentDuring = compared.instrumentDuring
        load = compared.load
        mark = order.mark
    }
}

extension Plan {
    fileprivate func names(of series: Series) -> [String] {
        questions.indices.filter { self.series(ofQuestion: $0) == series }
            .map { questions[$0].name.description }.uniqued
    }
}
