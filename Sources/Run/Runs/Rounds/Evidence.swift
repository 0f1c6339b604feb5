import Analysis
import DNSWire
import Measurement
package import Samples
package import Statistics
import Store
import Synchronization

/// The evidence of a run. It decides whether another round is needed, and which targets and
/// questions it asks.
final class RunEvidence: RoundConsumer {
    fileprivate let builder: Mutex<EvidenceBuilder>
    /// `nil` if every round asks all targets all questions.
    private let rotation: Mutex<QuestionRotation?>
    private let asksInParts: Bool
    private let plannedAgain: @Sendable (_ round: Int) -> Bool
    private let isOpenEnded: Bool
    private let totalRate: Double
    private let connects: ContentConnects?
    /// A copy that is read without waiting for the builder.
    private let known: Mutex<[Int: EvidenceProgress]>
    /// The last round of the uncached series.
    private let lastUncached: Int

    /// Creates the evidence, including the `earlier` rounds of the run.
    init(
        _ plan: Plan,
        baseline: String?,
        margin: Duration,
        tampering: [String: String],
        earlier: Recording? = nil,
        connects: ContentConnects? = nil
    ) {
        var builder = EvidenceBuilder(
            targets: plan.targets,
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
        if connects != nil { builder.awaitContent() }
        if let earlier { builder.add(earlier) }
        if connects?.isSpent == true { builder.endContent() }
        known = Mutex(builder.progress)
        self.builder = Mutex(builder)
        lastUncached = plan.zoneCount > 0 ? plan.uncachedRounds : .max
    }

    /// The part of the plan that the round with this number asks; the end if no round can change
    /// the verdict. After the end of the uncached series, only the other series count.
    func choice(ofRound number: Int) -> RoundChoice {
        let asked = builder.withLock { builder -> [Int]? in
            let isWanted =
                number > lastUncached
                ? [.cached, .first].contains { !builder.isDecided(in: $0) } : !builder.isDecided
            return isWanted ? builder.asked : nil
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

    /// The progress of the candidates towards their verdicts, by the index of the target.
    var progress: [Int: EvidenceProgress] { known.withLock { $0 } }

    func take(_ round: inout MeasuredRound, in store: Store?) { add(&round.recording) }

    /// Adds the next round, and marks its samples if the round is not used as evidence.
    func add(_ round: inout Recording) {
        if plannedAgain(Int(round.rounds[0].number)) { round.rounds[0].marks.insert(.again) }
        let (isUnused, progress) = builder.withLock { [round] builder in
            let unused = builder.unusedRounds.count
            builder.add(round: round)
            // The samples of a partial round do not show that it was cut short.
            let isCut = asksInParts && !round.rounds[0].isWhole
            return (isCut || builder.unusedRounds.count > unused, builder.progress)
        }
        known.withLock { $0 = progress }
        if isUnused { round.markUnused() }
    }
}

extension RunEvidence {
    /// Follows the answers of a round if this can change the verdict. Passes the round on after its
    /// connections, with their times. Returns false if the round is not followed.
    func follow(
        _ round: Recording,
        number: Int,
        then: @escaping @Sendable (Recording) -> Void
    ) -> Bool {
        guard let connects else { return false }
        let isOver = builder.withLock { isOpenEnded && $0.isDecided }
        let isUnused = round.samples.contains { $0.observation.flags.contains(.noEvidence) }
        return connects.follow(round, number: number, isWanted: !isOver && !isUnused) {
            [self] round, followed in
            let progress = builder.withLock { builder in
                builder.addContent(CountedSamples(of: round), tried: followed)
                if connects.isSpent { builder.endContent() }
                return builder.progress
            }
            known.withLock { $0 = progress }
            then(round)
        }
    }
}

/// The evidence of the last rounds of a watch. It covers at most the rounds that a report evaluates
/// one by one, and at most the queries that fit into one MiB. A watch of months therefore needs as
/// little memory as a watch of a day.
package struct RecentEvidence {
    private let targets: [Recording.Target]
    private let questions: [Question]
    private let fresh: EvidenceBuilder
    private var builder: EvidenceBuilder
    package private(set) var progress: [Int: EvidenceProgress]
    private var rounds = 0
    private var queries = 0
    private var start: Timestamp?
    /// The start of the covered rounds after a restart; `nil` if the evidence covers the whole
    /// watch.
    package private(set) var since: Timestamp?

    private static let mostRounds = 1_000
    /// The minimum number of rounds before a restart. With many resolvers and names, a verdict
    /// needs this many.
    private static let leastRounds = 100
    private static let mostQueries = 30_000
    private static let longest = Duration.seconds(86_400)

    /// Creates the evidence. `tampering` contains labels that are never recommended.
    package init(_ order: RunOrder, tampering: Set<String>) {
        targets = order.plan.targets
        questions = order.plan.questions
        fresh = EvidenceBuilder(
            targets: targets,
            baseline: order.baseline,
            rules: ComparisonRules(margin: order.margin),
            tampering: tampering,
            keepsRounds: false
        )
        builder = fresh
        progress = fresh.progress
    }

    package mutating func add(_ measured: MeasuredRound) {
        guard measured.recording.targets == targets, measured.recording.questions == questions
        else { return }
        let moment = measured.start
        let age = Duration.nanoseconds(moment.nanoseconds - (start ?? moment).nanoseconds)
        let isFull = queries >= Self.mostQueries && rounds >= Self.leastRounds
        if isFull || rounds >= Self.mostRounds || age > Self.longest {
            (builder, rounds, queries, start, since) = (fresh, 0, 0, nil, moment)
        }
        start = start ?? moment
        rounds += 1
        queries += measured.recording.samples.count
        builder.add(round: measured.recording)
        progress = builder.progress
    }
}
