import Measurement
import Reports
import Samples
import Statistics

/// What is shown on standard error while a run is under way: a table that grows, or lines.
struct LiveView {
    private let kind: LiveOptions.Kind
    private let colour: Bool
    private let baselineInUse: String?

    /// `nil` where nothing is to be shown.
    init?(_ kind: LiveOptions.Kind, colour: Bool, baselineInUse: String?) {
        if kind == .none { return nil }
        self.kind = kind
        self.colour = colour
        self.baselineInUse = baselineInUse
    }

    /// Shows how far a run is until the task is cancelled, and then leaves the terminal as it was,
    /// but for lines.
    func follow(
        _ progress: RunProgress,
        standings: @Sendable () -> [Int: CandidateStanding]
    ) async {
        let clock = ContinuousClock()
        let start = clock.now
        let alarm = Alarm()
        Interruption.whenResized { alarm.ring() }
        var canvas = LiveCanvas(colour: colour)
        var told = 0
        while true {
            let isOver = Task.isCancelled
            let live = LiveProgress(
                progress.snapshot(after: start.duration(to: clock.now)),
                inUse: baselineInUse,
                standings: standings()
            )
            if kind == .lines, live.settledRound > told {
                told = live.settledRound
                try? Terminal.error.write(Terminal.error.legible(LiveLine(live).text) + "\n")
            } else if kind == .table, !isOver {
                canvas.draw(live)
            }
            if isOver { break }
            await alarm.sleep(until: clock.now.advanced(by: .milliseconds(200)), on: clock)
        }
        Interruption.whenResized(nil)
        canvas.erase()
    }
}
