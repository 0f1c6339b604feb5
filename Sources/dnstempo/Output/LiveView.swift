import ArgumentParser
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
