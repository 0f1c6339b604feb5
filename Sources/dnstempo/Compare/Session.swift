import Catalogue
import Measurement
import Reports
import Samples
import Store
import Transports

/// Carries out a plan on the event loop, while the live view looks on from elsewhere.
struct Session {
    /// What came of it.
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
        var keeper: RoundKeeper?
    }

    let settings: Settings
    let live: LiveView?
    /// Where the addresses that resolvers answer are kept, if they are.
    var book: AnswerBook?
    /// Where the rounds are kept.
    let store: Store?
    /// What earlier rounds say, where there are some.
    let evidence: EvidenceFeed
    /// By label, how resolvers were found not to tell the truth.
    let untruths: [String: String]
    /// The run that is gone on with.
    let earlier: EarlierRun?

    func measure() async -> Outcome {
        let plan = settings.plan
        let prober = Prober(settings, keepingAnswers: book)
        let time = StepMeter({ .now }, ContinuousClock())
        let started = time.start
        let run =
            earlier?.run
            ?? Run(
                id: Run.id(at: started, random: .random(in: 0...UInt32.max)),
                vantage: settings.vantage,
                timeout: plan.timeout,
                origin: .compare,
                started: started,
                interval: plan.interval > .zero ? plan.interval : nil,
                seed: plan.seed,
                margin: settings.margin
            )
        var runner = Runner(plan: plan, run: run, start: started)
        // The judge keeps them, as it found them.
        runner.keepsSamples = false
        let keeper = store.map { RoundKeeper($0) }
        // What is simulated is on no network.
        let network = settings.lab == nil ? NetworkWatch(toward: settings.endpoints) : nil
        let judge = EvidenceJudge(
            evidence,
            of: plan,
            after: earlier?.lastRound ?? 0,
            pages: prober.pages,
            untruths: untruths,
            network: network
        )
        let progress = RunProgress(of: plan)
        if let earlier { progress.take(earlier: earlier.recording.counted.samples) }
        let judging = Task {
            await judge.judge { round, number in
                keeper?.keep(round)
                progress.settle(round: number, round.counted.samples)
            }
        }
        let checking = Task {
            await InstrumentProbe()
                .measure(queries: .max, every: .seconds(1), allowed: settings.allowed)
        }
        let watching = live.map { live in
            Task { await live.follow(progress) { judge.standings } }
        }
        var measured = await Interruption.whileRunning {
            Task(executorPreference: EventLoop.shared) { [runner] in
                await runner.run(
                    on: EventLoopClock(),
                    send: { probe, _ in await prober.send(probe) },
                    wantsRound: { judge.wantsRound($0) },
                    onSample: { progress.note($0, inRound: $1) },
                    onRound: { judge.take($0) }
                )
            }
        }.value
        checking.cancel()
        // By how long it took, whatever the wall clock says by now.
        let finished = time.now
        let clockStep = time.step
        judge.finish()
        await judging.value
        watching?.cancel()
        await watching?.value
        if let earlier { measured.recording = earlier.recording }
        measured.recording.merge(judge.recording)
        return Outcome(
            run: measured,
            started: earlier?.run.started ?? started,
            finished: finished,
            clockStep: clockStep,
            instrument: await checking.value.flatMap(InstrumentCheck.init),
            networkChanges: network?.changes,
            keeper: keeper
        )
    }
}
