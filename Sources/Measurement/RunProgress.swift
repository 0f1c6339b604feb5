import Synchronization

/// How far a run has come, for a live view that looks from another thread whenever it likes.
package final class RunProgress: Sendable {
    /// A moment's view.
    package struct Snapshot: Sendable {
        /// Samples taken, and planned.
        package var done: Int
        package var total: Int
        /// The latest round with a sample; 0 before the first.
        package var round: Int
        /// The latest round whose samples are final; 0 before the first.
        package var settledRound: Int
        package var elapsed: Duration
        /// Until the last query is sent, by plan.
        package var remaining: Duration
        /// In the order of the plan's targets.
        package var targets: [Target]
    }

    /// One resolver so far.
    package struct Target: Hashable, Sendable {
        /// NOERROR or NXDOMAIN.
        package var answered: Int
        /// Sent, and not answered so.
        package var lost: Int
        /// Whether an answer may be anybody's, since no certificate was verified.
        package var isUnverified: Bool
        /// Milliseconds, infinite without an answer; of more than 1,000 queries those of 1,000
        /// drawn at random.
        package var times: [Double]

        /// The median of ``times``, in milliseconds; `nil` where it lies beyond the timeout, or
        /// nothing was sent.
        package var median: Double? {
            let sorted = times.sorted()
            guard !sorted.isEmpty else { return nil }
            let median = sorted[(sorted.count - 1) / 2]
            return median.isFinite ? median : nil
        }
    }

    private struct State {
        var done = 0
        var round = 0
        /// The latest round whose samples are final.
        var settled = 0
        var tallies: [ProgressTally]
        /// Samples of the rounds under way, which may be told to be others when these end.
        var open: [Int: [Sample]] = [:]
        var random = RandomSequence(seed: 0)
    }

    private let state: Mutex<State>
    private let total: Int
    private let duration: Duration
    /// By target.
    private let series: [Series]

    package init(of plan: Plan) {
        let tallies = [ProgressTally](repeating: ProgressTally(), count: plan.targets.count)
        state = Mutex(State(tallies: tallies))
        total = plan.probeCount
        duration = plan.estimatedDuration
        series = plan.targets.map(\.series)
    }

    /// Counts one sample, as long as its round is under way.
    package func note(_ sample: Sample) {
        state.withLock { state in
            state.done += 1
            state.round = max(state.round, Int(sample.round))
            state.open[Int(sample.round), default: []].append(sample)
        }
    }

    /// Counts what `samples` say in place of those that were noted in round `number`, which has come
    /// to its end; none where the round says nothing of any resolver.
    package func settle(round number: Int, _ samples: [Sample]) {
        state.withLock { state in
            state.open[number] = nil
            state.settled = max(state.settled, number)
            state.tallies.count(samples, of: series, &state.random)
        }
    }

    /// Counts samples of a run that is gone on with.
    package func take(earlier samples: [Sample]) {
        state.withLock { $0.tallies.count(samples, of: series, &$0.random) }
    }

    /// The view after `elapsed` of the run.
    package func snapshot(after elapsed: Duration) -> Snapshot {
        // The copy shares its storage; the rest is done outside the lock.
        var (seen, tallies) = state.withLock { ($0, $0.tallies) }
        for (_, samples) in seen.open.sorted(by: { $0.key < $1.key }) {
            tallies.count(samples, of: series, &seen.random)
        }
        return Snapshot(
            done: seen.done,
            total: total,
            round: seen.round,
            settledRound: seen.settled,
            elapsed: elapsed,
            remaining: max(.zero, duration - elapsed),
            targets: tallies.map { tally in
                Target(
                    answered: tally.answered,
                    lost: tally.lost,
                    isUnverified: tally.isUnverified,
                    times: tally.times.map(Double.init)
                )
            }
        )
    }
}
