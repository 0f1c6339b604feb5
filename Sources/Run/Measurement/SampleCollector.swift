package import Samples
import Synchronization

/// Puts the samples of a run, which come in the order of the answers, into the order of sending.
final class SampleCollector: Sendable {
    private struct OpenRound {
        var number: Int
        /// The time that the machine had slept when it began.
        var slept: Duration
        /// The time that it had slept in the run when the first query left; `nil` before that.
        var delay: Duration?
        /// Queries without an end.
        var outstanding: Int
        /// By the time of sending.
        var samples: [Sample]
        /// Which of them have come; the others are fillers.
        var isThere: [Bool]
    }

    /// Takes the place of a sample that has not come.
    private static let filler = Sample(
        round: 0,
        target: 0,
        question: 0,
        scheduled: Timestamp(nanoseconds: 0),
        observation: Observation(outcome: .offline)
    )

    private struct State {
        /// Rounds under way, in their order: one ends after its timeout, when others have begun.
        var open: [OpenRound] = []
        var recording: Recording
        var wholeRounds = 0

        /// The place of a round among those under way.
        func place(of round: Int) -> Int? {
            guard let first = open.first?.number, open.indices.contains(round - first) else {
                return nil
            }
            return round - first
        }
    }

    private let state: Mutex<State>
    private let texts: Recording
    private let runner: Runner
    private let sleptBefore: Duration
    private let onSample: @Sendable (Sample, _ round: Int) -> Void
    private let onRound: @Sendable (Recording) -> Void

    init(
        of runner: Runner,
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void,
        onRound: @escaping @Sendable (Recording) -> Void
    ) {
        let plan = runner.plan
        texts = Recording(runs: [runner.run], targets: plan.targets, questions: plan.questions)
        state = Mutex(State(recording: texts))
        self.runner = runner
        sleptBefore = runner.sleep.total
        self.onSample = onSample
        self.onRound = onRound
    }

    /// Expects so many samples of `round`, which follows the one opened before.
    func open(round: Int, queries: Int) {
        let round = OpenRound(
            number: round,
            slept: runner.sleep.total,
            outstanding: queries,
            samples: [Sample](repeating: Self.filler, count: queries),
            isThere: [Bool](repeating: false, count: queries)
        )
        state.withLock { $0.open.append(round) }
    }

    /// By how much the queries of an open round, one of which leaves now, come later than a clock says that
    /// stands still while the machine sleeps: one time for all of them, which are compared by theirs.
    func delay(ofRound number: Int) -> Duration {
        state.withLock { state in
            guard let index = state.place(of: number) else { return .zero }
            if let delay = state.open[index].delay { return delay }
            let slept = runner.sleep.total - sleptBefore
            let delay = slept > SleepMeter.least ? slept : .zero
            state.open[index].delay = delay
            return delay
        }
    }

    /// Takes the end of the query at `position` of an open round; `nil` if it has no outcome.
    func record(_ sample: Sample?, at position: Int, inRound number: Int) {
        // The callbacks run under the lock, which keeps them one at a time and rounds in order.
        state.withLock { state in
            guard let index = state.place(of: number),
                state.open[index].samples.indices.contains(position)
            else { return }
            state.open[index].outstanding -= 1
            if let sample {
                state.open[index].samples[position] = sample
                state.open[index].isThere[position] = true
                onSample(sample, number)
            }
            while let round = state.open.first, round.outstanding <= 0 {
                deliver(state.open.removeFirst(), &state)
            }
        }
    }

    /// Closes rounds that were cut short, and returns what was kept and how many rounds are whole.
    func finish() -> (recording: Recording, wholeRounds: Int) {
        state.withLock { state in
            while !state.open.isEmpty {
                let round = state.open.removeFirst()
                if round.isThere.contains(true) { deliver(round, &state) }
            }
            return (state.recording, state.wholeRounds)
        }
    }

    private func deliver(_ round: consuming OpenRound, _ state: inout State) {
        let isWhole = !round.isThere.contains(false)
        // Of a whole one, which may be large, there is no second.
        let samples =
            isWhole
            ? round.samples
            : zip(round.samples, round.isThere).filter(\.1).map(\.0)
        if isWhole && state.wholeRounds == round.number - 1 { state.wholeRounds = round.number }
        let recording = texts.round(
            round.number,
            of: samples,
            isWhole: isWhole,
            marks: runner.sleep.hasSlept(since: round.slept) ? .suspended : []
        )
        if runner.keepsSamples { state.recording.merge(recording) }
        onRound(recording)
    }
}

extension Recording {
    /// One round of a run that this one has, of samples by the time of sending, with its marks.
    package func round(
        _ number: Int,
        of samples: [Sample],
        isWhole: Bool,
        marks: RoundMarks
    ) -> Recording {
        var recording = self
        recording.samples = samples
        recording.samples.settleRoutes(targets)
        recording.rounds = [
            Round(
                number: Int32(clamping: number),
                started: samples.lazy.map(\.scheduled).min() ?? Timestamp(nanoseconds: 0),
                marks: RoundMarks.of(recording.samples, targets: targets).union(marks),
                isWhole: isWhole
            )
        ]
        return recording
    }
}

extension [Sample] {
    /// In a round in which nothing that may be sent had a route, the samples become `offline`;
    /// where another resolver had one, they stay `unreachable`. To one on this machine there is
    /// always a way, and to one on this network without a router: beside others, only their answers
    /// tell of a way further. A wrong address tells nothing.
    fileprivate mutating func settleRoutes(_ targets: [Recording.Target]) {
        defer {
            for index in indices where self[index].observation.wrongAddress {
                self[index].observation.wrongAddress = false
                self[index].observation.sent = nil
            }
        }
        guard contains(where: { $0.observation.noRoute }) else { return }
        let allowed = filter {
            $0.observation.outcome != .blocked && !$0.observation.wrongAddress
        }
        func told(by isTelling: (Int) -> Bool) -> [Sample] {
            allowed.filter { isTelling(Int($0.target)) || $0.observation.outcome.isAnswer }
        }
        let beyond = told(by: targets.isBeyondNetwork)
        let telling = [beyond, told(by: targets.isFar), allowed].first { !$0.isEmpty }
        let offline = telling?.allSatisfy(\.observation.noRoute) ?? true
        for index in indices where self[index].observation.noRoute {
            self[index].observation.noRoute = false
            self[index].observation.outcome = offline ? .offline : .unreachable
            self[index].observation.sent = nil
        }
    }
}

/// How long the machine has slept: by how much a clock that goes on meanwhile gets ahead of one
/// that stands still.
package struct SleepMeter: Sendable {
    /// Less than this may be due to the clocks' own rates.
    package static let least = Duration.milliseconds(100)

    private let read: @Sendable () -> Duration

    /// Counts from now on.
    package init<Going: Clock, Standing: Clock>(_ going: Going, _ standing: Standing)
    where Going.Duration == Duration, Standing.Duration == Duration {
        let start = going.now
        let startOfStanding = standing.now
        read = {
            var ahead = Duration.zero
            // A process that has to wait between two readings has not slept.
            for _ in 0..<5 {
                let before = going.now
                let awake = startOfStanding.duration(to: standing.now)
                ahead = start.duration(to: before) - awake
                if before.duration(to: going.now) < Self.least / 10 { break }
            }
            return ahead
        }
    }

    /// Linux: CLOCK_BOOTTIME and CLOCK_MONOTONIC; macOS: CLOCK_MONOTONIC_RAW and CLOCK_UPTIME_RAW.
    package static let system = SleepMeter(ContinuousClock(), SuspendingClock())

    /// In all since the meter was made, give or take what the first reading took.
    package var total: Duration { read() }

    /// Whether the machine slept since the meter read `earlier`.
    package func hasSlept(since earlier: Duration) -> Bool { total - earlier > Self.least }
}
