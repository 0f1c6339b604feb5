extension Plan {
    /// The time that one question takes to go to every target of its series: as long as the pace
    /// needs.
    package var blockLength: Duration { Self.duration(ofSeconds: blockSeconds) }

    /// The time in which the queries of one round with every series are sent.
    package var roundLength: Duration { Self.duration(ofSeconds: roundSeconds(questions.count)) }

    /// From start to start of counted rounds that have every series.
    package var period: Duration { Self.duration(ofSeconds: periodSeconds) }

    /// From the start until the last query is sent, at the latest.
    package var estimatedDuration: Duration { Self.duration(ofSeconds: estimatedSeconds) }

    /// When round `number` starts, from the start of the run.
    package func start(ofRound number: Int) -> Duration {
        let warmups = Double(warmupRounds)
        let seconds =
            number < 1
            ? (Double(number) - 1 + warmups) * warmupPeriodSeconds
            : warmups * warmupPeriodSeconds + startSeconds(ofCounted: number)
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

    /// Rounds before the first that is counted; the uncached series has none.
    var warmupRounds: Int { cachedCount > 0 ? max(0, warmup) : 0 }

    var estimatedSeconds: Double {
        let hasZones = asksUncached(inRound: max(1, rounds))
        return Double(warmupRounds) * warmupPeriodSeconds
            + startSeconds(ofCounted: max(1, rounds))
            + roundSeconds(hasZones ? questions.count : cachedCount)
    }

    /// One block for every question: the resolvers of all are the same as a rule.
    var blockSeconds: Double {
        [true, false].map { asksCachedNames in
            let (count, largest) = sizes { $0.asksCachedNames == asksCachedNames }
            return max(Double(count) / totalRate, Double(largest) / rate)
        }.max() ?? 0
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

    private func startSeconds(ofCounted number: Int) -> Double {
        let before = Double(number - 1)
        guard zoneCount > 0 else { return before * periodSeconds }
        let whole = min(before, Double(max(0, uncachedRounds)))
        return whole * periodSeconds + (before - whole) * laterPeriodSeconds
    }

    private func roundSeconds(_ questions: Int) -> Double { blockSeconds * Double(questions) }

    private var periodSeconds: Double {
        var seconds = max(interval.inSeconds, roundSeconds(questions.count))
        if zoneCount > 0 {
            // A zone has its place in every round, give or take a block.
            seconds = max(seconds, Double(largestUncachedGroup) / zoneRate + blockSeconds)
        }
        return seconds
    }

    /// From start to start of the rounds that have the cached series alone.
    private var laterPeriodSeconds: Double { max(interval.inSeconds, roundSeconds(cachedCount)) }

    /// A second warm-up tells by its TTL whether the cache ages it, so it comes over a second later.
    private var warmupPeriodSeconds: Double {
        max(roundSeconds(cachedCount), warmup > 1 ? 1.2 : 0)
    }

    /// Held within what a run may last, so that no plan overflows.
    private static func duration(ofSeconds seconds: Double) -> Duration {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, longestSeconds) * 1e9)) : .zero
    }

    /// A hundred years.
    static let longestSeconds = 100 * 365.25 * 86_400
}
