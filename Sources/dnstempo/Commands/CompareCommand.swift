import Analysis
import ArgumentParser
import Catalogue
import DNSWire
import Measurement
import Reports
import Samples
import Statistics
import Store

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measure resolvers side by side, now.",
        discussion: """
            Every name goes to every resolver in each round, in random order, at a polite pace. \
            Times are the kernel's own stamps. Rounds are kept in the store as they end. \
            Without --rounds and --duration they go on until every resolver has a verdict. \
            Ctrl-C, SIGTERM, or closing the terminal ends it with 130, once what was measured is \
            written.

            Examples:
              dnstempo compare --lab
              dnstempo compare system cloudflare quad9 --rounds 30
              dnstempo compare router=192.168.1.1 google/all -d example.com -t A -t AAAA
              dnstempo compare --lab -o report.html
              dnstempo compare --lab -o result.json -o charts.svg --samples samples.csv
              dnstempo compare --campaign 2009-is-8888-faster
              dnstempo compare system quad9 --no-store --fail-if slower-than-baseline
            """
    )

    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup var certainty: CertaintyOptions
    @OptionGroup var preflightOptions: PreflightOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var looking: LiveOptions
    @OptionGroup var keeping: StoreChoice

    func run() async throws {
        let destinations = try Destinations(output)
        let gate = try Gate(certainty.gate.failIf)
        let live = try looking.kind(quiet: output.quiet)
        var settings = try await Preparation(measuring, certainty: certainty).settings()
        try gate.check(settings.resolvers.map(\.label), baseline: settings.baseline)
        // Opened before the run: what cannot be stored is known while nothing is lost by it.
        let store = try keeping.open(settings.options, isLab: settings.lab != nil)
        let earlier = certainty.resume ? try earlierRun(in: store, of: settings) : nil
        if let earlier { settings.plan = try earlier.continued(settings.plan) }
        if !output.quiet {
            settings.notes.forEach(Terminal.mention)
            settings.plan.uncachedLimitNote.map(Terminal.mention)
        }
        let preflight = Preflight(settings, preflightOptions)
        var findings = try await preflight.before()
        if let earlier { findings.candidates.add(earlier.recording.tampering) }
        let measured = await ComparisonSession(
            settings: settings,
            live: live == .none
                ? nil
                : LiveView(
                    kind: live,
                    colour: !output.noColor,
                    baselineInUse: settings.isBaselineInUse ? settings.baseline : nil
                ),
            answers: preflight.answers,
            store: store,
            tampering: findings.candidates.tampering,
            earlier: earlier
        ).measure()
        if !measured.run.interrupted { findings.distances = try await preflight.distances() }
        var context = ReportContext(settings, of: measured, after: earlier, findings)
        context.wantedFloors = preflightOptions.floor
        context.runsToday = try store?.runsToday(with: measured.run.recording.runs)
        context.command = CommandLine.shown
        context.proposesCharts = !destinations.hasChart
        let report = ComparisonReport(of: measured.run.recording, context: context)
        let written = Result { try destinations.write(report) }
        try await measured.storing?.finish()
        try written.get()
        if measured.run.interrupted { throw Failure(.interrupted, "") }
        if report.rows.allSatisfy({ $0.counts.answered == 0 }) {
            throw Failure.noAnswer("is there a network, and are they resolvers?")
        }
        try gate.pass(report)
    }

    /// The run to go on with; that there is none is said.
    private func earlierRun(in store: Store?, of settings: Settings) throws -> EarlierRun? {
        guard let store else {
            throw Failure.usage("--resume goes on with a run of a store: name one with --store")
        }
        let earlier = try EarlierRun(in: store, of: settings)
        if !output.quiet { Terminal.mention(earlier.note(in: store.path)) }
        return earlier
    }
}

extension ReportContext {
    init(
        _ settings: Settings,
        of measured: ComparisonSession.Outcome,
        after earlier: EarlierRun?,
        _ findings: PreflightFindings
    ) {
        let plan = settings.plan
        self.init(
            toolVersion: Version.text,
            vantage: settings.vantage,
            started: measured.started,
            finished: measured.finished,
            plan: Plan(
                rounds: plan.rounds + (earlier?.lastRound ?? 0),
                interval: plan.interval,
                timeout: plan.timeout,
                seed: earlier?.run.seed ?? plan.seed,
                names: plan.names(of: .cached),
                zones: plan.names(of: .uncached),
                types: plan.questions.map(\.type.description).uniqued,
                series: plan.targets.map(\.series).uniqued
            ),
            baseline: settings.baseline
        )
        self.plan.isUntilSure = plan.isOpenEnded
        self.plan.pace = Pace(rate: plan.rate, totalRate: plan.totalRate)
        isBaselineInUse = settings.isBaselineInUse
        isInterrupted = measured.run.interrupted
        rules = ComparisonRules(margin: settings.margin)
        for resolver in settings.resolvers {
            // What this machine uses may be a resolver that is known.
            let entry = resolver.entry ?? settings.catalogue.entry(at: resolver.endpoint)
            facts[resolver.label] = entry.map(ResolverFacts.init)
        }
        networkChanges = measured.networkChanges
        clockStep = measured.clockStep
        instrument = findings.instrument
        instrumentDuring = measured.instrument
        floors = findings.floors
        distances = findings.distances
        tampering = findings.candidates.tampering
        unchecked = findings.candidates.unchecked
    }
}

extension Plan {
    fileprivate func names(of series: Series) -> [String] {
        questions.indices.filter { self.series(ofQuestion: $0) == series }
            .map { questions[$0].name.description }.uniqued
    }
}

extension CommandLine {
    /// The command as it was typed, with the program's plain name.
    static var shown: String { shown(Array(arguments.dropFirst())) }

    static func shown(_ words: [String]) -> String {
        (["dnstempo"] + words.map(\.shellQuoted)).joined(separator: " ")
    }
}

extension String {
    /// As a shell reads it back as one word.
    var shellQuoted: String {
        let plain = utf8.allSatisfy {
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-".utf8
                .contains($0)
        }
        if plain && !isEmpty { return self }
        return "'"
            + split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
