import Measurement
import Reports
import Samples
import Statistics
import Store
import Synchronization

/// Takes in what the rounds of a run say, beside the measurement, which does not wait, and tells
/// whether another is needed.
final class EvidenceJudge: Sendable {
    private let feed: Mutex<EvidenceFeed>
    private let rounds: AsyncStream<Recording>
    private let continuation: AsyncStream<Recording>.Continuation
    /// The uncached series ends with it.
    private let lastUncached: Int
    /// Rounds of the run that were before the plan's first.
    private let earlierRounds: Int
    private let pages: BlockPageWatch
    /// By label, how resolvers were found not to tell the truth.
    private let untruths: [String: String]
    private let network: NetworkWatch?
    private let kept = Mutex(Recording())
    /// A copy, which nobody has to wait for.
    private let known: Mutex<[Int: CandidateStanding]>

    /// `feed` has the evidence of the `earlierRounds` of the run; `pages` takes in its answers.
    init(
        _ feed: EvidenceFeed,
        of plan: Plan,
        after earlierRounds: Int,
        pages: BlockPageWatch,
        untruths: [String: String],
        network: NetworkWatch?
    ) {
        self.network = network
        self.earlierRounds = earlierRounds
        self.pages = pages
        self.untruths = untruths
        self.feed = Mutex(feed)
        known = Mutex(feed.standings)
        (rounds, continuation) = AsyncStream<Recording>.makeStream()
        lastUncached = plan.zoneCount > 0 ? plan.uncachedRounds : .max
    }

    /// Takes the next round, and returns at once.
    func take(_ round: Recording) { continuation.yield(round) }

    /// Whether a round with this number may still change what is said. Where the uncached series
    /// has come to its end, only the others count.
    func wantsRound(_ number: Int) -> Bool {
        feed.withLock { feed in
            let open: [Series] = number > lastUncached ? [.cached, .first] : Series.allCases
            return open.contains { !feed.isDecided(in: $0) }
        }
    }

    /// How far the candidates are from their verdicts, by the index of the target.
    var standings: [Int: CandidateStanding] { known.withLock { $0 } }

    /// Judges the rounds as they come, until ``finish()``, and hands each on to `keep` with what
    /// its samples have to tell and its number in the plan, those too that came after the verdict.
    func judge(_ keep: @escaping @Sendable (Recording, _ planned: Int) -> Void) async {
        for await planned in rounds {
            var round = planned
            round.rounds[0].number += Int32(clamping: earlierRounds)
            pages.leaveOut(of: &round)
            network?.look()
            let (isUnused, standings) = feed.withLock { feed in
                let unused = feed.unusedRounds.count
                feed.add(round)
                return (feed.unusedRounds.count > unused, feed.standings)
            }
            known.withLock { $0 = standings }
            if isUnused { round.markUnused() }
            round.mark(untruths)
            kept.withLock { $0.merge(round) }
            keep(round, Int(planned.rounds[0].number))
        }
        network?.look(end: true)
    }

    /// No more rounds come.
    func finish() { continuation.finish() }

    /// The rounds that were judged, as they were kept.
    var recording: Recording { kept.withLock { $0 } }
}

/// Stores the whole rounds of a run as they end, beside the measurement, which does not wait: of a
/// run that is killed, no more than the last rounds are lost.
struct RoundKeeper: Sendable {
    private let rounds = RoundQueue<Recording>()
    private let storing: Task<Void, any Error>

    init(_ store: Store) {
        storing = Task { [rounds] in
            // Those that came while others were stored are stored together.
            while let next = await rounds.next() {
                var recording = Recording()
                for round in next { recording.merge(round) }
                try store.append(recording)
            }
        }
    }

    /// Takes the next round; one that was cut short is dropped whole.
    func keep(_ round: Recording) {
        rounds.close(rounds.open(), with: round.rounds[0].isWhole ? round : nil)
    }

    /// Waits until all are stored. Throws ``StoreError`` where one could not be.
    func finish() async throws {
        rounds.finish()
        try await storing.value
    }
}
