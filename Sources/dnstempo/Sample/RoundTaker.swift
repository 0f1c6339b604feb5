import Catalogue
import DNSWire
import Measurement
import Samples
import Store
import Transports

/// Takes one round at a time of what the settings ask for: what `sample` does once and `watch` again
/// and again.
struct RoundTaker {
    let settings: Settings
    let run: Run
    private let prober: Prober
    /// One for all rounds: what is in a cache stays there from round to round.
    private let warmups: WarmupTracker

    /// Rounds of a run of their own; `interval` is from start to start where there are several, and
    /// `schedule` the name of what has them taken.
    init(
        _ settings: Settings,
        origin: Run.Origin,
        interval: Duration? = nil,
        schedule: String? = nil
    ) {
        self.settings = settings
        let started = Timestamp.now
        run = Run(
            id: Run.id(at: started, random: .random(in: 0...UInt32.max)),
            vantage: settings.vantage,
            timeout: settings.plan.timeout,
            origin: origin,
            started: started,
            interval: interval,
            seed: settings.plan.seed,
            schedule: schedule
        )
        prober = Prober(settings)
        warmups = WarmupTracker(settings.plan)
    }

    /// Measures round `number` of the run, warm-up first; `nil` where the task was cancelled before
    /// every query had its outcome.
    func take(
        round number: Int,
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void = { _, _ in }
    ) async -> TakenRound? {
        var runner = Runner(plan: settings.plan, run: run, start: .now)
        runner.warmups = warmups
        let measured = await Task(executorPreference: EventLoop.shared) { [runner, prober] in
            await runner.round(
                number,
                on: EventLoopClock(),
                send: { probe, _ in await prober.send(probe) },
                onSample: onSample
            )
        }.cancellingValue
        guard var measured else { return nil }
        prober.pages.leaveOut(of: &measured)
        return TakenRound(recording: measured)
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

/// A round that was measured, on its way into a store.
struct TakenRound: Sendable {
    /// The one round.
    var recording: Recording
    /// Slots of the schedule before it that had no round.
    var missed = 0

    var round: Round { recording.rounds[0] }

    var run: Run { recording.runs[0] }

    /// How its queries ended.
    var counts: OutcomeCounts {
        var counts = OutcomeCounts()
        for sample in recording.samples {
            counts.count(
                sample.observation.outcome,
                responseCode: sample.observation.responseCode
            )
        }
        return counts
    }

    /// When its first query left, or should have.
    var start: Timestamp { recording.samples.map(\.moment).min() ?? round.started }
}
