import Catalogue
import Measurement
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
        /// At work on the last rounds; `nil` without a store.
        var keeper: RoundKeeper?
    }

    let settings: Settings
    let live: LiveView?
    /// Where the rounds are kept.
    let store: Store?

    func measure() async -> Outcome {
        let plan = settings.plan
        let prober = Prober(settings)
        let started = Timestamp.now
        let run = Recording.Run(
            id: Recording.Run.id(at: started, random: .random(in: 0...UInt32.max)),
            vantage: settings.vantage,
            timeout: plan.timeout
        )
        let runner = Runner(plan: plan, run: run, start: started)
        let keeper = store.map { store in
            RoundKeeper(store, of: Store.Run(run, of: plan, started: started), plan: plan)
        }
        let progress = RunProgress(of: plan)
        let measuring = Task(executorPreference: EventLoop.shared) {
            await runner.run(
                on: EventLoopClock(),
                send: { probe, _ in await prober.send(probe) },
                onSample: { progress.note($0) },
                onRound: { keeper?.keep($0) }
            )
        }
        let watching = live.map { live in Task { await live.follow(progress, plan) } }
        let measured = await Interruption.whileRunning {
            await measuring.value
        } stop: {
            measuring.cancel()
        }
        watching?.cancel()
        await watching?.value
        return Outcome(run: measured, started: started, finished: Timestamp.now, keeper: keeper)
    }
}

extension Store.Run {
    /// A run of `compare`.
    fileprivate init(_ run: Recording.Run, of plan: Plan, started: Timestamp) {
        self.init(
            recordingRun: run,
            origin: .compare,
            started: started,
            interval: plan.interval > .zero ? plan.interval : nil,
            seed: plan.seed
        )
    }
}
