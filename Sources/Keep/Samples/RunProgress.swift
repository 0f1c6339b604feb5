package import DNSWire
import Statistics
import Synchronization

/// The aim of a run, as far as its progress shows it.
package struct RunScope: Hashable, Sendable {
    package var targets: [Recording.Target]
    package var questions: [Question]
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

/// How far a run has come, for a live view that looks from another thread whenever it likes.
package final class RunProgress: Sendable {
    /// A moment's view.
    package struct Snapshot: Sendable {
        package var scope: RunScope
        /// Samples taken.
        package var done = 0
        /// The latest round with a sample; 0 before the first.
        package var round = 0
        /// The latest round whose samples are final; 0 before the first.
        package var settledRound = 0
        /// Until the last query is sent, by plan.
        package var remaining: Duration
        /// In the order of the scope's targets.
        package fileprivate(set) var targets: [Target]
        /// Samples of the rounds under way, which may be told to be others when these end.
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

    /// One resolver so far.
    package struct Target: Hashable, Sendable {
        package private(set) var counts = OutcomeCounts()
        /// Whether an answer may be anybody's, since no certificate was verified.
        package private(set) var isUnverified = false
        private var kept: [Float] = []

        private static let room = 1000

        /// Milliseconds, infinite without an answer: every query's while there is room, then an even
        /// choice of all (Vitter 1985, algorithm R).
        package var times: [Double] { kept.map(Double.init) }

        /// Counts how one query ended; of a filtered answer, and of what was not sent, no time is kept.
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

    /// Counts one sample, as long as its round is under way.
    package func note(_ sample: Sample, inRound number: Int) {
        state.withLock { state in
            state.done += 1
            state.round = max(state.round, number)
            state.open[number, default: []].append(sample)
        }
    }

    /// Counts what `samples` say in place of those that were noted in round `number`, which has come
    /// to its end.
    package func settle(round number: Int, _ samples: CountedSamples) {
        state.withLock { state in
            state.open[number] = nil
            state.settledRound = max(state.settledRound, number)
            state.count(samples)
        }
    }

    /// Counts samples of a run that is gone on with.
    package func take(earlier samples: CountedSamples) {
        state.withLock { $0.count(samples) }
    }

    /// The view after `elapsed` of the run.
    package func snapshot(after elapsed: Duration) -> Snapshot {
        // The copy shares its storage; the rest is done outside the lock.
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
