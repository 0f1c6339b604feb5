package import Samples
import Synchronization

/// Sorts the samples of a run, which arrive in the order of the answers, by send time.
final class SampleCollector: Sendable {
    private struct OpenRound {
        var number: Int
        /// The total time that the machine was suspended before the round began.
        var slept: Duration
        /// The time that the machine was suspended during the run, when the first query of the
        /// round was sent; `nil` before that.
        var delay: Duration?
        /// The number of queries that have not ended.
        var outstanding: Int
        /// The samples by send time.
        var samples: [Sample]
        /// Whether each sample has arrived. The others are fillers.
        var isThere: [Bool]
    }

    /// A substitute for a sample that has not arrived.
    private static let filler = Sample(
        round: 0,
        target: 0,
        question: 0,
        scheduled: Timestamp(nanoseconds: 0),
        observation: Observation(outcome: .offline)
    )

    private struct State {
        /// The rounds in progress, in their order. A round ends after its timeout, when later
        /// rounds have begun.
        var open: [OpenRound] = []
        var recording: Recording
        var wholeRounds = 0

        /// The index of a round among the rounds in progress.
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

    /// Opens `round`, which follows the last opened round and has this number of samples.
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

    /// The delay of the queries of an open round, compared with a clock that stops while the
    /// machine is suspended. All queries of the round have the same delay, because their times are
    /// compared.
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

    /// Records the end of the query at `position` of an open round; `nil` if it has no outcome.
    func record(_ sample: Sample?, at position: Int, inRound number: Int) {
        // The callbacks run under the lock, so that they run one at a time and rounds stay in
        // order.
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

    /// Closes incomplete rounds. Returns the kept samples and the number of whole rounds.
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
        // The samples of a whole round, which may be large, are not copied.
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
    /// One round of the run of this recording, with samples by send time and with its marks.
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
    /// Sets the outcome of samples without a route. If no permitted query of a round had a route,
    /// they become `offline`. If another resolver had a route, they stay `unreachable`.
    ///
    /// A resolver on this machine, or on this network without a router, always has a route. If
    /// other resolvers are present, only its answers indicate a route beyond. A wrong address
    /// indicates nothing.
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

/// A measurement of the time that the machine was suspended: the difference between a clock that
/// continues and a clock that stops.
package struct SleepMeter: Sendable {
    /// The minimum difference. A smaller one may come from the clocks' own rates.
    package static let least = Duration.milliseconds(100)

    private let read: @Sendable () -> Duration

    /// Starts the measurement.
    package init<Going: Clock, Standing: Clock>(_ going: Going, _ standing: Standing)
    where Going.Duration == Duration, Standing.Duration == Duration {
        let start = going.now
        let startOfStanding = standing.now
        read = {
            var ahead = Duration.zero
            // If the process has to wait between two readings, the machine was not suspended.
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

    /// The total time since the meter was created, within the duration of the first reading.
    package var total: Duration { read() }

    /// Whether the machine was suspended after the meter read `earlier`.
    package func hasSlept(since earlier: Duration) -> Bool { total - earlier > Self.least }
}
