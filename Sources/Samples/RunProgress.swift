import Statistics
import Synchronization

/// The aim of a run, as far as its progress shows it.
package struct RunScope: Hashable, Sendable {
    package var targets: [Recording.Target]
    package var timeout: Duration
    package var rounds: Int
    /// Whether it may end before the last of the rounds.
    package var isOpenEnded: Bool
    /// All queries that count.
    package var queries: Int
    /// Until the last query is sent.
    package var duration: Duration

    package init(
        targets: [Recording.Target],
        timeout: Duration,
        rounds: Int,
        isOpenEnded: Bool,
        queries: Int,
        duration: Duration
    ) {
        self.targets = targets
        self.timeout = timeout
        self.rounds = rounds
        self.isOpenEnded = isOpenEnded
        self.queries = queries
        self.duration = duration
    }
}

/// How far a run has come, for a live view that looks from another thread whenever it likes.
package final class RunProgress: Sendable {
    /// A moment's view.
    package struct Snapshot: Sendable {
        package var scope: RunScope
        /// Samples taken.
        package var done: Int
        /// The latest round with a sample; 0 before the first.
        package var round: Int
        /// The latest round whose samples are final; 0 before the first.
        package var settledRound: Int
        package var elapsed: Duration
        /// Until the last query is sent, by plan.
        package var remaining: Duration
        /// In the order of the scope's targets.
        package var targets: [Target]
    }

    /// One resolver so far.
    package struct Target: Hashable, Sendable {
        /// NOERROR or NXDOMAIN.
        package private(set) var answered = 0
        /// Sent, and not answered so.
        package private(set) var lost = 0
        /// Whether an answer may be anybody's, since no certificate was verified.
        package private(set) var isUnverified = false
        private var kept: [Float] = []

        private static let room = 1000

        /// Milliseconds, infinite without an answer: every query's while there is room, then an even
        /// choice of all (Vitter 1985, algorithm R).
        package var times: [Double] { kept.map(Double.init) }

        /// Counts how one query ended; a filtered answer, and what was not sent, say nothing.
        fileprivate mutating func count(
            _ observation: Observation,
            in series: Series,
            _ random: inout RandomSequence
        ) {
            if observation.flags.contains(.unverified) { isUnverified = true }
            switch observation.outcome {
            case .answered:
                answered += 1
                keep(Float(observation.time(in: series) ?? 0) / 1e6, &random)
            case .failed, .timeout, .unreachable, .malformed:
                lost += 1
                keep(.infinity, &random)
            case .filtered, .offline, .blocked: break
            }
        }

        private mutating func keep(_ time: Float, _ random: inout RandomSequence) {
            guard kept.count >= Self.room else { return kept.append(time) }
            let place = random.next(below: answered + lost)
            if place < Self.room { kept[place] = time }
        }
    }

    private struct State {
        var done = 0
        var round = 0
        /// The latest round whose samples are final.
        var settled = 0
        var targets: [Target]
        /// Samples of the rounds under way, which may be told to be others when these end.
        var open: [Int: [Sample]] = [:]
        var random = RandomSequence(seed: 0)
    }

    private let state: Mutex<State>
    private let scope: RunScope
    /// By target.
    private let series: [Series]

    package init(of scope: RunScope) {
        state = Mutex(State(targets: scope.targets.map { _ in Target() }))
        self.scope = scope
        series = scope.targets.map(\.series)
    }

    /// Counts one sample, as long as its round is under way.
    package func note(_ sample: Sample, inRound number: Int) {
        state.withLock { state in
            state.done += 1
            state.round = max(state.round, number)
            state.open[number, default: []].append(sample)
        }
    }

    /// Counts what `samples` say in place of those that were noted in round `number`, which has come
    /// to its end; none where the round says nothing of any resolver.
    package func settle(round number: Int, _ samples: [Sample]) {
        state.withLock { state in
            state.open[number] = nil
            state.settled = max(state.settled, number)
            state.targets.count(samples, of: series, &state.random)
        }
    }

    /// Counts samples of a run that is gone on with.
    package func take(earlier samples: [Sample]) {
        state.withLock { $0.targets.count(samples, of: series, &$0.random) }
    }

    /// The view after `elapsed` of the run.
    package func snapshot(after elapsed: Duration) -> Snapshot {
        // The copy shares its storage; the rest is done outside the lock.
        var (seen, targets) = state.withLock { ($0, $0.targets) }
        for (_, samples) in seen.open.sorted(by: { $0.key < $1.key }) {
            targets.count(samples, of: series, &seen.random)
        }
        return Snapshot(
            scope: scope,
            done: seen.done,
            round: seen.round,
            settledRound: seen.settled,
            elapsed: elapsed,
            remaining: max(.zero, scope.duration - elapsed),
            targets: targets
        )
    }
}

extension [RunProgress.Target] {
    /// Counts samples, each with its target, of which `series` has the series.
    fileprivate mutating func count(
        _ samples: [Sample],
        of series: [Series],
        _ random: inout RandomSequence
    ) {
        for sample in samples where indices.contains(Int(sample.target)) {
            let target = Int(sample.target)
            self[target].count(sample.observation, in: series[target], &random)
        }
    }
}
