import DNSWire
import Measurement
import Reports
import Samples
import Statistics

/// What the last rounds of a watch say of candidates and baseline: of no more than a report takes
/// round by round, and of no more queries than a MiB holds, so that a watch of months needs as
/// little memory as one of a day.
struct WatchEvidence {
    private let targets: [Recording.Target]
    private let questions: [Question]
    /// Without any round.
    private let fresh: EvidenceFeed
    private var feed: EvidenceFeed
    private var rounds = 0
    private var queries = 0
    /// When its first round began.
    private var start: Timestamp?
    /// When it began anew; `nil` where it is that of the whole watch.
    private(set) var since: Timestamp?

    private static let mostRounds = 1_000
    /// Of many resolvers and names a verdict takes no fewer rounds than of few.
    private static let leastRounds = 100
    private static let mostQueries = 30_000
    private static let longest = Duration.seconds(86_400)

    init(_ settings: Settings) {
        targets = settings.plan.targets
        questions = settings.plan.questions
        fresh = EvidenceFeed(
            targets: targets,
            questions: questions,
            baseline: settings.baseline,
            rules: ComparisonRules(margin: settings.margin),
            keepsRounds: false
        )
        feed = fresh
    }

    /// How far the candidates are from their verdicts, by the index of the target.
    var standings: [Int: CandidateStanding] { feed.standings }

    /// Takes the next round; one of other settings is none of its.
    mutating func add(_ taken: TakenRound) {
        guard taken.recording.targets == targets, taken.recording.questions == questions
        else { return }
        let moment = taken.start
        let age = Duration.nanoseconds(moment.nanoseconds - (start ?? moment).nanoseconds)
        let isFull = queries >= Self.mostQueries && rounds >= Self.leastRounds
        if isFull || rounds >= Self.mostRounds || age > Self.longest {
            (feed, rounds, queries, start, since) = (fresh, 0, 0, nil, moment)
        }
        start = start ?? moment
        rounds += 1
        queries += taken.recording.samples.count
        feed.add(taken.recording)
    }
}
