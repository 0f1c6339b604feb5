/// The incidents in one resolver's hours: slow and lossy episodes, lasting steps and drifts (method of
/// incidents). Each result depends on earlier hours only, so that a later reading gives the same incidents.
package struct ChangeHistory: Hashable, Sendable {
    /// The hours that the scans look back at most. A reading that begins this time before a window gives the
    /// incidents of the window.
    package static let reach = ShareIncidents.keptHours
    /// The fewest answers of an hour for its median, and for its p90.
    private static let answersForMedian = 3
    private static let answersForTail = 10
    /// The fewest queries without an answer that are an outage, at the usual loss.
    private static let queriesOfOutage = 3

    /// The changes in the order of their hours.
    package var changes: [LevelChange]
    /// The number of hours that were judged. If it is 0, nothing is known about changes of speed.
    package var judgedHours: Int

    /// Reads blocks in any order. The first of two blocks of one hour counts.
    package init(of blocks: [HourlyBlock]) {
        var seen: Set<Int> = []
        let hours = blocks.filter { $0.measured > 0 && seen.insert($0.hour).inserted }
            .sorted { $0.hour < $1.hour }
        let timed = hours.filter { $0.answered >= Self.answersForMedian }
        let medians = timed.levels(at: 0.5).rows
        let tails = hours.filter { $0.answered >= Self.answersForTail }
        let slow =
            tails.count < Incident.learningHours
            ? [] : tails.levels(at: 0.9).incidents(besides: medians)
        var losses = ShareIncidents(.losses)
        var cache = CacheIncidents()
        let silent = hours.filter { $0.answered == 0 && $0.measured >= Self.queriesOfOutage }
        let silentHours = Set(silent.map(\.hour))
        for block in hours {
            // Without any answer the hour is an outage, and no sample of the usual loss. The outage begins and
            // ends in the hours next to it.
            let isEdge = !silentHours.isDisjoint(with: [block.hour - 1, block.hour + 1])
            if block.answered > 0, !isEdge {
                losses.add(block.share(of: block.failed, in: block.measured))
            }
            cache.add(block)
        }
        changes =
            (medians.compactMap(\.incident).map { LevelChange(.median, $0) }
            + slow.map { incident in
                // The next change of the median is a change of its own.
                let next = medians.map(\.start).filter { $0 > incident.start }.min()
                let moved = timed.medianMoved(at: incident, until: next ?? .max)
                return LevelChange(.p90, incident, medianMoved: moved)
            }
            + losses.incidents.map { LevelChange(.loss, $0) }
            + cache.incidents.map { LevelChange(.cache, $0) })
            .sorted { $0.hour < $1.hour }
        let first = timed.first?.hour ?? 0
        judgedHours = timed.count { $0.hour - first >= Incident.learningHours }
    }
}

extension HourlyBlock {
    fileprivate func share(of part: Int, in whole: Int) -> ShareHour {
        ShareHour(hour: hour, hourOfWeek: hourOfWeek, part: part, whole: whole)
    }
}

extension [HourlyBlock] {
    /// The scan of one quantile of the hours.
    fileprivate func levels(at quantile: Double) -> LevelIncidents {
        reduce(into: LevelIncidents()) { levels, block in
            guard let value = block.quantile(quantile) else { return }
            levels.add(hour: block.hour, value: value, hourOfWeek: block.hourOfWeek)
        }
    }

    /// The change of the median at an incident of the p90: 14 days before it, and up to 14 days of it; `nil`
    /// without hours on one side.
    fileprivate func medianMoved(at incident: Incident, until next: Int) -> Double? {
        let reach = Incident.referenceHours
        let end = Swift.min(incident.end ?? .max, next, incident.start + reach)
        func median(_ hours: Range<Int>) -> Double? {
            let first = partitioningIndex { $0.hour >= hours.lowerBound }
            return self[first..<partitioningIndex { $0.hour >= hours.upperBound }]
                .compactMap(\.median).median
        }
        guard let old = median(incident.start - reach..<incident.start),
            let new = median(incident.start..<Swift.max(end, incident.start + 1))
        else { return nil }
        return new - old
    }
}
