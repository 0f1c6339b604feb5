package import Catalogue
package import DNSWire
package import Failures
package import Samples

/// The times, resolvers and questions of all queries, fixed by a seed before the first query is
/// sent.
///
/// Send times do not depend on replies. A slow resolver cannot reduce the number of its own samples
/// (coordinated omission), and cannot delay another resolver.
package struct Plan: Hashable, Sendable, Codable {
    package var targets: [Recording.Target]
    /// The number of each target's address. All targets of one group share the limit ``rate``.
    package var targetGroups: [Int]
    /// The questions of the cached series and of first queries, followed by the questions of the
    /// uncached series.
    package var questions: [Question]
    /// The number of questions of the uncached series, at the end of ``questions``. Each is `*.`
    /// and a zone. Each query replaces the `*` with a random label. Samples keep the name with the
    /// `*`, so that samples of one zone and round form a pair with any labels.
    package private(set) var zoneCount = 0
    /// The number of counted rounds. Each asks every target every question of its series once.
    package var rounds = 10
    /// Whether ``rounds`` is a maximum, and the run may end earlier.
    package var isOpenEnded = false
    /// Whether a round may ask a part of the plan. The part then determines the round's duration
    /// and its warm-up.
    package var asksInParts = false
    /// Whether each question is asked once, a few in each round.
    package internal(set) var asksOnce = false
    /// Whether some series are measured on a loaded line, so that each round has a block per state of the
    /// line.
    package var isUnderLoad: Bool { targets.contains(where: \.series.isLoaded) }
    /// The number of consecutive questions that a resolver is asked at one moment.
    package var questionsAtOnce = 1
    /// The last round with the uncached series. The cached series continues alone.
    package var uncachedRounds = Int.max
    /// The minimum time between the starts of two rounds. The pace may need more.
    package var interval = Duration.zero
    package var timeout = Duration.seconds(5)
    /// The maximum number of queries per second to one address, on average over a block.
    package var rate = Pace.polite.rate
    /// The maximum number of queries per second to all addresses, on average over a block.
    package var totalRate = Pace.polite.totalRate
    package var pace: Pace {
        get { Pace(rate: rate, totalRate: totalRate) }
        set { (rate, totalRate) = (newValue.rate, newValue.totalRate) }
    }
    /// The maximum number of queries per second to one address for names under one zone, on average
    /// over a round.
    package var zoneRate = 1.0
    /// The maximum number of rounds of the cached series before the first counted round, at the
    /// same pace. A name is repeated to a resolver only if ``WarmupTracker`` finds it worthwhile.
    package var warmup = 1
    package var seed: UInt64 = 0
    /// The sampling of counted queries. Warm-up queries are periodic.
    package var sampling = Sampling.periodic

    /// Creates a plan. `zones` are the questions of the uncached series, each `*.` and a zone.
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

    /// The numbers of the rounds. Counted rounds are numbered from 1 up; warm-up rounds end at 0.
    package var roundNumbers: Range<Int> {
        let most = Int(Int32.max)
        return (1 - min(warmupRounds, most))..<(min(max(0, rounds), most) + 1)
    }

    /// The series of a question. Questions of the cached series also serve as first queries.
    package func series(ofQuestion question: Int) -> Series {
        if asksOnce { return .asFound }
        return question < cachedCount ? .cached : .uncached
    }

    /// Whether counted round `number` has the uncached series too.
    package func asksUncached(inRound number: Int) -> Bool {
        zoneCount > 0 && number >= 1 && number <= uncachedRounds
    }

    /// The number of queries in all counted rounds.
    package var probeCount: Int {
        if asksOnce { return targets.count * (questions.count + againCount) }
        let asked = targets.count { $0.series.asksCachedNames }
        return asked * cachedCount * rounds
            + (targets.count - asked) * zoneCount * min(rounds, uncachedRounds)
    }

    /// The number of queries in a round with every series.
    package var probesPerRound: Int {
        targets.reduce(0) { $0 + ($1.series.asksCachedNames ? cachedCount : zoneCount) }
    }

    /// The number of questions whose answers may be in caches.
    var cachedCount: Int { max(0, questions.count - zoneCount) }
}

extension Plan {
    /// The time that the pace needs to send one question to every target of its series.
    package var blockLength: Duration { Self.duration(ofSeconds: blockSeconds) }

    /// The time between the starts of counted rounds with every series.
    package var period: Duration { Self.duration(ofSeconds: periodSeconds) }

    /// The maximum time from the start until the last query is sent.
    package var estimatedDuration: Duration { Self.duration(ofSeconds: estimatedSeconds) }

    /// The start of round `number`, from the start of the run.
    package func start(ofRound number: Int) -> Duration {
        start(ofRound: number, RoundPattern(self))
    }

    /// The start of round `number`, with the known pattern of this plan's rounds.
    func start(ofRound number: Int, _ pattern: RoundPattern) -> Duration {
        let seconds =
            number < 1
            ? (Double(number) - 1 + Double(warmupRounds)) * warmupPeriodSeconds
            : pattern.warmup + startSeconds(ofCounted: number, pattern)
        return Self.duration(ofSeconds: seconds)
    }

    /// The plan with the number of rounds that start within `duration` after the first counted
    /// round, at least one.
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

    /// The maximum number of warm-up queries for a round of a schedule.
    package var mostWarmups: Int { warmupRounds * members(inRound: 0).cached.count * cachedCount }

    /// The number of rounds before the first counted round. The uncached series has no such rounds.
    var warmupRounds: Int { cachedCount > 0 ? max(0, warmup) : 0 }

    var estimatedSeconds: Double {
        if asksOnce { return roundSeconds(questions.count + againCount) }
        if asksInParts {
            // A round of a part lasts at most two seconds and one name more.
            let round = min(roundSeconds(questions.count), 2 + blockSeconds)
            return Double(warmupRounds) * warmupPeriodSeconds
                + Double(max(1, rounds)) * max(interval.inSeconds, round)
        }
        if isUnderLoad {
            let round = Double(blocks(inRound: 1).count) * Self.stateSeconds + periodSeconds
            return Double(warmupRounds) * warmupPeriodSeconds + Double(max(1, rounds)) * round
        }
        let hasZones = asksUncached(inRound: max(1, rounds))
        return Double(warmupRounds) * warmupPeriodSeconds
            + startSeconds(ofCounted: max(1, rounds), RoundPattern(self))
            + (sampling == .poisson
                ? poissonRoundSeconds : roundSeconds(hasZones ? questions.count : cachedCount))
    }

    /// The duration of one block. All questions have one block length, because they usually go to
    /// the same resolvers.
    var blockSeconds: Double {
        [true, false].map { asksCachedNames in
            let (count, largest) = sizes { $0.asksCachedNames == asksCachedNames }
            return pace.seconds(for: count, toOne: largest)
        }.max() ?? 0
    }

    func blockLength(of targets: [Int]) -> Duration {
        Self.duration(ofSeconds: blockSeconds(of: targets))
    }

    /// The duration of a block for some targets of one series.
    private func blockSeconds(of targets: [Int]) -> Double {
        let groups = Dictionary(grouping: targets) { targetGroups[$0] }
        let largest = groups.values.map(\.count).max() ?? 0
        return pace.seconds(for: targets.count, toOne: largest)
    }

    /// The time from the start of a round that asks a part of the plan to the start of the next
    /// round.
    func period(of part: RoundPart) -> Duration {
        let seconds = blockSeconds(of: part.targets) * Double(part.questions.count)
        return Self.duration(ofSeconds: max(interval.inSeconds, seconds))
    }

    /// The duration of one pass of a part's warm-up.
    func warmupPeriod(of part: RoundPart) -> Duration {
        let seconds = blockSeconds(of: part.targets) * Double(part.warmed.count)
        return Self.duration(ofSeconds: max(seconds, warmup > 1 ? Self.agingSeconds : 0))
    }

    /// The maximum number of uncached targets that share an address.
    var largestUncachedGroup: Int { sizes { $0 == .uncached }.largest }

    /// The number of targets of some series, and the maximum number of them that share an address.
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
            // A zone has the same place in every round, within one block.
            seconds = max(seconds, Double(largestUncachedGroup) / zoneRate + blockSeconds)
        }
        return seconds
    }

    /// The time between the starts of rounds with only the cached series. Poisson sampling keeps
    /// its mean pace.
    var laterPeriodSeconds: Double {
        sampling == .poisson ? periodSeconds : max(interval.inSeconds, roundSeconds(cachedCount))
    }

    /// The minimum time between two warm-ups. The TTL in the second shows whether the cache counts
    /// down, which takes over a second.
    private static let agingSeconds = 1.2

    var warmupPeriodSeconds: Double {
        max(roundSeconds(cachedCount), warmup > 1 ? Self.agingSeconds : 0)
    }

    /// The duration, limited to the maximum duration of a run, so that no plan overflows.
    private static func duration(ofSeconds seconds: Double) -> Duration {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, longestSeconds) * 1e9)) : .zero
    }

    /// A hundred years.
    static let longestSeconds = 100 * 365.25 * 86_400

    /// The maximum number of uncached queries to a resolver in a run. Many random names look like
    /// an attack.
    package static let mostUncached = 250

    /// The plan whose uncached series ends after an address received this number of its queries.
    /// Without a cached series, the run ends there.
    package func limitingUncached(to most: Int = mostUncached) throws(Failure) -> Plan {
        guard zoneCount > 0 else { return self }
        let perRound = zoneCount * max(1, largestUncachedGroup)
        guard perRound <= most else {
            throw .usage(
                "\(zoneCount) zones are \(perRound) uncached queries to a resolver in each round: "
                    + "name fewer zones, for at most \(most) queries"
            )
        }
        var plan = self
        plan.uncachedRounds = most / perRound
        if cachedCount == 0 { plan.rounds = min(rounds, plan.uncachedRounds) }
        return plan
    }

    /// The minimum interval of rounds without an end, so that no address gets more than
    /// ``mostUncached`` uncached queries per hour.
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
