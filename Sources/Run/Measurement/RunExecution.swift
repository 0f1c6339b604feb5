import Catalogue
import Samples

/// A run in progress, which sends the queries of its plan at their times.
struct RunExecution<C: Clock> where C.Duration == Duration {
    private let plan: Plan
    private let warmups: WarmupTracker
    private let launch: Runner.Launch
    private let asker: QueryAsker<C>
    private let collector: SampleCollector
    private let choice: @Sendable (_ round: Int) -> RoundChoice
    private let prepare: @Sendable (Series, _ length: Duration) async -> Bool
    private let pattern: RoundPattern
    private var pacer: Pacer<C>
    /// The last round of the run. It is earlier than the plan's last round if `choice` ended the
    /// run.
    private(set) var lastRound: Int
    /// The start of the first gap of Poisson sampling, from the start of the run.
    private(set) var firstInterval: Duration?

    init(
        of runner: Runner,
        on clock: C,
        _ asker: QueryAsker<C>,
        _ collector: SampleCollector,
        choice: @escaping @Sendable (_ round: Int) -> RoundChoice
    ) {
        (plan, warmups, launch) = (runner.plan, runner.warmups, runner.launch)
        (self.asker, self.collector, self.choice) = (asker, collector, choice)
        prepare = runner.prepare
        pattern = RoundPattern(plan)
        pacer = Pacer(clock: clock, plan: plan)
        lastRound = plan.rounds
    }

    var postponed: Duration { pacer.postponed }

    /// Sends all queries, unless the task is cancelled or `choice` ends the run.
    mutating func ask(in group: inout DiscardingTaskGroup) async {
        let isPoisson = plan.sampling == .poisson
        var rounds = plan.roundNumbers
        if isPoisson { rounds = rounds.lowerBound..<1 }
        if plan.asksInParts { rounds = 1..<rounds.upperBound }
        // If the rounds differ in length, the next one begins at the end of the last one.
        var next = Duration.zero
        while let round = rounds.popFirst() {
            if plan.isUnderLoad, round >= 1 {
                guard await askInBlocks(inRound: round, in: &group) else { return }
                continue
            }
            let start = plan.asksInParts ? next : plan.start(ofRound: round, pattern)
            let probes: [Probe]
            switch await choice(ofRound: round, from: start) {
            case .whole: probes = plan.probes(inRound: round, pattern)
            case .part(let part):
                guard let ready = await warmUp(part, from: start, in: &group) else { return }
                next = ready + plan.period(of: part)
                probes = plan.probes(of: part, inRound: round, from: ready)
            case .end: return
            }
            let isAgain = isFurtherWarmup(round)
            if isAgain {
                guard await pacer.wait(until: start) else { return }
                if !probes.contains(where: warmups.wantsWarmup) {
                    pacer.bringForward(by: plan.start(ofRound: 1) - start)
                    rounds = 1..<rounds.upperBound
                    continue
                }
            }
            guard await ask(probes, inRound: round, again: isAgain, in: &group) else { return }
        }
        if isPoisson { await askByPoisson(in: &group) }
    }

    /// Returns the queries of a round, at its due time if the plan is open-ended. Returns `end`
    /// also if the task was cancelled.
    private mutating func choice(
        ofRound round: Int,
        from start: Duration
    ) async -> RoundChoice {
        let planned = plan.asksOnce ? RoundChoice.part(plan.partOnce(inRound: round)) : .whole
        guard plan.isOpenEnded, plan.asksInParts || round > 1 else { return planned }
        guard await pacer.wait(until: start) else { return .end }
        let chosen = choice(round)
        if chosen == .end { lastRound = round - 1 }
        return chosen == .whole ? planned : chosen
    }

    /// Whether a warm-up round repeats only the queries that the round before it found worthwhile.
    private func isFurtherWarmup(_ round: Int) -> Bool {
        round < 1 && round > plan.roundNumbers.lowerBound
    }

    /// Fills the caches for questions that are new in use. Returns the time of its end, from the
    /// start of the run.
    private mutating func warmUp(
        _ part: RoundPart,
        from start: Duration,
        in group: inout DiscardingTaskGroup
    ) async -> Duration? {
        var start = start
        var wanted = part
        wanted.questions = part.warmed
        guard !wanted.questions.isEmpty else { return start }
        for pass in 0..<plan.warmup {
            let probes = plan.probes(of: wanted, inRound: 0, from: start)
            if pass > 0 {
                guard await pacer.wait(until: start) else { return nil }
                guard probes.contains(where: warmups.wantsWarmup) else { break }
            }
            guard await ask(probes, inRound: 0, again: pass > 0, in: &group) else { return nil }
            start += plan.warmupPeriod(of: part)
        }
        return start
    }

    /// Sends the queries of all counted rounds, which overlap.
    private mutating func askByPoisson(in group: inout DiscardingTaskGroup) async {
        firstInterval = pacer.planned(plan.start(ofRound: 1))
        var schedule = PoissonSchedule(plan)
        var unsent = 0
        var counts: [Int: Int] = [:]
        while let turn = schedule.next() {
            let (probe, round) = (turn.probe, turn.probe.round)
            if let queries = turn.opens, round <= lastRound {
                let isToAsk = plan.isOpenEnded && round > 1
                if isToAsk, !(await pacer.wait(until: probe.offset)) { return }
                if isToAsk, choice(round) == .end {
                    lastRound = round - 1
                } else {
                    collector.open(round: round, queries: queries)
                    unsent += queries
                    counts[round] = queries
                }
            }
            if unsent == 0 { return }
            // Rounds that have begun are completed.
            if round > lastRound { continue }
            guard let sending = await pacer.wait(for: probe) else { return }
            unsent -= 1
            ask(probe, at: turn.position, of: counts[round] ?? 0, on: sending, in: &group)
        }
    }

    /// Sends the queries of a round under load, each block once the line is in its state. Returns false if
    /// the task was cancelled, or if a state is no longer possible.
    private mutating func askInBlocks(
        inRound round: Int,
        in group: inout DiscardingTaskGroup
    ) async -> Bool {
        let blocks = plan.blocks(inRound: round)
        let count = blocks.reduce(0) { $0 + $1.part.targets.count * $1.part.questions.count }
        var position = 0
        for (series, part) in blocks {
            let length = plan.length(ofBlock: part)
            // The next state would change the times of queries without an outcome.
            guard await asker.settle(), await prepare(series, length) else { return false }
            if position == 0 { collector.open(round: round, queries: count) }
            let start = pacer.elapsed
            for probe in plan.probes(of: part, inRound: round, from: start) {
                guard let turn = await pacer.wait(for: probe) else { return false }
                ask(probe, at: position, of: count, on: turn, in: &group)
                position += 1
            }
            // The pace holds from block to block.
            guard await pacer.wait(until: start + length) else { return false }
        }
        return true
    }

    /// Sends the queries of a round. With `again`, it sends only the warm-up queries that are
    /// worthwhile. Returns false if the task was cancelled before the last query.
    private mutating func ask(
        _ probes: [Probe],
        inRound round: Int,
        again: Bool,
        in group: inout DiscardingTaskGroup
    ) async -> Bool {
        if round >= 1 { collector.open(round: round, queries: probes.count) }
        for (position, probe) in probes.enumerated() {
            guard let turn = await pacer.wait(for: probe) else { return false }
            if again, !warmups.wantsWarmup(probe) { continue }
            if round < 1 { warmups.beginWarmup(probe) }
            ask(probe, at: position, of: probes.count, on: turn, in: &group)
        }
        return true
    }

    /// Sends a query now. It is at `position` of the `count` queries of its round.
    private func ask(
        _ probe: Probe,
        at position: Int,
        of count: Int,
        on turn: Pacer<C>.Turn,
        in group: inout DiscardingTaskGroup
    ) {
        var probe = probe
        probe.offset = turn.offset + collector.delay(ofRound: probe.round)
        (probe.position, probe.count) = (position, count)
        asker.announce()
        launch(&group) { [asker, probe] in await asker.ask(probe, due: turn.due) }
    }
}
