import Measurement
import Samples
import Store
import Synchronization
import Transports

/// A comparison under way: the rounds of a plan until every candidate has its verdict, stored as
/// they end while the live view looks on.
struct ComparisonSession {
    struct Outcome {
        /// After Ctrl-C what was measured until then.
        var run: MeasuredRun
        var started: Timestamp
        var finished: Timestamp
        /// How far the system's clock was set meanwhile, where it was.
        var clockStep: Duration?
        /// How good the instrument was meanwhile.
        var instrument: InstrumentCheck?
        /// How often the network changed; `nil` where nobody looked.
        var networkChanges: Int?
        /// At work on the last rounds; `nil` without a store.
        var storing: RoundStoring?
    }

    let settings: Settings
    let live: LiveView?
    /// Takes in the addresses that resolvers answer; `nil` where nobody wants them.
    let answers: AnsweredAddresses?
    let store: Store?
    /// By label, how resolvers were found not to tell the truth.
    let tampering: [String: String]
    /// The run that is gone on with.
    let earlier: EarlierRun?

    func measure() async -> Outcome {
        let plan = settings.plan
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
        let session = Session(
            settings,
            run: run,
            tampering: tampering,
            after: earlierRounds,
            answers: answers
        )
        let evidence = RunEvidence(settings, tampering: tampering, earlier: earlier?.recording)
        let storing = store.map { RoundStoring($0) }
        let network = NetworkWatch(settings)
        let progress = RunProgress(of: plan)
        if let earlier { progress.take(earlier: earlier.recording.counted.samples) }
        let kept = Mutex(Recording())
        let checking = Task {
            await InstrumentProbe()
                .measure(queries: .max, every: .seconds(1), allowed: settings.allowed)
        }
        let watching = live.map { live in
            Task { await live.follow(progress) { evidence.standings } }
        }
        var measured = await session.rounds(
            while: { evidence.wantsRound($0) },
            onSample: { progress.note($0, inRound: $1) },
            onRound: { round in
                network?.look()
                let recording = evidence.add(round.recording)
                kept.withLock { $0.merge(recording) }
                storing?.store(recording)
                progress.settle(
                    round: Int(round.round.number) - earlierRounds,
                    recording.counted.samples
                )
            }
        )
        checking.cancel()
        // By how long it took, whatever the wall clock says by now.
        let finished = time.now
        let clockStep = time.step
        network?.look(end: true)
        watching?.cancel()
        await watching?.value
        if let earlier { measured.recording = earlier.recording }
        measured.recording.merge(kept.withLock { $0 })
        return Outcome(
            run: measured,
            started: run.started,
            finished: finished,
            clockStep: clockStep,
            instrument: await checking.value.flatMap(InstrumentCheck.init),
            networkChanges: network?.changes,
            storing: storing
        )
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

    /// Takes the next round; one that was cut short is dropped whole.
    func store(_ round: Recording) {
        rounds.close(rounds.open(), with: round.rounds[0].isWhole ? round : nil)
    }

    /// Waits until all are stored. Throws ``StoreError`` where one could not be.
    func finish() async throws {
        rounds.finish()
        try await storing.value
    }
}
