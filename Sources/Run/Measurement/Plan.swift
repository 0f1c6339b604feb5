package import Catalogue
package import DNSWire
package import Failures
package import Samples

/// When to ask whom for what, fixed by a seed before the first query leaves.
///
/// Send times do not depend on replies: a slow resolver cannot thin out its own samples
/// (coordinated omission), nor delay another's.
package struct Plan: Hashable, Sendable, Codable {
    package var targets: [Recording.Target]
    /// For each target the number of the address that it shares: all targets of one group together
    /// are asked at no more than ``rate``.
    package var targetGroups: [Int]
    /// Those of the cached series and of first queries, then those of the uncached one.
    package var questions: [Question]
    /// So many of ``questions``, the last, are of the uncached series: `*.` and a zone. Each query
    /// has a random label of its own in the place of the `*`; samples keep the name with the `*`, so
    /// that those of one zone and round are a pair whatever the labels were.
    package private(set) var zoneCount = 0
    /// Counted rounds; each asks every target every question of its series once.
    package var rounds = 10
    /// Whether ``rounds`` are the most there may be, and the run may end before.
    package var isOpenEnded = false
    /// Whether each round may ask a part of the plan, which then decides how long it lasts and what is
    /// warmed up before it.
    package var asksInParts = false
    /// Whether each question is asked once, a few in each round.
    package internal(set) var asksOnce = false
    /// So many questions that follow each other are asked of a resolver at one moment.
    package var questionsAtOnce = 1
    /// The uncached series ends with this round, and the cached one goes on alone.
    package var uncachedRounds = Int.max
    /// From start to start of rounds, where the pace does not need longer.
    package var interval = Duration.zero
    package var timeout = Duration.seconds(5)
    /// At most so many queries per second to one address, on average over a block.
    package var rate = Pace.polite.rate
    /// At most so many queries per second to all, on average over a block.
    package var totalRate = Pace.polite.totalRate
    package var pace: Pace {
        get { Pace(rate: rate, totalRate: totalRate) }
        set { (rate, totalRate) = (newValue.rate, newValue.totalRate) }
    }
    /// At most so many queries per second to one address for names under one zone, on average over
    /// a round.
    package var zoneRate = 1.0
    /// At most so many rounds of the cached series before the first that is counted, at the same
    /// pace: a resolver gets a name again only while ``WarmupTracker`` says that it is worth it.
    package var warmup = 1
    package var seed: UInt64 = 0
    /// How the times of counted queries are chosen; those of a warm-up are periodic.
    package var sampling = Sampling.periodic

    /// `zones` are the questions of the uncached series, each `*.` and a zone.
    package init(
        targets: [Recording.Target],
        targetGroups: [Int],
        questions: [Question],
        zones: [Question] = []
    ) {
        self.targets = targets
        self.targetGroups = targetGroups
        self.questions = questions + zones
        zoneCount = zones.count
    }

    /// Counted rounds are numbered from 1 up; those of the warm-up end at 0.
    package var roundNumbers: Range<Int> {
        let most = Int(Int32.max)
        return (1 - min(warmupRounds, most))..<(min(max(0, rounds), most) + 1)
    }

    /// Which caches a question is meant to meet: those of the cached series are asked as first
    /// queries too.
    package func series(ofQuestion question: Int) -> Series {
        if asksOnce { return .asFound }
        return question < cachedCount ? .cached : .uncached
    }

    /// Whether counted round `number` has the uncached series too.
    package func asksUncached(inRound number: Int) -> Bool {
        zoneCount > 0 && number >= 1 && number <= uncachedRounds
    }

    /// The queries of all counted rounds.
    package var probeCount: Int {
        if asksOnce { return targets.count * (questions.count + againCount) }
        let asked = targets.count { $0.series.asksCachedNames }
        return asked * cachedCount * rounds
            + (targets.count - asked) * zoneCount * min(rounds, uncachedRounds)
    }

    /// The queries of a round with every series.
    package var probesPerRound: Int {
        targets.reduce(0) { $0 + ($1.series.asksCachedNames ? cachedCount : zoneCount) }
    }

    /// The questions that caches may have the answers of.
    var cachedCount: Int { max(0, questions.count - zoneCount) }
}

extension Plan {
    /// The time that one question takes to go to every target of its series: as long as the pace
    /// needs.
    package var blockLength: Duration { Self.duration(ofSeconds: blockSeconds) }

    /// From start to start of counted rounds that have every series.
    package var period: Duration { Self.duration(ofSeconds: periodSeconds) }

    /// From the start until the last query is sent, at the latest.
    package var estimatedDuration: Duration { Self.duration(ofSeconds: estimatedSeconds) }

    /// When round `number` starts, from the start of the run.
    package func start(ofRound number: Int) -> Duration {
        start(ofRound: number, RoundPattern(self))
    }

    /// The same, where the pattern of this plan's rounds is known.
    func start(ofRound number: Int, _ pattern: RoundPattern) -> Duration {
        let seconds =
            number < 1
            ? (Double(number) - 1 + Double(warmupRounds)) * warmupPeriodSeconds
            : pattern.warmup + startSeconds(ofCounted: number, pattern)
        return Self.duration(ofSeconds: seconds)
    }

    /// The plan with as many rounds as start before `duration` has passed since the first counted
    /// one, at least one.
    package func lasting(_ duration: Duration) -> Plan {
        var plan = self
        let whole = Double(max(0, uncachedRounds)) * periodSeconds
        let rounds =
            zoneCount == 0 || duration.inSeconds <= whole
            ? duration.inSeconds / max(periodSeconds, 1e-9)
            : Double(uncachedRounds) + (duration.inSeconds - whole) / max(laterPeriodSeconds, 1e-9)
        plan.rounds = Int(min(max(rounds.rounded(.up), 1), Double(Int32.max)))
        return plan
    }

    /// The most queries that a round of a schedule is warmed up with.
    package var mostWarmups: Int { warmupRounds * members(inRound: 0).cached.count * cachedCount }

    /// Rounds before the first that is counted; the uncached series has none.
    var warmupRounds: Int { cachedCount > 0 ? max(0, warmup) : 0 }

    var estimatedSeconds: Double {
        if asksOnce { return roundSeconds(questions.count + againCount) }
        if asksInParts {
            // A round of a part lasts two seconds, and one name more than fits into them at most.
            let round = min(roundSeconds(questions.count), 2 + blockSeconds)
            return Double(warmupRounds) * warmupPeriodSeconds
                + Double(max(1, rounds)) * max(interval.inSeconds, round)
        }
        let hasZones = asksUncached(inRound: max(1, rounds))
        return Double(warmupRounds) * warmupPeriodSeconds
            + startSeconds(ofCounted: max(1, rounds), RoundPattern(self))
            + (sampling == .poisson
                ? poissonRoundSeconds : roundSeconds(hasZones ? questions.count : cachedCount))
    }

    /// One block for every question: the resolvers of all are the same as a rule.
    var blockSeconds: Double {
        [true, false].map { asksCachedNames in
            let (count, largest) = sizes { $0.asksCachedNames == asksCachedNames }
            return pace.seconds(for: count, toOne: largest)
        }.max() ?? 0
    }

    func blockLength(of targets: [Int]) -> Duration {
        Self.duration(ofSeconds: blockSeconds(of: targets))
    }

    /// The same for some targets of one series.
    private func blockSeconds(of targets: [Int]) -> Double {
        let groups = Dictionary(grouping: targets) { targetGroups[$0] }
        let largest = groups.values.map(\.count).max() ?? 0
        return pace.seconds(for: targets.count, toOne: largest)
    }

    /// From the start of a round that asks a part of the plan to the start of the next.
    func period(of part: RoundPart) -> Duration {
        let seconds = blockSeconds(of: part.targets) * Double(part.questions.count)
        return Self.duration(ofSeconds: max(interval.inSeconds, seconds))
    }

    /// The time that one pass of a part's warm-up takes.
    func warmupPeriod(of part: RoundPart) -> Duration {
        let seconds = blockSeconds(of: part.targets) * Double(part.warmed.count)
        return Self.duration(ofSeconds: max(seconds, warmup > 1 ? Self.agingSeconds : 0))
    }

    /// The most targets of the uncached series that share an address.
    var largestUncachedGroup: Int { sizes { $0 == .uncached }.largest }

    /// The targets of some series, and the most of them that share an address.
    private func sizes(of isCounted: (Series) -> Bool) -> (all: Int, largest: Int) {
        var groups: [Int: Int] = [:]
        for (target, group) in zip(targets, targetGroups) where isCounted(target.series) {
            groups[group, default: 0] += 1
        }
        return (targets.count { isCounted($0.series) }, groups.values.max() ?? 0)
    }

    private func startSeconds(ofCounted number: Int, _ pattern: RoundPattern) -> Double {
        let before = Double(number - 1)
        guard zoneCount > 0 else { return before * pattern.period }
        let whole = min(before, Double(max(0, uncachedRounds)))
        return whole * pattern.period + (before - whole) * pattern.laterPeriod
    }

    private func roundSeconds(_ questions: Int) -> Double { blockSeconds * Double(questions) }

    var periodSeconds: Double {
        var seconds = max(interval.inSeconds, roundSeconds(questions.count))
        if zoneCount > 0 {
            // A zone has its place in every round, give or take a block.
            seconds = max(seconds, Double(largestUncachedGroup) / zoneRate + blockSeconds)
        }
        return seconds
    }

    /// From start to start of the rounds that have the cached series alone; Poisson sampling keeps its
    /// mean pace.
    var laterPeriodSeconds: Double {
        sampling == .poisson ? periodSeconds : max(interval.inSeconds, roundSeconds(cachedCount))
    }

    /// A second warm-up tells by its TTL whether the cache ages it, so it comes over a second later.
    private static let agingSeconds = 1.2

    var warmupPeriodSeconds: Double {
        max(roundSeconds(cachedCount), warmup > 1 ? Self.agingSeconds : 0)
    }

    /// Held within what a run may last, so that no plan overflows.
    private static func duration(ofSeconds seconds: Double) -> Duration {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, longestSeconds) * 1e9)) : .zero
    }

    /// A hundred years.
    static let longestSeconds = 100 * 365.25 * 86_400

    /// The most queries of the uncached series to a resolver in a run: random names look like an
    /// attack where they are many.
    package static let mostUncached = 250

    /// The plan with the uncached series ending once an address got so many of its queries; without
    /// a cached one the run ends there.
    package func limitingUncached(to most: Int = mostUncached) throws(Failure) -> Plan {
        guard zoneCount > 0 else { return self }
        let perRound = zoneCount * max(1, largestUncachedGroup)
        guard perRound <= most else {
            throw .usage(
                "\(zoneCount) zones are \(perRound) uncached queries to a resolver in each round: "
                    + "name fewer, so that they are \(most) at most"
            )
        }
        var plan = self
        plan.uncachedRounds = most / perRound
        if cachedCount == 0 { plan.rounds = min(rounds, plan.uncachedRounds) }
        return plan
    }

    /// How far apart rounds without an end may start, so that no address gets more than
    /// ``mostUncached`` queries of the uncached series an hour.
    package func uncachedInterval() -> Duration {
        .seconds(3600) * (zoneCount * max(1, largestUncachedGroup)) / Self.mostUncached
    }
}

extension RunProgress {
    /// The progress of a run of `plan`, before its first query.
    package convenience init(of plan: Plan) {
        self.init(
            of: RunScope(
                targets: plan.targets,
                questions: plan.questions,
                timeout: plan.timeout,
                rounds: plan.rounds,
                isOpenEnded: plan.isOpenEnded,
                queries: plan.probeCount,
                duration: plan.estimatedDuration
            )
        )
    }
}
