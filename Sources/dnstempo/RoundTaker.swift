import Catalogue
import Measurement
import Transports

/// Takes one round at a time of what the settings ask for: what `sample` does once and `watch` again
/// and again.
struct RoundTaker {
    let settings: Settings
    let run: Recording.Run
    private let prober: Prober

    init(_ settings: Settings, started: Timestamp) {
        self.settings = settings
        run = Recording.Run(
            id: Recording.Run.id(at: started, random: .random(in: 0...UInt32.max)),
            vantage: settings.vantage,
            timeout: settings.plan.timeout
        )
        prober = Prober(
            endpoints: settings.resolvers.map(\.endpoint),
            queries: settings.queries,
            timeout: settings.plan.timeout,
            allowed: settings.allowed
        )
    }

    /// Measures round `number` of the run, warm-up first; `nil` where the task was cancelled before
    /// every query had its outcome.
    func take(
        round number: Int,
        onSample: @escaping @Sendable (Sample) -> Void = { _ in }
    ) async -> MeasuredRound? {
        var plan = settings.plan
        plan.rounds = 1
        // Another order in each round, from one seed.
        plan.seed = plan.seed &+ UInt64(number)
        let runner = Runner(plan: plan, run: run, start: .now)
        let measured = await Task(executorPreference: EventLoop.shared) { [prober] in
            await runner.run(
                on: EventLoopClock(),
                send: { probe, _ in await prober.send(probe) },
                onSample: onSample
            )
        }.cancellingValue
        guard measured.wholeRounds == 1 else { return nil }
        var samples = measured.recording.samples
        for index in samples.indices { samples[index].round = Int32(clamping: number) }
        return MeasuredRound(number: number, samples: samples, isWhole: true)
    }
}

extension Task where Failure == Never {
    /// Its value; cancelling who waits for it cancels it too.
    var cancellingValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}
