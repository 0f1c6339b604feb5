package import DNSWire
import Statistics
import Synchronization

/// The scope of a run, as its progress shows it.
package struct RunScope: Hashable, Sendable {
    package var targets: [Recording.Target]
    package var questions: [Question]
    package var timeout: Duration
    package var rounds: Int
    /// Whether the run may end before the last round.
    package var isOpenEnded: Bool
    /// The number of counted queries.
    package var queries: Int
    /// The time until the last query is sent.
    package var duration: Duration

    package init(
        targets: [Recording.Target],
        questions: [Question] = [],
        timeout: Duration,
        rounds: Int,
        isOpenEnded: Bool,
        queries: Int,
        duration: Duration
    ) {
        self.targets = targets
        self.questions = questions
        self.timeout = timeout
        self.rounds = rounds
        self.isOpenEnded = isOpenEnded
        self.queries = queries
        self.duration = duration
    }
}

/// The progress of a run. A live view may read it from another thread at any time.
package final class RunProgress: Sendable {
    /// The progress at one moment.
    package struct Snapshot: Sendable {
        package var scope: RunScope
        /// The number of samples so far.
        package var done = 0
        /// The latest round with a sample; 0 before the first.
        package var round = 0
        /// The latest round whose samples are final; 0 before the first.
        package var settledRound = 0
        /// The planned time until the last query is sent.
        package var remaining: Duration
        /// The progress of each target, in the order of the scope's targets.
        package fileprivate(set) var targets: [Target]
        /// The samples of current rounds. They may still change at the end of the round.
        fileprivate var open: [Int: [Sample]] = [:]
        private var random = RandomSequence(seed: 0)

        fileprivate init(_ scope: RunScope) {
            self.scope = scope
            remaining = scope.duration
            targets = scope.targets.map { _ in Target() }
        }

        fileprivate mutating func count(_ counted: CountedSamples) {
            for sample in counted.recording.samples
            where targets.indices.contains(Int(sample.target)) {
                let target = Int(sample.target)
                let series = scope.targets[target].series
                targets[target].count(sample.observation, in: series, &random)
            }
        }
    }

    /// The progress of one resolver.
    package struct Target: Hashable, Sendable {
        package private(set) var counts = OutcomeCounts()
        /// Whether an answer came from an unauthenticated server, because no certificate was verified.
        package private(set) var isUnverified = false
        private var kept: [Float] = []

        private static let room = 1000

        /// The latencies in milliseconds; infinite without an answer. At first it contains all queries, and
        /// later a uniform random sample of them (Vitter 1985, algorithm R).
        package var times: [Double] { kept.map(Double.init) }

        /// Counts the outcome of one query. Filtered answers and unsent queries have no latency.
        fileprivate mutating func count(
            _ observation: Observation,
            in series: Series,
            _ random: inout RandomSequence
        ) {
            if observation.flags.contains(.unverified) { isUnverified = true }
            counts.count(observation)
            guard observation.outcome.isMeasured else { return }
            let isAnswered = observation.outcome == .answered
            let time = isAnswered ? Float(observation.time(in: series) ?? 0) / 1e6 : .infinity
            guard kept.count >= Self.room else { return kept.append(time) }
            let place = random.next(below: counts.measured)
            if place < Self.room { kept[place] = time }
        }
    }

    private let state: Mutex<Snapshot>

    package init(of scope: RunScope) { state = Mutex(Snapshot(scope)) }

    /// Adds one sample of a round in progress.
    package func note(_ sample: Sample, inRound number: Int) {
        state.withLock { state in
            state.done += 1
            state.round = max(state.round, number)
            state.open[number, default: []].append(sample)
        }
    }

    /// Replaces the samples of round `number` with the final `samples` at the end of the round.
    package func settle(round number: Int, _ samples: CountedSamples) {
        state.withLock { state in
            state.open[number] = nil
            state.settledRound = max(state.settledRound, number)
            state.count(samples)
        }
    }

    /// Adds the samples of an earlier part of a continued run.
    package func take(earlier samples: CountedSamples) {
        state.withLock { $0.count(samples) }
    }

    /// The progress after `elapsed` of the run.
    package func snapshot(after elapsed: Duration) -> Snapshot {
        // The copy shares its storage. All other work takes place outside the lock.
        var seen = state.withLock { $0 }
        for (_, samples) in seen.open.sorted(by: { $0.key < $1.key }) {
            let scope = seen.scope
            let open = Recording(
                targets: scope.targets,
                questions: scope.questions,
                samples: samples
            )
            seen.count(CountedSamples(of: open))
        }
        seen.remaining = max(.zero, seen.scope.duration - elapsed)
        return seen
    }
}
