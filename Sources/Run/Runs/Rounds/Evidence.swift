import Analysis
import DNSWire
import Measurement
package import Samples
package import Statistics
import Synchronization

/// The evidence of a run, which decides whether another round is needed, and whom it asks.
final class RunEvidence: Sendable {
    fileprivate let feed: Mutex<EvidenceBuilder>
    /// `nil` where every round asks everybody everything.
    private let rotation: Mutex<QuestionRotation?>
    private let asksInParts: Bool
    private let plannedAgain: @Sendable (_ round: Int) -> Bool
    private let isOpenEnded: Bool
    private let totalRate: Double
    private let connects: ContentConnects?
    /// A copy, which nobody has to wait for.
    private let known: Mutex<[Int: EvidenceProgress]>
    /// The uncached series ends with it.
    private let lastUncached: Int

    /// With that of the `earlier` rounds of the run.
    init(
        _ plan: Plan,
        baseline: String?,
        margin: Duration,
        tampering: [String: String],
        earlier: Recording? = nil,
        connects: ContentConnects? = nil
    ) {
        var feed = EvidenceBuilder(
            targets: plan.targets,
            questions: plan.questions,
            baseline: baseline,
            rules: ComparisonRules(margin: margin),
            endsWithVerdict: plan.isOpenEnded,
            eliminates: plan.asksInParts && !plan.asksOnce,
            tampering: Set(tampering.keys)
        )
        rotation = Mutex(plan.asksInParts ? QuestionRotation(plan) : nil)
        plannedAgain = { plan.asksAgain(inRound: $0) }
        asksInParts = plan.asksInParts
        totalRate = plan.totalRate
        self.connects = connects
        isOpenEnded = plan.isOpenEnded
        if connects != nil { feed.awaitContent() }
        if let earlier { feed.add(earlier) }
        if connects?.isSpent == true { feed.endContent() }
        known = Mutex(feed.standings)
        self.feed = Mutex(feed)
        lastUncached = plan.zoneCount > 0 ? plan.uncachedRounds : .max
    }

    /// The part of the plan that a round with this number asks; the end where it cannot change what
    /// is said any more. Where the uncached series has come to its end, only the others count.
    func choice(ofRound number: Int) -> RoundChoice {
        let asked = feed.withLock { feed -> [Int]? in
            let isWanted =
                number > lastUncached
                ? [.cached, .first].contains { !feed.isDecided(in: $0) } : !feed.isDecided
            return isWanted ? feed.asked : nil
        }
        guard let asked else { return .end }
        let asksAll = asked.count <= ContentConnects.mostResolvers && connects?.claim() == true
        let part = rotation.withLock { rotation in
            rotation?.part(of: asked, inRound: number) {
                asksAll
                    ? $0 : Elimination.names(asking: asked.count, inUse: $0, totalRate: totalRate)
            }
        }
        return part.map(RoundChoice.part) ?? .whole
    }

    /// How far the candidates are from their verdicts, by the index of the target.
    var standings: [Int: EvidenceProgress] { known.withLock { $0 } }

    /// Takes the next round; returns it with what its samples have to tell of that.
    func add(_ round: Recording) -> Recording {
        var round = round
        if plannedAgain(Int(round.rounds[0].number)) { round.rounds[0].marks.insert(.again) }
        let (isUnused, standings) = feed.withLock { [round] feed in
            let unused = feed.unusedRounds.count
            feed.add(round: round)
            // That a round of a part was cut short cannot be told from its samples.
            let isCut = asksInParts && !round.rounds[0].isWhole
            return (isCut || feed.unusedRounds.count > unused, feed.standings)
        }
        known.withLock { $0 = standings }
        if isUnused { round.markUnused() }
        return round
    }
}

extension RunEvidence {
    /// Follows the answers of a round that was taken, where that can change what is said, and hands it
    /// on once its connections are over, with what they took; false where it is not followed.
    func follow(
        _ round: Recording,
        number: Int,
        then: @escaping @Sendable (Recording) -> Void
    ) -> Bool {
        guard let connects else { return false }
        let isOver = feed.withLock { isOpenEnded && $0.isDecided }
        let isUnused = round.samples.contains { $0.observation.flags.contains(.noEvidence) }
        return connects.follow(round, number: number, isWanted: !isOver && !isUnused) {
            [self] round, followed in
            let standings = feed.withLock { feed in
                feed.addContent(CountedSamples(of: round), tried: followed)
                if connects.isSpent { feed.endContent() }
                return feed.standings
            }
            known.withLock { $0 = standings }
            then(round)
        }
    }
}

/// The evidence of the last rounds of a watch: of no more than a report takes round by round, and of
/// no more queries than a MiB holds, so that a watch of months needs as little memory as one of a
/// day.
package struct RecentEvidence {
    private let targets: [Recording.Target]
    private let questions: [Question]
    private let fresh: EvidenceBuilder
    private var feed: EvidenceBuilder
    package private(set) var standings: [Int: EvidenceProgress]
    private var rounds = 0
    private var queries = 0
    private var start: Timestamp?
    /// When it began anew; `nil` where it is that of the whole watch.
    package private(set) var since: Timestamp?

    private static let mostRounds = 1_000
    /// A verdict takes no fewer rounds where resolvers and names are many.
    private static let leastRounds = 100
    private static let mostQueries = 30_000
    private static let longest = Duration.seconds(86_400)

    /// `tampering` are labels never to be advised.
    package init(_ order: RunOrder, tampering: Set<String>) {
        targets = order.plan.targets
        questions = order.plan.questions
        fresh = EvidenceBuilder(
            targets: targets,
            questions: questions,
            baseline: order.baseline,
            rules: ComparisonRules(margin: order.margin),
            tampering: tampering,
            keepsRounds: false
        )
        feed = fresh
        standings = fresh.standings
    }

    package mutating func add(_ measured: MeasuredRound) {
        guard measured.recording.targets == targets, measured.recording.questions == questions
        else { return }
        let moment = measured.start
        let age = Duration.nanoseconds(moment.nanoseconds - (start ?? moment).nanoseconds)
        let isFull = queries >= Self.mostQueries && rounds >= Self.leastRounds
        if isFull || rounds >= Self.mostRounds || age > Self.longest {
            (feed, rounds, queries, start, since) = (fresh, 0, 0, nil, moment)
        }
        start = start ?? moment
        rounds += 1
        queries += measured.recording.samples.count
        feed.add(round: measured.recording)
        standings = feed.standings
    }
}
