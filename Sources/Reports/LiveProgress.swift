package import Samples
package import Statistics

/// How far a run has come: what the live view shows of it.
package struct LiveProgress: Hashable, Sendable {
    /// One resolver so far.
    package struct Resolver: Hashable, Sendable {
        package var name: String
        package var answered: Int
        /// Queries without an answer that could be used.
        package var lost: Int
        package var latency: LatencySummary
        /// Of the median, to 95 %, infinite above where it may lie beyond the timeout; `nil` where the
        /// queries are too few.
        package var medianInterval: ClosedRange<Double>?
        /// Whether it is what the machine uses now.
        package var isInUse: Bool
        /// Whether an answer may be anybody's, since no certificate was verified.
        package var isUnverified: Bool
        /// How far it is from a verdict; `nil` for one that is compared with none.
        package var standing: CandidateStanding?

        package init(
            name: String,
            answered: Int,
            lost: Int,
            latency: LatencySummary,
            medianInterval: ClosedRange<Double>? = nil,
            isInUse: Bool = false,
            isUnverified: Bool = false,
            standing: CandidateStanding? = nil
        ) {
            self.name = name
            self.answered = answered
            self.lost = lost
            self.latency = latency
            self.medianInterval = medianInterval
            self.isInUse = isInUse
            self.isUnverified = isUnverified
            self.standing = standing
        }
    }

    /// In the order in which they are shown.
    package var resolvers: [Resolver]
    /// Queries that came to their end, and all that are planned.
    package var done: Int
    package var planned: Int
    /// The round under way, and all of them; 0 while caches are warmed.
    package var round: Int
    package var rounds: Int
    /// Whether the run may end before the last of the rounds.
    package var isOpenEnded = false
    package var remaining: Duration?
    /// The latest round whose figures are final; 0 before the first.
    package var settledRound = 0
    /// What is said below the resolvers, line by line, in place of how far the run has come.
    package var status: [String] = []

    package init(
        resolvers: [Resolver],
        done: Int,
        planned: Int,
        round: Int,
        rounds: Int,
        remaining: Duration? = nil
    ) {
        self.resolvers = resolvers
        self.done = done
        self.planned = planned
        self.round = round
        self.rounds = rounds
        self.remaining = remaining
    }

    /// Those with a verdict, and those that are compared at all.
    var verdicts: Share {
        let standings = resolvers.compactMap(\.standing)
        return Share(part: standings.count { $0.verdict != nil }, whole: standings.count)
    }
}

extension LiveProgress {
    /// How far a run has come; `inUse` is the label of what the machine uses now, and
    /// `standings` those of the candidates, by the index of the target.
    package init(
        _ snapshot: RunProgress.Snapshot,
        inUse: String? = nil,
        standings: [Int: CandidateStanding] = [:]
    ) {
        let scope = snapshot.scope
        let timeout = scope.timeout.milliseconds
        let names = Self.names(of: scope.targets)
        self.init(
            resolvers: snapshot.targets.enumerated().map { index, progress in
                Resolver(
                    name: names[index],
                    answered: progress.answered,
                    lost: progress.lost,
                    latency: LatencySummary(
                        answers: progress.times,
                        nonAnswers: 0,
                        timeout: timeout
                    ),
                    medianInterval: QuantileInterval.ofMedian(
                        progress.times.map { $0 <= timeout ? $0 : .infinity }
                    ),
                    isInUse: scope.targets[index].label == inUse,
                    isUnverified: progress.isUnverified,
                    standing: standings[index]
                )
            },
            done: snapshot.done,
            planned: scope.queries,
            round: snapshot.round,
            rounds: scope.rounds,
            remaining: scope.isOpenEnded ? nil : snapshot.remaining
        )
        isOpenEnded = scope.isOpenEnded
        settledRound = snapshot.settledRound
    }

    /// The names of a report, with the series where there are several.
    private static func names(of targets: [Recording.Target]) -> [String] {
        let names = ComparisonReport.names(of: targets)
        guard Set(targets.map(\.series)).count > 1 else { return names }
        return zip(targets, names).map { target, name in
            target.series == .cached ? name : "\(name), \(target.series)"
        }
    }
}
