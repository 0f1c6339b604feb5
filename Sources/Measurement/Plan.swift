package import DNSWire

/// When to ask whom for what, fixed by a seed before the first query leaves.
///
/// Send times do not depend on replies: a slow resolver cannot thin out its own samples
/// (coordinated omission), nor delay another's.
package struct Plan: Hashable, Sendable {
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
    /// The uncached series ends with this round, and the cached one goes on alone.
    package var uncachedRounds = Int.max
    /// From start to start of rounds, where the pace does not need longer.
    package var interval = Duration.zero
    package var timeout = Duration.seconds(5)
    /// At most so many queries per second to one address, on average over a block.
    package var rate = Pace.polite.rate
    /// At most so many queries per second to all, on average over a block.
    package var totalRate = Pace.polite.totalRate
    /// At most so many queries per second to one address for names under one zone, on average over
    /// a round.
    package var zoneRate = 1.0
    /// At most so many rounds of the cached series before the first that is counted, at the same
    /// pace: a resolver gets a name again only while ``CacheLedger`` says that it is worth it.
    package var warmup = 1
    package var seed: UInt64 = 0

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
        question < cachedCount ? .cached : .uncached
    }

    /// Whether counted round `number` has the uncached series too.
    package func asksUncached(inRound number: Int) -> Bool {
        zoneCount > 0 && number >= 1 && number <= uncachedRounds
    }

    /// The queries of all counted rounds.
    package var probeCount: Int {
        let asked = targets.count { $0.series.asksCachedNames }
        let cached = asked.multiplied(by: cachedCount, rounds)
        let uncached = (targets.count - asked)
            .multiplied(by: zoneCount, min(rounds, uncachedRounds))
        let (sum, overflow) = cached.addingReportingOverflow(uncached)
        return overflow ? .max : sum
    }

    /// The queries of a round with every series.
    package var probesPerRound: Int {
        targets.reduce(0) { $0 + ($1.series.asksCachedNames ? cachedCount : zoneCount) }
    }

    /// The questions that caches may have the answers of.
    var cachedCount: Int { max(0, questions.count - zoneCount) }
}

extension Int {
    /// The product of whole numbers, held within what an Int holds; 0 for a negative factor.
    fileprivate func multiplied(by factors: Int...) -> Int {
        factors.reduce(Swift.max(0, self)) { product, factor in
            let (next, overflow) = product.multipliedReportingOverflow(by: Swift.max(0, factor))
            return overflow ? .max : next
        }
    }
}
