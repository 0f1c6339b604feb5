import Measurement
import Reports
import Samples
import Synchronization

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
    func begin(_ settings: Settings) -> RunProgress? {
        view.map { view in
            let progress = RunProgress(of: settings.plan)
            view.begin(settings, counting: progress)
            return progress
        }
    }

    /// The next round is due `wait` from now.
    func show(next round: Int, in wait: Duration) {
        view?.show(next: round, due: Timestamp.now.advanced(by: wait))
    }

    /// A round begins to be measured, or has come to its end.
    func show(round: Int, isUnderWay: Bool) { view?.show(round: round, isUnderWay: isUnderWay) }

    /// So many rounds wait for a store that cannot be written.
    func show(unstored: Int) { view?.show(unstored: unstored) }

    /// What a round says of the resolvers.
    func add(_ taken: TakenRound) { view?.add(taken) }

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
