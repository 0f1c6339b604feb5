import Measurement
import Reports

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
            let lines = table.lines(LiveProgress(snapshot, of: plan, inUse: baselineInUse))
            try? terminal.write(screen.frame(lines, width: size.columns))
            try? await Task.sleep(for: .milliseconds(200))
        }
        try? terminal.write(screen.erase(width: terminal.size.columns))
    }
}
