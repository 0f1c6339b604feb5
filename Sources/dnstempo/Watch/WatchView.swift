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
        /// How many rounds wait for a store that cannot be written.
        var unstored = 0
        var underWay: Set<Int> = []
        /// The next round, and when it is due; `nil` before the first and after the last.
        var next: (round: Int, due: Timestamp)?
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

    /// The next round, and when it is due.
    func show(next round: Int, due: Timestamp) { state.withLock { $0.next = (round, due) } }

    /// Begins to measure a round, or ends it.
    func show(round: Int, isUnderWay: Bool) {
        state.withLock { state in
            if isUnderWay {
                state.underWay.insert(round)
                state.next = nil
            } else {
                state.underWay.remove(round)
            }
        }
    }

    /// What became of the last round.
    func show(last: String) { state.withLock { $0.last = last } }

    func show(unstored: Int) { state.withLock { $0.unstored = unstored } }

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
            let isIdle = state.withLock { $0.underWay.isEmpty && $0.next != nil }
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
        live.status = [Self.past(state), Self.next(state)]
        try? terminal.write(state.screen.frame(table.lines(live), width: size.columns))
    }

    private static func past(_ state: State) -> String {
        let unstored = state.unstored
        if unstored == 0 { return state.last }
        return "\(unstored) \(unstored == 1 ? "round waits" : "rounds wait") to be stored; "
            + state.last
    }

    private static func next(_ state: State) -> String {
        var parts: [String] = []
        if let round = state.underWay.max() { parts.append("round \(round) is being measured") }
        if let (round, due) = state.next {
            let clock = LocalClock.system(from: due, to: due)
            let wait = Duration.nanoseconds(max(0, due.nanoseconds - Timestamp.now.nanoseconds))
            parts.append(
                "round \(round) is due at \(clock.timeOfDay(due)), in \(LatencyFormat.span(wait))"
            )
        }
        return parts.joined(separator: "; ")
    }
}
