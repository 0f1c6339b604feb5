/// Finds lasting changes in a resolver's hours.
///
/// Each hour is held against the same hour of the day over the 14 days before, with a dead-band:
/// smaller drifts are always there and nothing to tell of. Hours that are missing are skipped.
package struct ChangeDetector: Hashable, Sendable {
    /// In milliseconds, and as a share of the reference: the larger of both is the dead-band.
    package var leastBand = 2.0
    package var relativeBand = 0.1
    /// The dead-band of the share of lost queries: a hundredth, or a quarter of the reference.
    package var leastLossBand = 0.01
    package var relativeLossBand = 0.25
    /// How far back the reference reaches.
    package var referenceHours = 14 * 24
    /// Fewest earlier days that have the hour, to judge one by them.
    package var leastDays = 3
    /// How much on either side of a change tells its size: more would add the drift of days.
    package var sizeHours = 4 * 24

    package init() {}

    /// What `blocks` of one resolver say, in any order; of two with one hour the first counts.
    package func history(of blocks: [HourlyBlock]) -> ChangeHistory {
        var seen: Set<Int> = []
        let hours = blocks.filter { $0.measured > 0 && seen.insert($0.hour).inserted }
            .sorted { $0.hour < $1.hour }
        let speed = SpeedChanges(hours, self)
        let losses = LossChanges(hours, self)
        return ChangeHistory(
            changes: (speed.changes + losses.changes).sorted { $0.hour < $1.hour },
            judgedHours: max(speed.judgedHours, losses.judgedHours)
        )
    }

    func deadBand(of reference: Double) -> Double { max(leastBand, relativeBand * reference) }

    func lossBand(of reference: Double) -> Double {
        max(leastLossBand, relativeLossBand * reference)
    }
}
