/// Finds slow episodes, steps and drifts in the hourly median or p90 of one resolver.
///
/// Hours are added in their order. An hour with few answers says little: the median needs 3 answers and the
/// p90 10. Skip hours with fewer.
package struct LevelIncidents: Sendable {
    private var scan = LevelScan()
    private var lastHour: Int?

    package init() {}

    /// Adds an hour. It is ignored if it does not follow the hour before, or if its value is not a time.
    ///
    /// - Parameters:
    ///   - hour: Hours since 1970 in UTC.
    ///   - value: The median or the p90 of the hour, in milliseconds.
    ///   - hourOfWeek: The hour of the week by the local clock of the resolver's users, 0 to 167.
    package mutating func add(hour: Int, value: Double, hourOfWeek: Int) {
        guard value.isFinite, abs(value) < 1e9, hour > lastHour ?? .min else { return }
        if let lastHour, lastHour / 24 != hour / 24 { scan.read() }
        scan.append(hour: hour, value: value, hourOfWeek: hourOfWeek.hourOfWeek)
        lastHour = hour
    }

    /// All changes that were found so far, in the order in which they were found. The day of the last hour
    /// counts as complete.
    package var rows: [LevelRow] {
        var scan = scan
        scan.finish()
        return scan.rows
    }

    /// The changes beyond the dead band.
    package var incidents: [Incident] { rows.compactMap(\.incident) }

    /// Returns the changes of the p90 that are not among `medians`, all changes of the same resolver's
    /// median.
    package func incidents(besides medians: [LevelRow]) -> [Incident] {
        rows.filter { row in !medians.contains { $0.explains(row) } }.compactMap(\.incident)
    }
}

extension LevelRow {
    private static let sameHours = 48

    /// Whether a change of the p90 is the same as this change of the median: it has the same direction, and
    /// starts within two days or during a drift. A drift of the p90 is also the same if the median changes
    /// during it, because a step can look like a drift among noisy p90s.
    fileprivate func explains(_ tail: LevelRow) -> Bool {
        guard hasDirection(of: tail.size) else { return false }
        let isDuringDrift = kind == .drift && start <= tail.start && tail.start - 24 <= end ?? .max
        let hasStep =
            tail.kind == .drift && (tail.start...max(tail.start, tail.end ?? .max)) ~= start
        return abs(start - tail.start) <= Self.sameHours || isDuringDrift || hasStep
    }
}
