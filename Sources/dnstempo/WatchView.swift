import Measurement
import Reports
import Synchronization

/// The live view of a watch: a table of all its rounds so far, the last of them in a line, and when
/// the next one is due.
final class WatchView: Sendable {
    private struct State {
        var plan: Plan
        var progress: RunProgress
        var inUse: String?
        var last = "no round yet"
        /// The round that is under way, or due.
        var round = 1
        /// When it is due; `nil` once it began.
        var due: Timestamp?
        var screen = LiveScreen()
    }

    private let terminal = Terminal.error
    private let colour: Bool
    private let state: Mutex<State>

    /// `nil` where there is no terminal to draw on.
    init?(_ settings: Settings, quiet: Bool, colour: Bool) {
        guard !quiet, terminal.isTerminal, Environment["TERM"] != "dumb" else { return nil }
        self.colour = colour && terminal.allowsColour
        state = Mutex(
            State(
                plan: settings.plan,
                progress: RunProgress(of: settings.plan),
                inUse: settings.isBaselineInUse ? settings.baseline : nil
            )
        )
    }

    /// Shows what is measured from now on in a table of its own.
    func begin(_ settings: Settings, counting progress: RunProgress) {
        state.withLock { state in
            state.plan = settings.plan
            state.progress = progress
            state.inUse = settings.isBaselineInUse ? settings.baseline : nil
        }
    }

    /// Waits for a round that is due then, or measures it.
    func show(round: Int, due: Timestamp?) {
        state.withLock { state in
            state.round = round
            state.due = due
        }
    }

    /// What became of the last round.
    func show(last: String) { state.withLock { $0.last = last } }

    /// Prints whole lines that stay.
    func write(above text: String) {
        state.withLock { state in
            try? terminal.write(state.screen.erase(width: terminal.size.columns) + text)
        }
    }

    /// Draws until the task is cancelled, and then leaves the screen as it was.
    func follow() async {
        while !Task.isCancelled {
            state.withLock { draw(&$0) }
            // A countdown needs no more.
            let isIdle = state.withLock { $0.due != nil }
            try? await Task.sleep(for: isIdle ? .seconds(1) : .milliseconds(200))
        }
        state.withLock { state in
            try? terminal.write(state.screen.erase(width: terminal.size.columns))
        }
    }

    private func draw(_ state: inout State) {
        let size = terminal.size
        let table = LiveTable(width: size.columns, height: size.rows, colour: colour)
        var live = LiveProgress(
            state.progress.snapshot(after: .zero),
            of: state.plan,
            inUse: state.inUse
        )
        live.status = [state.last, Self.next(state)]
        try? terminal.write(state.screen.frame(table.lines(live), width: size.columns))
    }

    private static func next(_ state: State) -> String {
        guard let due = state.due else { return "round \(state.round) is being measured" }
        let clock = LocalClock.system(from: due, to: due)
        let wait = Duration.nanoseconds(max(0, due.nanoseconds - Timestamp.now.nanoseconds))
        return "round \(state.round) is due at \(clock.timeOfDay(due)), "
            + "in \(LatencyFormat.span(wait))"
    }
}
