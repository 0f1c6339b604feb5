import CMemory
import Catalogue
import DNSWire
import Evidence
import Measurement
import Reports
import Samples
import Statistics
import Store
import Synchronization
import Transports

/// A comparison under way: the rounds of a plan until every candidate has its verdict, stored as
/// they end while the live view looks on.
struct ComparisonSession {
    let settings: Settings
    let live: LiveView?
    /// Follows the answers; `nil` where that is not asked for.
    let connects: ContentConnects?
    let store: Store?
    let findings: PreflightFindings
    let earlier: EarlierRun?
    /// Where the evidence is put; `nil` where none is wanted.
    let evidence: EvidenceFolder?

    /// Half a minute has enough for a 99th percentile. Runs of many hours, whose rounds are far
    /// apart, need not keep so many.
    private static let checkInterval = Duration.milliseconds(200)

    /// The run, after Ctrl-C what was measured until then; what it is reported with; what is at work on
    /// storing its last rounds; and the evidence, to be finished with the report.
    typealias Measured = (
        run: MeasuredRun, context: ReportContext, storing: RoundStoring?, bundle: RunBundle?
    )

    /// Measures until every candidate has its verdict, the plan is over, or Ctrl-C.
    func measure() async throws -> Measured {
        // What the preparation took, and then what the run took, is not held beside what follows.
        cmemory_give_back()
        defer { cmemory_give_back() }
        let plan = settings.plan
        let tampering = findings.candidates.tampering
        let time = StepMeter({ .now }, ContinuousClock())
        let run =
            earlier?.run
            ?? Run(
                settings,
                origin: .compare,
                started: time.start,
                interval: plan.interval > .zero ? plan.interval : nil,
                margin: settings.margin
            )
        let earlierRounds = earlier?.lastRound ?? 0
        let bundle = try await evidence?.bundle(
            RecordedPlan(
                settings,
                run: run,
                tampering: tampering,
                followsAnswers: connects != nil
            )
        )
        let session = Session(
            settings,
            run: run,
            tampering: tampering,
            after: earlierRounds,
            connects: connects,
            bundle: bundle
        )
        let evidence = RunEvidence(
            plan,
            baseline: settings.baseline,
            margin: settings.margin,
            tampering: tampering,
            earlier: earlier?.recording,
            connects: connects
        )
        let storing = store.map { RoundStoring($0) }
        let network = NetworkWatch(settings)
        // Counted where somebody looks on.
        let shown = live.map { (view: $0, progress: RunProgress(of: plan)) }
        if let earlier { shown?.progress.take(earlier: earlier.recording.counted.samples) }
        let kept = KeptRounds(storing)
        let checking = Task {
            await InstrumentCheck.measured(
                queries: .max,
                every: plan.interval > .seconds(10) ? .seconds(1) : Self.checkInterval,
                allowed: settings.allowed
            )
        }
        let watching = shown.map { shown in
            Task {
                await shown.view.follow(shown.progress, inUse: settings.baselineInUse) {
                    evidence.standings
                }
            }
        }
        var measured = await session.rounds(
            choice: { evidence.choice(ofRound: $0) },
            onSample: { shown?.progress.note($0, inRound: $1) },
            onRound: { round in
                network?.look()
                let recording = evidence.add(round.recording)
                let place = kept.open()
                let isFollowed = evidence.follow(
                    recording,
                    number: Int(round.round.number) - earlierRounds
                ) { kept.close(place, with: $0) }
                if !isFollowed { kept.close(place, with: recording) }
                shown?.progress.settle(
                    round: Int(round.round.number) - earlierRounds,
                    recording.counted.samples
                )
            }
        )
        await connects?.finish()
        checking.cancel()
        // By how long it took, whatever the wall clock says by now.
        let finished = time.now
        let clockStep = time.step
        network?.look(end: true)
        watching?.cancel()
        await watching?.value
        if let earlier { measured.recording = earlier.recording }
        measured.recording.merge(kept.recording)
        var context = ReportContext(settings, run.started...finished, after: earlier, findings)
        context.isInterrupted = measured.interrupted
        if earlier == nil { context.registered = session.registered(measured) }
        context.distances = connects?.distances
        context.networkChanges = network?.changes
        context.clockStep = clockStep
        context.instrumentDuring = await checking.value
        return (measured, context, storing, bundle)
    }
}

extension ReportContext {
    init(
        _ settings: Settings,
        _ span: ClosedRange<Timestamp>,
        after earlier: EarlierRun?,
        _ findings: PreflightFindings
    ) {
        let plan = settings.plan
        self.init(
            toolVersion: Version.text,
            vantage: settings.vantage,
            started: span.lowerBound,
            finished: span.upperBound,
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
            baseline: settings.baseline
        )
        self.plan.isUntilSure = plan.isOpenEnded
        self.plan.sampling = plan.sampling
        self.plan.pace = plan.pace
        isBaselineInUse = settings.baselineInUse != nil
        rules = ComparisonRules(margin: settings.margin)
        resolverSetup = ResolverSetup(SystemResolvers(), vantage: settings.vantage)
        for resolver in settings.resolvers {
            // What this machine uses may be a resolver that is known.
            let entry = resolver.entry ?? settings.catalogue.entry(at: resolver.endpoint)
            facts[resolver.label] = entry.map(ResolverFacts.init)
        }
        unmeasured = settings.unmeasured
        machine = findings.machine
        instrument = findings.instrument
        floors = findings.floors
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

/// The rounds of a run in their order, kept and stored once all is known of them.
private final class KeptRounds: Sendable {
    private let rounds = Mutex<[Recording?]>([])
    private let storing: RoundStoring?

    init(_ storing: RoundStoring?) { self.storing = storing }

    /// Makes a place for the next round.
    func open() -> Int {
        rounds.withLock { rounds in
            rounds.append(nil)
            _ = storing?.open()
            return rounds.count - 1
        }
    }

    /// Puts the round at the place that was made for it.
    func close(_ place: Int, with round: Recording) {
        rounds.withLock { $0[place] = round }
        storing?.close(place, with: round)
    }

    var recording: Recording {
        rounds.withLock { rounds in
            rounds.reduce(into: Recording()) { all, round in
                if let round { all.merge(round) }
            }
        }
    }
}

/// Stores the whole rounds of a run as they end, beside the measurement, which does not wait: of a
/// run that is killed, no more than the last rounds are lost.
struct RoundStoring: Sendable {
    private let rounds = RoundQueue<Recording>()
    private let storing: Task<Void, any Error>

    init(_ store: Store) {
        storing = Task { [rounds] in
            // Those that came while others were stored are stored together.
            while let next = await rounds.next() {
                var recording = Recording()
                for round in next { recording.merge(round) }
                try store.append(recording)
            }
        }
    }

    /// Makes a place for the next round.
    func open() -> Int { rounds.open() }

    /// Takes the round of a place; one that was cut short is dropped whole.
    func close(_ place: Int, with round: Recording) {
        rounds.close(place, with: round.rounds[0].isWhole ? round : nil)
    }

    /// Waits until all are stored. Throws ``StoreError`` where one could not be.
    func finish() async throws {
        rounds.finish()
        try await storing.value
    }
}
