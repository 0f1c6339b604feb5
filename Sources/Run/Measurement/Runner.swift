package import Samples

/// Carries out a plan: sends every query at its time, and gathers what happened.
package struct Runner: Sendable {
    /// Sends one query, so much later than planned, and returns what came of it: after the timeout
    /// at the latest, and soon after the task was cancelled, then `nil` unless there was a response.
    package typealias Send = @Sendable (Probe, _ lateness: Duration) async -> Observation?

    /// Starts a child of the group, whose queries leave at once where they can.
    package typealias Launch =
        @Sendable (inout DiscardingTaskGroup, @escaping @Sendable () async -> Void) -> Void

    package internal(set) var plan: Plan
    package let run: Run
    /// The wall clock's time when ``run(on:send:choice:onSample:onRound:)`` is called.
    package let start: Timestamp
    /// The knowledge of the resolvers' caches: for a run in several pieces, that of them all.
    package var warmups: WarmupTracker
    /// Whether the samples are kept for the result; without it, they go to `onRound` alone.
    package var keepsSamples = true
    /// Where the queries run: by default where the system likes.
    package var launch: Launch = { start(in: &$0, $1) }
    /// Tells the rounds in which the machine slept.
    package var sleep = SleepMeter.system

    package init(plan: Plan, run: Run, start: Timestamp) {
        self.plan = plan
        self.run = run
        self.start = start
        warmups = WarmupTracker(plan)
    }

    /// Sends the plan's queries by `clock` and waits for the last of them. Each is a task of its
    /// own, so that none waits for another. When the surrounding task is cancelled, sending stops
    /// at once, and what was measured is returned.
    ///
    /// `onSample` is called for each query of a counted round as it ends; a sample without a route
    /// is not yet told from one that is offline. `onRound` is called with whole rounds in their
    /// order. Both are called by the task that measured, one at a time, and have to be quick.
    ///
    /// With an open end, `choice` is asked when a round after the first is due, and when the first is
    /// that asks in parts: at its end nothing more is sent, and rounds under way come to theirs.
    package func run<C: Clock>(
        on clock: C,
        send: @escaping Send,
        choice: @escaping @Sendable (_ round: Int) -> RoundChoice = { _ in .whole },
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void = { _, _ in },
        onRound: @escaping @Sendable (Recording) -> Void = { _ in }
    ) async -> MeasuredRun where C.Duration == Duration {
        let collector = SampleCollector(of: self, onSample: onSample, onRound: onRound)
        let asker = QueryAsker(self, clock, collector, send)
        var execution = RunExecution(of: self, on: clock, asker, collector, choice: choice)
        await withDiscardingTaskGroup { group in await execution.ask(in: &group) }
        let (recording, wholeRounds) = collector.finish()
        return MeasuredRun(
            recording: recording,
            wholeRounds: wholeRounds,
            interrupted: Task.isCancelled && wholeRounds < execution.lastRound,
            postponed: execution.postponed,
            samplingStart: execution.firstInterval.map(start.advanced)
        )
    }
}

extension Runner {
    /// Runs `operation` as a child, at once up to its first wait where the system can.
    private static func start(
        in group: inout DiscardingTaskGroup,
        _ operation: @escaping @Sendable () async -> Void
    ) {
        if #available(macOS 26.0, *) {
            group.addImmediateTask { await operation() }
        } else {
            group.addTask { await operation() }
        }
    }
}

extension Runner {
    /// Measures one round of the plan, warm-up first, as the run's round `number`; `nil` where the
    /// task was cancelled before every query had its outcome.
    package func round<C: Clock>(
        _ number: Int,
        on clock: C,
        send: @escaping Send,
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void = { _, _ in }
    ) async -> Recording? where C.Duration == Duration {
        let warmup = WarmupAnswers(plan)
        var runner = self
        runner.plan = plan.single(number)
        var round = await runner.run(
            on: clock,
            send: { probe, lateness in
                let observation = await send(probe, lateness)
                if let observation, probe.round < 1 { warmup.note(observation, of: probe) }
                return observation
            },
            onSample: { sample, _ in onSample(sample, number) }
        ).recording
        guard round.rounds.first?.isWhole == true else { return nil }
        warmup.tell(in: &round)
        // The plan of one round calls it the first.
        round.rounds[0].number = Int32(clamping: number)
        return round
    }
}

extension Plan {
    /// The plan of round `number` of a schedule alone: in another order than the others, from one seed.
    package func single(_ number: Int) -> Plan {
        var plan = self
        // The gap to the next round is the schedule's.
        (plan.rounds, plan.interval) = (1, .zero)
        plan.seed = seed &+ UInt64(truncatingIfNeeded: number)
        return plan
    }
}

package struct MeasuredRun: Sendable {
    package var recording: Recording
    /// How many rounds, from the first on, have a sample for every query.
    package var wholeRounds: Int
    /// Cancelled before the plan was done.
    package var interrupted: Bool
    /// How long the process or machine stood still, in all: the plan was put off by that.
    package var postponed: Duration
    /// When the first gap of Poisson sampling began; `nil` of periodic sampling.
    package var samplingStart: Timestamp?
}
