import ArgumentParser
import Measurement
import Reports
import Samples
import Statistics
import Synchronization

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
        let sleep = InterruptibleSleep()
        Signals.whenResized { sleep.end() }
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
            await sleep.wait(until: clock.now.advanced(by: .milliseconds(200)), on: clock)
        }
        Signals.whenResized(nil)
        canvas.erase()
    }
}

/// Whether somebody looks on while it is measured.
struct LiveOptions: ParsableArguments {
    /// How a run is shown while it is under way.
    enum Kind {
        case none
        /// A table that is drawn over and over.
        case table
        /// A line a round.
        case lines
    }

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            """
            Show a table that grows while it is measured; without a terminal for it a line a round. \
            (default: on a terminal)
            """
        )
    )
    var live: Bool?

    /// On standard error, so that standard output carries nothing but data.
    func kind(quiet: Bool) throws(Failure) -> Kind {
        if quiet, live == true {
            throw Failure(.usage, "--live and --quiet exclude each other: leave one out")
        }
        if quiet || live == false { return .none }
        if Terminal.error.isTerminal, Environment["TERM"] != "dumb" { return .table }
        return live == true ? .lines : .none
    }
}

/// The place on the terminal where the live view is drawn over and over.
struct LiveCanvas {
    private let terminal = Terminal.error
    private let colour: Bool
    private var screen = LiveScreen()
    /// When all of it was last drawn.
    private var lastWhole: ContinuousClock.Instant?

    /// Drawn whole so often, what others wrote on the terminal does not stay.
    private static let mending = Duration.seconds(1)

    init(colour: Bool) { self.colour = colour && terminal.allowsColour }

    mutating func draw(_ progress: LiveProgress) {
        let size = terminal.size
        let table = LiveTable(width: size.columns, height: size.rows, colour: colour)
        let now = ContinuousClock.now
        let isWhole = lastWhole.map { now - $0 >= Self.mending } ?? true
        if isWhole { lastWhole = now }
        let lines = table.lines(progress).map(terminal.legible)
        let frame = screen.frame(lines, columns: size.columns, rows: size.rows, isWhole: isWhole)
        try? terminal.write(frame)
    }

    /// Leaves the screen as it was.
    mutating func erase() { write(above: "") }

    /// Writes whole lines that stay, in place of what is drawn until it is drawn again.
    mutating func write(above text: String) {
        let size = terminal.size
        try? terminal.write(screen.erase(columns: size.columns, rows: size.rows) + text)
    }
}

/// The live view of a watch: a table of all its rounds so far, the last of them in a line, and when
/// the next one is due.
final class WatchView: Sendable {
    private struct State {
        var progress: RunProgress
        var evidence: RecentEvidence
        var standings: [Int: CandidateStanding] = [:]
        var inUse: String?
        var last = "no round yet"
        /// How many rounds wait for a store that cannot be written.
        var unstored = 0
        var underWay: Set<Int> = []
        /// The next round, and when it is due; `nil` before the first and after the last.
        var next: (round: Int, due: Timestamp)?
        var canvas: LiveCanvas
    }

    private let state: Mutex<State>
    /// Rung when the window has another size.
    private let sleep = InterruptibleSleep()

    init(_ settings: Settings, colour: Bool) {
        state = Mutex(
            State(
                progress: RunProgress(of: settings.plan),
                evidence: RecentEvidence(settings, tampering: []),
                inUse: settings.isBaselineInUse ? settings.baseline : nil,
                canvas: LiveCanvas(colour: colour)
            )
        )
    }

    /// Shows what `session` measures from now on in a table of its own; returns what counts that.
    func begin(_ session: Session) -> RunProgress {
        let settings = session.settings
        let progress = RunProgress(of: settings.plan)
        let evidence = RecentEvidence(settings, tampering: Set(session.tampering.keys))
        state.withLock { state in
            state.progress = progress
            state.evidence = evidence
            state.standings = evidence.standings
            state.inUse = settings.isBaselineInUse ? settings.baseline : nil
        }
        return progress
    }

    /// Takes in what a round says, in the order of the rounds.
    func add(_ taken: MeasuredRound) {
        state.withLock { state in
            state.evidence.add(taken)
            state.standings = state.evidence.standings
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
    func write(above text: String) { state.withLock { $0.canvas.write(above: text) } }

    /// Draws until the task is cancelled, and then leaves the screen as it was.
    func follow() async {
        Signals.whenResized { [sleep] in sleep.end() }
        let clock = ContinuousClock()
        while !Task.isCancelled {
            state.withLock { draw(&$0) }
            // A countdown needs no more.
            let isIdle = state.withLock { $0.underWay.isEmpty && $0.next != nil }
            let pause = isIdle ? Duration.seconds(1) : .milliseconds(200)
            await sleep.wait(until: clock.now.advanced(by: pause), on: clock)
        }
        Signals.whenResized(nil)
        state.withLock { $0.canvas.erase() }
    }

    private func draw(_ state: inout State) {
        var live = LiveProgress(
            state.progress.snapshot(after: .zero),
            inUse: state.inUse,
            standings: state.standings
        )
        live.status = [Self.past(state), Self.next(state)]
        state.canvas.draw(live)
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
        if let since = state.evidence.since {
            let clock = LocalClock.system(from: since, to: since)
            parts.append("evidence since \(clock.timeOfDay(since))")
        }
        return parts.joined(separator: "; ")
    }
}

/// What a watch prints: a line a round where nobody looks on, the live view where somebody does.
final class WatchConsole: Sendable {
    private let isQuiet: Bool
    private let view: WatchView?
    private let failure = Mutex<Failure?>(nil)

    init(quiet: Bool, view: WatchView?) {
        isQuiet = quiet
        self.view = view
    }

    /// Why standard output did not take a line, where it did not.
    var outputFailure: Failure? { failure.withLock { $0 } }

    /// Draws the live view, if there is one, until the task is cancelled.
    func follow() async { await view?.follow() }

    /// Counts what is measured from now on; `nil` where nobody looks on.
    func begin(_ session: Session) -> RunProgress? { view?.begin(session) }

    /// The next round is due `wait` from now.
    func show(next round: Int, in wait: Duration) {
        view?.show(next: round, due: Timestamp.now.advanced(by: wait))
    }

    /// A round begins to be measured, or has come to its end.
    func show(round: Int, isUnderWay: Bool) { view?.show(round: round, isUnderWay: isUnderWay) }

    /// So many rounds wait for a store that cannot be written.
    func show(unstored: Int) { view?.show(unstored: unstored) }

    /// What a round says of the resolvers.
    func add(_ taken: MeasuredRound) { view?.add(taken) }

    /// What became of a round; false where nobody reads on.
    func announce(_ line: RoundLine) -> Bool {
        let text = line.text(on: LocalClock.system(from: line.start, to: line.start))
        view?.show(last: text)
        return isQuiet || (view != nil && Terminal.output.isTerminal) || print(text)
    }

    /// Prints a line on standard output; false where nobody reads on.
    @discardableResult
    func print(_ line: String) -> Bool {
        do {
            return try Terminal.output.reach("\(EscapedText.terminal(line))\n")
        } catch {
            // That a round is stored matters more than that it is told.
            let isFirst = failure.withLock { failure in
                defer { failure = failure ?? Failure(describing: error) }
                return failure == nil
            }
            if isFirst { warn("\(error); the rounds go on") }
            return true
        }
    }

    /// Says on standard error what is good to know.
    func mention(_ text: String) {
        if !isQuiet { warn(text) }
    }

    /// Says on standard error what went wrong.
    func warn(_ text: String) {
        let line = "dnstempo: \(EscapedText.terminal(text))\n"
        if let view {
            view.write(above: line)
        } else {
            try? Terminal.error.write(line)
        }
    }
}
