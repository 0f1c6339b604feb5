import Synchronization

/// How far a run has come, for a live view that looks from another thread whenever it likes.
public final class RunProgress: Sendable {
    /// A moment's view.
    public struct Snapshot: Sendable {
        /// Samples taken, and planned.
        public var done: Int
        public var total: Int
        /// The latest round with a sample; 0 before the first.
        public var round: Int
        public var elapsed: Duration
        /// Until the last query is sent, by plan.
        public var remaining: Duration
        /// In the order of the plan's targets.
        public var targets: [Target]
    }

    /// One resolver so far.
    public struct Target: Hashable, Sendable {
        /// NOERROR or NXDOMAIN.
        public var answered: Int
        /// Sent, and not answered so.
        public var lost: Int
        /// Milliseconds, infinite without an answer; of more than 1,000 queries those of 1,000
        /// drawn at random.
        public var times: [Double]

        /// The median of ``times``, in milliseconds; `nil` where it lies beyond the timeout, or
        /// nothing was sent.
        public var median: Double? {
            let sorted = times.sorted()
            guard !sorted.isEmpty else { return nil }
            let median = sorted[(sorted.count - 1) / 2]
            return median.isFinite ? median : nil
        }
    }

    private struct Tally {
        var answered = 0
        var lost = 0
        /// Milliseconds, infinite without an answer: every query's while there is room, then an
        /// even choice of all (Vitter 1985, algorithm R).
        var times: [Float] = []
    }

    private struct State {
        var done = 0
        var round = 0
        var tallies: [Tally]
        var random = RandomSequence(seed: 0)
    }

    private let state: Mutex<State>
    private let total: Int
    private let duration: Duration

    private static let room = 1000

    public init(of plan: Plan) {
        state = Mutex(State(tallies: [Tally](repeating: Tally(), count: plan.targets.count)))
        total = plan.probeCount
        duration = plan.estimatedDuration
    }

    /// Counts one sample.
    public func note(_ sample: Sample) {
        state.withLock { state in
            state.done += 1
            state.round = max(state.round, Int(sample.round))
            let target = Int(sample.target)
            guard state.tallies.indices.contains(target) else { return }
            switch sample.observation.outcome {
            case .answered:
                let time = Float(sample.observation.roundTrip ?? 0) / 1e6
                state.tallies[target].answered += 1
                Self.keep(time, in: &state.tallies[target], &state.random)
            case .failed, .timeout, .unreachable, .malformed:
                state.tallies[target].lost += 1
                Self.keep(.infinity, in: &state.tallies[target], &state.random)
            case .filtered, .offline, .blocked: break
            }
        }
    }

    /// The view after `elapsed` of the run.
    public func snapshot(after elapsed: Duration) -> Snapshot {
        // The copy shares its storage; the rest is done outside the lock.
        let (done, round, tallies) = state.withLock { ($0.done, $0.round, $0.tallies) }
        return Snapshot(
            done: done,
            total: total,
            round: round,
            elapsed: elapsed,
            remaining: max(.zero, duration - elapsed),
            targets: tallies.map { tally in
                Target(
                    answered: tally.answered,
                    lost: tally.lost,
                    times: tally.times.map(Double.init)
                )
            }
        )
    }

    private static func keep(_ time: Float, in tally: inout Tally, _ random: inout RandomSequence) {
        guard tally.times.count >= room else { return tally.times.append(time) }
        let place = random.next(below: tally.answered + tally.lost)
        if place < room { tally.times[place] = time }
    }
}
