package import Samples
import Statistics

extension RoundLog {
    /// The times in which no resolver of a place answered, from the marks of the rounds. The end of an outage
    /// is the next round with an answer.
    package func outages(at vantage: String) -> [OutageFinding] {
        let moments = rounds(at: vantage)
        guard moments.contains(where: { $0.marks.contains(.outage) }) else { return [] }
        var scan = OutageScan(resolvers: 2, interval: interval(at: vantage))
        var found: [Outage] = []
        for moment in moments {
            let isDead = moment.marks.contains(.outage)
            // A round without a route, or with a suspended machine, measured nothing.
            let isAsked = isDead || moment.marks.isDisjoint(with: [.offline, .suspended])
            for start in Set([moment.started, moment.last]).sorted() {
                found += scan.add(
                    OutageRound(
                        start: start.nanoseconds,
                        asked: isAsked ? Self.marked : [0, 0],
                        lost: isDead ? Self.marked : [0, 0]
                    )
                )
            }
        }
        return Outage.merged((found + scan.open).filter { $0.scope == .line }).map { outage in
            OutageFinding(outage, at: vantage, nil, name: "")
        }
    }

    /// The queries of a marked round: enough that chance explains no outage.
    private static let marked = [10, 10]

    /// The usual time between two rounds of a place in nanoseconds; an hour if it is unknown.
    private func interval(at vantage: String) -> Int64 {
        usualDistance(at: vantage).map { Int64(min($0, 1e9) * 1e9) } ?? .nanosecondsPerHour
    }
}

extension [HistoryHours.Timeline] {
    /// The times in which a resolver did not answer any query. The timelines are those of `vantage`. The
    /// times are those of the `silent` rounds, or whole hours where these are unknown.
    func outages(at vantage: String, _ silent: SilentRounds) -> [OutageFinding] {
        var hours: [Int: (asked: [Int], lost: [Int])] = [:]
        let isSilent = contains { $0.hours.contains { $0.value.counts.answered == 0 } }
        guard isSilent || !silent.isEmpty else { return [] }
        for (index, timeline) in enumerated() {
            for (hour, figures) in timeline.hours {
                let none = [Int](repeating: 0, count: count)
                var counts = hours[hour] ?? (none, none)
                counts.asked[index] = figures.counts.measured
                counts.lost[index] = figures.counts.failed
                hours[hour] = counts
            }
        }
        let known = knownRounds(silent.byHour(at: vantage))
        var scan = OutageScan(resolvers: count, interval: .nanosecondsPerHour)
        var found: [Outage] = []
        for (hour, counts) in hours.sorted(by: { $0.key < $1.key }) {
            let start = Timestamp(hoursSinceEpoch: hour).nanoseconds
            let whole = OutageRound(start: start, asked: counts.asked, lost: counts.lost)
            for round in known[hour] ?? [whole] { found += scan.add(round) }
        }
        let starts = Set(known.values.joined().map(\.start))
        let all = (found + scan.open).filter { !starts.contains($0.start) || $0.isOfRounds }
        return Outage.merged(all).map { outage in
            guard case .resolver(let index) = outage.scope else {
                return OutageFinding(outage, at: vantage, nil, name: "")
            }
            return OutageFinding(outage, at: vantage, self[index].subject, name: self[index].name)
        }
    }

    /// The hours with all their rounds, as queries to each timeline.
    private func knownRounds(_ hours: [Int: [SilentRounds.Round]]) -> [Int: [OutageRound]] {
        guard !hours.isEmpty else { return [:] }
        var counted: [Int: Int] = [:]
        for timeline in self {
            for (hour, figures) in timeline.hours where hours[hour] != nil {
                counted[hour, default: 0] += figures.availability.rounds
            }
        }
        let subjects = map(\.subject)
        return hours.filter { hour, rounds in
            // Samples of an hour may be pruned in part.
            rounds.reduce(0) { $0 + $1.counts.count } == counted[hour]
        }
        .mapValues { rounds in
            var last = Int64.min
            return rounds.map { round in
                // Rounds of two runs may start together.
                last = Swift.max(round.start, last == .max ? last : last + 1)
                return OutageRound(
                    start: last,
                    asked: subjects.map { round.counts[$0]?.asked ?? 0 },
                    lost: subjects.map { round.counts[$0]?.lost ?? 0 }
                )
            }
        }
    }
}

extension Outage {
    /// Whether the rounds make an outage, as for a notice: a single lost round may be a burst of losses. A
    /// round that stands for an hour is an outage like an hour.
    fileprivate var isOfRounds: Bool {
        if rounds >= NoticeRules.rounds, queries >= NoticeRules.queries { return true }
        return (end ?? start) - start >= .nanosecondsPerHour
    }
}

extension OutageFinding {
    fileprivate init(
        _ outage: Outage,
        at vantage: String,
        _ subject: HistoryHours.Subject?,
        name: String
    ) {
        func moment(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }
        self.init(
            vantage: vantage,
            subject: subject,
            name: name,
            start: moment(outage.start),
            end: outage.end.map(moment),
            interruptions: outage.interruptions.map { part in
                moment(part.start)..<moment(max(part.start, part.end ?? part.start))
            }
        )
    }
}
