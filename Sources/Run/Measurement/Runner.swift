package import Samples

/// Executes a plan: sends every query at its time and collects the results.
package struct Runner: Sendable {
    /// Sends one query, which is `lateness` later than planned, and returns the observation.
    /// Returns after the timeout at the latest. After a cancellation it returns soon, and `nil`
    /// unless there was a response.
    package typealias Send = @Sendable (Probe, _ lateness: Duration) async -> Observation?

    /// Starts a child of the group. Its queries are sent at once if possible.
    package typealias Launch =
        @Sendable (inout DiscardingTaskGroup, @escaping @Sendable () async -> Void) -> Void

    package internal(set) var plan: Plan
    package let run: Run
    /// The wall clock's time when ``run(on:send:choice:onSample:onRound:)`` is called.
    package let start: Timestamp
    /// The state of the resolvers' caches. A run in several parts shares it.
    package var warmups: WarmupTracker
    /// Whether the samples are kept for the result. Otherwise only `onRound` receives them.
    package var keepsSamples = true
    /// Starts the tasks of the queries, by default where the system chooses.
    package var launch: Launch = { start(in: &$0, $1) }
    /// Brings the line into the state for a block of queries, and returns when it is. Returns `false` if this
    /// is no longer possible, which ends the run.
    package var prepare: @Sendable (Series, _ length: Duration) async -> Bool = { _, _ in true }
    /// Detects the rounds in which the machine was suspended.
    package var sleep = SleepMeter.system

    package init(plan: Plan, run: Run, start: Timestamp) {
        self.plan = plan
        self.run = run
        self.start = start
        warmups = WarmupTracker(plan)
    }

    /// Sends the plan's queries by `clock` and waits for the last of them. Each query is a separate
    /// task, so that no query waits for another. When the surrounding task is cancelled, sending
    /// stops at once, and the measured samples are returned.
    ///
    /// `onSample` is called when a query of a counted round ends. At that time, a sample without a
    /// route is not yet distinguished from an offline sample. `onRound` is called with whole rounds
    /// in their order. The measuring task calls both, one at a time, so that they must return
    /// quickly.
    ///
    /// In an open-ended plan, `choice` is called when a round after the first is due. It is also
    /// called for the first round if rounds ask parts. After `end` no query is sent, and rounds
    /// that have begun are completed.
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
    /// Runs `operation` as a child of the group. If the system supports it, `operation` runs at
    /// once up to its first wait.
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
    /// Measures one round of the plan, with its warm-up first, as the run's round `number`. `nil`
    /// if the task was cancelled before every query had its outcome.
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
        // A plan of one round gives it the number 1.
        round.rounds[0].number = Int32(clamping: number)
        return round
    }
}

extension Plan {
    /// The plan of only round `number` of a schedule. Its order differs from other rounds, with one
    /// seed.
    package func single(_ number: Int) -> Plan {
        var plan = self
        // The schedule determines the time to the next round.
        (plan.rounds, plan.interval) = (1, .zero)
        plan.seed = seed &+ UInt64(truncatingIfNeeded: number)
        return plan
    }
}

package struct MeasuredRun: Sendable {
    package var recording: Recording
    /// The number of rounds, from the first on, with a sample for every query.
    package var wholeRounds: Int
    /// Whether the run was cancelled before the end of the plan.
    package var interrupted: Bool
    /// The total time for which the process or machine was suspended. The plan was postponed by
    /// this time.
    package var postponed: Duration
    /// The start of the first gap of Poisson sampling; `nil` for periodic sampling.
    package var samplingStart: Timestamp?
}
