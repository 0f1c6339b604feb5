import LibC

/// The queries of one round, by resolver.
package struct OutageRound: Hashable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    package let start: Int64
    /// The queries to each resolver. A resolver without queries was not asked.
    package let asked: [Int]
    /// The queries without an answer.
    package let lost: [Int]

    package init(start: Int64, asked: [Int], lost: [Int]) {
        (self.start, self.asked, self.lost) = (start, asked, lost)
    }
}

/// Finds outages, round by round (method of incidents, §4).
///
/// A round is dead for a resolver if all its queries failed. A run of dead rounds is an outage if the
/// resolver's usual loss explains it with a probability of at most 2e-7. At a usual loss of 0.5 % or less,
/// three queries suffice. The line has an outage if all resolvers are dead, at least two.
///
/// The usual loss comes from the 28 days before the run, so that a later reading gives the same outages. The
/// state is bounded: per resolver the run that lasts, and the counts of 28 days by hour.
package struct OutageScan: Sendable {
    /// Nanoseconds. The end of a run before a longer gap is unknown.
    private let longestGap: Int64
    private let interval: Int64
    private var last: Int64?
    private var line = DeadRun(scope: .line)
    private var runs: [DeadRun]
    private var losses: [RecentLoss]
    /// The rounds in which any resolver was asked, and those in which the line was dead.
    package private(set) var availability = Availability()
    /// The rounds in which each resolver was asked, and those in which it was dead.
    package private(set) var availabilities: [Availability]

    /// Creates a scan of rounds that are planned every `interval` nanoseconds.
    package init(resolvers: Int, interval: Int64) {
        self.interval = max(0, interval)
        let (gap, overflow) = self.interval.multipliedReportingOverflow(by: 3)
        longestGap = overflow ? .max : gap
        runs = (0..<max(0, resolvers)).map { DeadRun(scope: .resolver($0)) }
        losses = Array(repeating: RecentLoss(), count: runs.count)
        availabilities = Array(repeating: Availability(), count: runs.count)
    }

    /// Adds the next round, and returns the outages that ended before it. Rounds out of order are skipped,
    /// and so are rounds with another number of resolvers.
    package mutating func add(_ round: OutageRound) -> [Outage] {
        guard round.asked.count == runs.count, round.lost.count == runs.count,
            round.start > last ?? .min
        else { return [] }
        var ended = endRuns(beforeGapTo: round.start)
        let dead = zip(round.asked, round.lost).map { $0 > 0 && $1 >= $0 }
        let measured = round.asked.count { $0 > 0 }
        let isLineDead = measured >= 2 && measured == dead.count { $0 }
        if measured > 0 { availability.add(isDead: isLineDead) }
        let queries = round.asked.reduce(0, +)
        ended += line.add(isDead: isLineDead, queries, at: round.start) { RecentLoss.least }
        for (resolver, asked) in round.asked.enumerated() {
            // A dead line is no outage of the resolver. It neither begins nor ends one.
            let (isDead, own) = (dead[resolver] && !isLineDead, isLineDead ? 0 : asked)
            let hour = round.start.hour
            ended += runs[resolver].add(isDead: isDead, own, at: round.start) {
                losses[resolver].rate(before: hour)
            }
            guard asked > 0 else { continue }
            availabilities[resolver].add(isDead: dead[resolver])
            if !dead[resolver] {
                losses[resolver].add(asked: asked, lost: round.lost[resolver], at: hour)
            }
        }
        last = round.start
        return ended
    }

    /// Ends all runs if the round at `start` follows a gap. The runs then last one interval after their last
    /// round.
    private mutating func endRuns(beforeGapTo start: Int64) -> [Outage] {
        guard let last else { return [] }
        let (gap, isLong) = start.subtractingReportingOverflow(last)
        guard isLong || gap > longestGap else { return [] }
        let (end, isBeyond) = last.addingReportingOverflow(interval)
        var ended: [Outage] = []
        ended += line.end(at: isBeyond ? start : end)
        for resolver in runs.indices { ended += runs[resolver].end(at: isBeyond ? start : end) }
        return ended
    }

    /// The outages that last, by the rounds so far.
    package var open: [Outage] { ([line] + runs).compactMap { $0.outage(end: nil) } }
}

/// The consecutive dead rounds of one scope. Rounds without queries in between belong to the run.
private struct DeadRun {
    /// The largest probability of an outage by chance.
    private static let chance = 2e-7

    private struct Rounds {
        var start: Int64
        var rounds: Int
        var queries: Int
        /// The usual loss before the run, 0 to 1.
        var loss: Double
    }

    let scope: Outage.Scope
    private var run: Rounds?

    init(scope: Outage.Scope) { self.scope = scope }

    /// Adds a round. Returns the outage that it ends, if there is one.
    mutating func add(
        isDead: Bool,
        _ queries: Int,
        at start: Int64,
        usualLoss: () -> Double
    ) -> [Outage] {
        if run != nil, queries > 0, !isDead { return end(at: start) }
        if run != nil {
            run?.rounds += 1
            run?.queries += queries
        } else if isDead, queries > 0 {
            run = Rounds(start: start, rounds: 1, queries: queries, loss: usualLoss())
        }
        return []
    }

    mutating func end(at end: Int64) -> [Outage] {
        defer { run = nil }
        return outage(end: end).map { [$0] } ?? []
    }

    /// The run, if the usual loss does not explain its number of lost queries.
    func outage(end: Int64?) -> Outage? {
        guard let run,
            Double(run.queries) * -log(min(run.loss, 0.9)) >= -log(Self.chance)
        else { return nil }
        return Outage(
            scope: scope,
            Outage.Interruption(start: run.start, end: end),
            rounds: run.rounds,
            queries: run.queries
        )
    }
}

/// The counts of the rounds with any answer, in the last 28 days by hour.
private struct RecentLoss {
    /// The loss that is assumed at least. A few queries without a loss do not exclude it.
    static let least = 0.005
    private static let reach = 28 * 24

    private var hours: [(hour: Int, asked: Int, lost: Int)] = []

    mutating func add(asked: Int, lost: Int, at hour: Int) {
        if hours.last?.hour != hour {
            hours.removeFirst(hours.partitioningIndex { $0.hour > hour - Self.reach })
            hours.append((hour, 0, 0))
        }
        hours[hours.count - 1].asked += asked
        hours[hours.count - 1].lost += lost
    }

    /// Returns the loss of the counted rounds up to now. Without rounds it is a half, so that an outage needs
    /// more queries as long as the usual loss is unknown.
    func rate(before hour: Int) -> Double {
        let known = hours[hours.partitioningIndex { $0.hour > hour - Self.reach }...]
        let (asked, lost) = known.reduce(into: (0, 0)) {
            $0 = ($0.0 + $1.asked, $0.1 + $1.lost)
        }
        return max(Self.least, (Double(lost) + 0.5) / (Double(asked) + 1))
    }
}

extension Int64 {
    /// The hour since 1970 that contains these nanoseconds.
    fileprivate var hour: Int { Int(dividedDown(by: .nanosecondsPerHour)) }
}
