import ArgumentParser
import Catalogue
import Failures
import Measurement
import Processes
import Reports
import Runs
import Samples
import Statistics
import Synchronization

/// The view of a run in progress on standard error: a growing table, or lines.
struct LiveView: RunWatcher {
    let kind: LiveOptions.Kind
    let colour: Bool
    /// The redaction of lines. The table is removed at the end of the run.
    let redaction: Redaction?

    /// Shows the progress of a run until the task is cancelled, and then removes the table.
    func follow(
        _ progress: RunProgress,
        inUse: String?,
        evidence: @Sendable () -> [Int: EvidenceProgress]
    ) async {
        let start = ContinuousClock.now
        var canvas = LiveCanvas(colour: colour)
        var told = 0
        func show() {
            let live = LiveProgress(
                progress.snapshot(after: start.duration(to: .now)),
                inUse: inUse,
                evidence: evidence()
            )
            if kind == .lines, live.snapshot.settledRound > told {
                told = live.snapshot.settledRound
                let line = redaction?.text(live.line) ?? live.line
                try? Terminal.error.write(line + "\n")
            } else if kind == .table, !Task.isCancelled {
                canvas.draw(live)
            }
        }
        await LiveCanvas.redraw {
            show()
            return .milliseconds(200)
        }
        show()
        canvas.erase()
    }
}

struct LiveOptions: ParsableArguments {
    enum Kind {
        case none
        case table
        case lines
    }

    @Flag(
        inversion: .prefixedNo,
        help: "Show a live table; without a terminal, at most five lines per second."
    )
    var live: Bool?

    /// The view on standard error, so that standard output contains only data.
    func kind(quiet: Bool) throws(Failure) -> Kind {
        if quiet, live == true {
            throw Failure.usage("--live and --quiet cannot be combined: leave one out")
        }
        if quiet || live == false { return .none }
        let mayDraw = Environment["TERM"] != "dumb" && !Terminal.wantsPlain
        if Terminal.error.isTerminal, mayDraw { return .table }
        return live == true ? .lines : .none
    }
}

/// The area of the terminal in which the live view is redrawn.
struct LiveCanvas {
    private let terminal = Terminal.error
    private let colour: Bool
    private var screen = LiveScreen()
    private var lastWhole: ContinuousClock.Instant?

    /// The interval of full redraws. They overwrite output of other programs.
    private static let mending = Duration.seconds(1)

    init(colour: Bool) { self.colour = colour && terminal.allowsColour }

    /// Calls `draw` after the pauses that it returns, and at once after a change of the window's size. Ends
    /// when the task is cancelled.
    static func redraw(_ draw: () -> Duration) async {
        let sleep = InterruptibleSleep()
        Signals.whenResized { sleep.end() }
        while !Task.isCancelled {
            let pause = draw()
            await sleep.wait(until: .now + pause, on: ContinuousClock())
        }
        Signals.whenResized(nil)
    }

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

    mutating func erase() { write(above: "") }

    /// Writes whole lines that stay above the live view. The view disappears until the next redraw.
    mutating func write(above text: String) {
        let size = terminal.size
        try? terminal.write(screen.erase(columns: size.columns, rows: size.rows) + text)
    }
}

/// The output of a watch. Without an interactive terminal, it prints one line per round. On a terminal, it
/// shows a table of all rounds, the last round in a line, and the time of the next round.
final class WatchConsole: RoundConsole {
    fileprivate struct State {
        var progress: RunProgress
        var evidence: RecentEvidence
        var inUse: String?
        var last = "no round yet"
        /// The number of rounds that wait for a store that cannot be written.
        var unstored = 0
        var underWay: Set<Int> = []
        /// The next round and its due time. `nil` before the first and after the last round.
        var next: (round: Int, due: Timestamp)?
    }

    private let isQuiet: Bool
    /// The state of the table. `nil` without a table.
    private let state: Mutex<State?>
    /// The area of the table. Rounds wait for the state, but never for a blocked terminal.
    private let canvas: Mutex<LiveCanvas?>
    private let failure = Mutex<Failure?>(nil)

    /// Creates a console. It has a `table` of the order if one is requested.
    init(quiet: Bool, table order: RunOrder? = nil, colour: Bool = false) {
        isQuiet = quiet
        state = Mutex(
            order.map { order in
                State(
                    progress: RunProgress(of: order.plan),
                    evidence: RecentEvidence(order, tampering: []),
                    inUse: order.baselineInUse
                )
            }
        )
        canvas = Mutex(order.map { _ in LiveCanvas(colour: colour) })
    }

    /// The reason why standard output rejected a line. `nil` without a failure.
    var outputFailure: Failure? { failure.withLock { $0 } }

    // MARK: - Table

    /// Draws the table, if there is one, until the task is cancelled, and then removes it.
    func follow() async {
        guard state.withLock({ $0 != nil }) else { return }
        await LiveCanvas.redraw {
            guard let state = state.withLock(\.self) else { return .seconds(1) }
            let live = state.live
            canvas.withLock { $0?.draw(live) }
            // A countdown requires no more frequent updates.
            let isIdle = state.underWay.isEmpty && state.next != nil
            return isIdle ? .seconds(1) : .milliseconds(200)
        }
        canvas.withLock { $0?.erase() }
    }

    func begin(_ order: RunOrder, tampering: Set<String>) -> RunProgress? {
        state.withLock { state in
            guard state != nil else { return nil }
            let progress = RunProgress(of: order.plan)
            state?.progress = progress
            state?.evidence = RecentEvidence(order, tampering: tampering)
            state?.inUse = order.baselineInUse
            return progress
        }
    }

    func show(next round: Int, in wait: Duration) {
        state.withLock { $0?.next = (round, Timestamp.now.advanced(by: wait)) }
    }

    func show(round: Int, isUnderWay: Bool) {
        state.withLock { state in
            if isUnderWay {
                state?.underWay.insert(round)
                state?.next = nil
            } else {
                state?.underWay.remove(round)
            }
        }
    }

    func show(unstored: Int) { state.withLock { $0?.unstored = unstored } }

    // MARK: - Lines

    func announce(_ round: MeasuredRound, isStored: Bool) -> Bool {
        let text = RoundLine.text(
            number: Int(round.round.number),
            start: round.start,
            on: LocalClock.system(from: round.start, to: round.start),
            counts: round.counts,
            marks: round.round.marks,
            unverified: round.recording.samples.count {
                $0.observation.flags.contains(.unverified)
            },
            missed: round.missed,
            fate: isStored ? "stored" : "measured"
        )
        let hasTable = state.withLock { state in
            state?.evidence.add(round)
            state?.last = text
            return state != nil
        }
        return isQuiet || (hasTable && Terminal.output.isTerminal) || print(text)
    }

    /// Prints a line on standard output. Returns false if no reader is left.
    @discardableResult
    func print(_ line: String) -> Bool {
        do {
            let text = Terminal.output.legible("\(EscapedText.terminal(line))\n")
            return try Terminal.output.reach(Array(text.utf8))
        } catch {
            // Storing a round matters more than printing it.
            let isFirst = failure.withLock { failure in
                defer { failure = failure ?? Failure(describing: error) }
                return failure == nil
            }
            if isFirst { warn("\(error); the rounds go on") }
            return true
        }
    }

    func note(_ period: Duration, wanting interval: Duration) {
        guard Terminal.error.isTerminal else { return }
        let times = [period, interval].map { LatencyFormat.plain(Double($0.nanoseconds) / 1e6) }
        mention(
            "rounds start every \(times[0]), not \(times[1]): at this pace (--rate, --total-rate) the "
                + "queries of one take that long"
        )
    }

    func mention(_ text: String) {
        if !isQuiet { warn(text) }
    }

    func warn(_ text: String) {
        canvas.withLock { canvas in
            if canvas == nil {
                Terminal.mention(text)
            } else {
                canvas?.write(above: "dnstempo: \(EscapedText.terminal(text))\n")
            }
        }
    }
}

extension WatchConsole.State {
    fileprivate var live: LiveProgress {
        var live = LiveProgress(
            progress.snapshot(after: .zero),
            inUse: inUse,
            evidence: evidence.progress
        )
        live.status = [past, future]
        return live
    }

    private var past: String {
        if unstored == 0 { return last }
        return "\(unstored) \(unstored == 1 ? "round waits" : "rounds wait") to be stored; \(last)"
    }

    private var future: String {
        var parts: [String] = []
        if let round = underWay.max() { parts.append("round \(round) is being measured") }
        if let (round, due) = next {
            let clock = LocalClock.system(from: due, to: due)
            let wait = Duration.nanoseconds(max(0, due.nanoseconds - Timestamp.now.nanoseconds))
            parts.append(
                "round \(round) is due at \(clock.timeOfDay(due)), in \(LatencyFormat.span(wait))"
            )
        }
        if let since = evidence.since {
            let clock = LocalClock.system(from: since, to: since)
            parts.append("evidence since \(clock.timeOfDay(since))")
        }
        return parts.joined(separator: "; ")
    }
}
