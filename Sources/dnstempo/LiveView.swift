import Measurement
import Reports
import Statistics

/// The table that grows on the terminal while a run is under way. It goes to standard error, so
/// that standard output carries nothing but data.
struct LiveView {
    private let terminal = Terminal.error
    private let colour: Bool
    private let baselineInUse: String?

    /// `nil` where there is no terminal to draw on.
    init?(quiet: Bool, colour: Bool, baselineInUse: String?) {
        guard !quiet, terminal.isTerminal, Environment["TERM"] != "dumb" else { return nil }
        self.colour = colour && terminal.allowsColour
        self.baselineInUse = baselineInUse
    }

    /// Draws until the task is cancelled, and then leaves the screen as it was.
    func follow(_ progress: RunProgress, _ plan: Plan) async {
        let clock = ContinuousClock()
        let start = clock.now
        var screen = LiveScreen()
        while !Task.isCancelled {
            let size = terminal.size
            let table = LiveTable(width: size.columns, height: size.rows, colour: colour)
            let snapshot = progress.snapshot(after: start.duration(to: clock.now))
            let lines = table.lines(LiveProgress(snapshot, plan, baselineInUse: baselineInUse))
            try? terminal.write(screen.frame(lines, width: size.columns))
            try? await Task.sleep(for: .milliseconds(200))
        }
        try? terminal.write(screen.erase(width: terminal.size.columns))
    }
}

extension LiveProgress {
    init(_ snapshot: RunProgress.Snapshot, _ plan: Plan, baselineInUse: String?) {
        let timeout = plan.timeout / .milliseconds(1)
        let perRound = max(1, plan.probesPerRound)
        self.init(
            resolvers: zip(plan.targets, snapshot.targets).map { target, now in
                LiveProgress.Resolver(
                    name: target.label,
                    answered: now.answered,
                    lost: now.lost,
                    latency: LatencySummary(
                        answers: now.times.filter(\.isFinite),
                        nonAnswers: now.times.count { !$0.isFinite },
                        timeout: timeout
                    ),
                    isInUse: target.label == baselineInUse
                )
            },
            done: snapshot.done,
            planned: snapshot.total,
            round: snapshot.done == 0 ? 0 : min(plan.rounds, snapshot.done / perRound + 1),
            rounds: plan.rounds,
            remaining: snapshot.remaining
        )
    }
}
