import Analysis
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
        /// Interval of the median, to 95 %, infinite above where it may lie beyond the timeout; `nil` where the
        /// queries are too few.
        package var medianInterval: ClosedRange<Double>?
        /// Whether it is what the machine uses now.
        package var isInUse = false
        /// Whether an answer may be anybody's, since no certificate was verified.
        package var isUnverified = false
        /// How far it is from a verdict; `nil` for one that is compared with none.
        package var standing: EvidenceProgress?
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
    /// Lines below the resolvers, line by line, in place of how far the run has come.
    package var status: [String] = []

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
        standings: [Int: EvidenceProgress] = [:]
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
                    medianInterval: Figures.medianInterval(
                        progress.times,
                        nonAnswers: 0,
                        timeout: timeout
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
        let names = targets.names
        guard Set(targets.map(\.series)).count > 1 else { return names }
        return zip(targets, names).map { target, name in
            target.series == .cached ? name : "\(name), \(target.series)"
        }
    }
}

/// The rows of one series, sorted out by what can be said of them.
struct SeriesSummary {
    /// With a median, the best rank first and of those the lowest median.
    let ranked: [ResolverSummary]
    /// The fastest that do not lose more than most do, those that tie to the shown precision.
    let fastest: [ResolverSummary]
    /// At least as fast as those, but lossy.
    let lossyAndFast: [ResolverSummary]
    /// Answered something, but less than half.
    let mostlySilent: [ResolverSummary]
    /// Answered nothing.
    let silent: [ResolverSummary]
    /// No query that says something of speed was sent.
    let unmeasured: [ResolverSummary]
    /// For all medians, so that the words agree with the table.
    let format: LatencyFormat

    /// `rows` of one series, in any order.
    init(of rows: [ResolverSummary]) {
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let ranked = Self.sorted(rows.filter { $0.latency.median != nil })
        let usual = Self.usualFailureRate(of: ranked)
        let reliable = ranked.filter { !Self.isLossy($0, usual: usual) }
        let best = reliable.first.map { Self.shown($0, in: format) }
        self.format = format
        self.ranked = ranked
        fastest = reliable.filter { Self.shown($0, in: format) == best }
        let limit = reliable.first?.latency.median ?? -.infinity
        lossyAndFast = ranked.filter { row in
            guard Self.isLossy(row, usual: usual), let median = row.latency.median else {
                return false
            }
            return median <= limit || Self.shown(row, in: format) == best
        }
        let others = rows.filter { $0.latency.median == nil }
        mostlySilent = others.filter { $0.counts.answered > 0 && $0.latency.count > 0 }
        silent = others.filter { $0.counts.answered == 0 && $0.latency.count > 0 }
        unmeasured = others.filter { $0.latency.count == 0 }
    }

    private static func sorted(_ rows: [ResolverSummary]) -> [ResolverSummary] {
        func key(_ place: Int, _ row: ResolverSummary) -> (Int, Double, Int) {
            (
                row.rank.map { $0.lowerBound + $0.upperBound } ?? .max,
                row.latency.median ?? .infinity, place
            )
        }
        return rows.enumerated().sorted { key($0.offset, $0.element) < key($1.offset, $1.element) }
            .map(\.element)
    }

    /// The failure rate in the middle, the lower one of two.
    private static func usualFailureRate(of rows: [ResolverSummary]) -> Double {
        let rates = rows.compactMap(\.counts.failureRate.fraction).sorted()
        return rates.isEmpty ? 0 : rates[(rates.count - 1) / 2]
    }

    /// Whether a row loses more than usual by over half a percentage point and over one query:
    /// where one query in 200 costs a retry after 5 s, the mean is 25 ms worse.
    private static func isLossy(_ row: ResolverSummary, usual: Double) -> Bool {
        guard let rate = row.counts.failureRate.fraction else { return false }
        let excess = Double(row.counts.lost) - usual * Double(row.counts.measured)
        return rate - usual > 0.005 && excess > 1
    }

    private static func shown(_ row: ResolverSummary, in format: LatencyFormat) -> String? {
        row.latency.median.map(format.number)
    }
}
