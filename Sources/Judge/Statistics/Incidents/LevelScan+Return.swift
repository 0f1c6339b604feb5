/// The return of the level before an ongoing change: positions among the members.
struct LevelReturn: Sendable {
    /// The hour in which the evidence sufficed.
    var position: Int
    /// The first hour back at the earlier level.
    var first: Int
}

extension LevelScan {
    /// The numbers of hours whose mean must be near the earlier level.
    private static let returnLengths = [2, 3, 4, 6, 8, 12, 24]
    /// The share of the way back that the mean must have reached.
    private static let returnShare = 0.8
    /// The minimum ratio of the change to the noise of the hours that show its return.
    private static let returnDeviations = 6.0
    /// The number of earlier hours that a search for the first hour back includes.
    private static let searchHours = 84
    /// The hours for which an earlier level is remembered. A day is added because a day is read at once.
    private static let rememberedHours = Incident.longestEpisode + 24

    /// Returns the first hour of the day after which the level before the ongoing change is back; `nil` if it
    /// is not.
    func firstReturn(in members: LevelMembers) -> LevelReturn? {
        guard let open, members.earlier < members.count else { return nil }
        let row = rows[open.row]
        let age = series.hours[members.indices[members.earlier]] - row.start
        guard row.kind != .drift, age <= Self.rememberedHours else { return nil }
        let changed = row.size + open.before
        let way = open.before - changed
        let lengths = Self.returnLengths.filter {
            noise.deviation(over: $0) * Self.returnDeviations <= abs(way)
        }
        guard way != 0, !lengths.isEmpty else { return nil }
        let oldest = max(0, members.earlier - Self.searchHours)
        let shares = members.indices[oldest...].map {
            min(max((series.adjusted($0) - changed) / way, 0), 1)
        }
        for position in members.earlier..<members.count where shares[position - oldest] > 0.5 {
            for length in lengths where position + 1 - length >= 1 {
                let last = shares[(position + 1 - length - oldest)...(position - oldest)]
                guard last.reduce(0, +) / Double(length) >= Self.returnShare else { continue }
                let from = max(1, position - 3 * length - 12)
                let weights = shares[(from - oldest)...(position - oldest)].map { $0 - 0.5 }
                return LevelReturn(position: position, first: from + SuffixSums(weights).start)
            }
        }
        return nil
    }

    /// Ends the ongoing change. The hours from the index `first` on are back at the level before it.
    ///
    /// The hours of an episode belong to no level, so that no reference contains them. A change that the
    /// ended change was part of is ongoing again.
    mutating func endOpenChange(at first: Int, now: Int) {
        guard let ended = open else { return }
        let start = rows[ended.row].start
        let begin = series.index(from: start)
        let during = begin..<max(begin, first)
        let length = series.hours[first] - start
        rows[ended.row].end = series.hours[first]
        rows[ended.row].kind = length <= Incident.longestEpisode ? .episode : .step
        let level = series.median(during)
        if let level { rows[ended.row].size = level - ended.before }
        measure(ended, after: during, before: sides(of: ended, now: now).before)
        rows[ended.row].interval = interval(
            of: rows[ended.row].size,
            after: max(1, during.count),
            before: Incident.referenceHours
        )
        series.setLevel(level ?? ended.before, of: during)
        let isWeekly = series.canRecurWeekly(from: start, to: series.hours[first])
        series.setProfileLevel(isWeekly ? ended.before : level ?? ended.before, of: during)
        series.assign(LevelHours.endedEpisode, to: during)
        current = ended.earlier
        series.assign(current, to: first..<(now + 1))
        series.setLevel(ended.before, of: first..<(now + 1))
        open = outer.popLast()
        slope = open?.slope
    }
}
