import Catalogue
import Measurement
import Transports

/// Carries out a plan on the event loop, while the live view looks on from elsewhere.
struct Session {
    let settings: Settings
    let live: LiveView?

    /// What was measured; after Ctrl-C what was measured until then.
    func measure() async -> (run: MeasuredRun, started: Timestamp, finished: Timestamp) {
        let plan = settings.plan
        let prober = Prober(
            endpoints: settings.resolvers.map(\.endpoint),
            queries: settings.queries,
            timeout: plan.timeout,
            allowed: settings.allowed
        )
        let started = Timestamp.now
        let run = Recording.Run(
            id: Recording.Run.id(at: started, random: .random(in: 0...UInt32.max)),
            vantage: settings.vantage,
            timeout: plan.timeout
        )
        let runner = Runner(plan: plan, run: run, start: started)
        let progress = RunProgress(of: plan)
        let measuring = Task(executorPreference: EventLoop.shared) {
            await runner.run(
                on: EventLoopClock(),
                send: { probe, _ in await prober.send(probe) },
                onSample: { progress.note($0) }
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
        return (measured, started, Timestamp.now)
    }
}
