/// A change of one resolver's level, as the scan knows it so far.
///
/// A row never disappears. Its kind can change: a step that returns becomes an episode, and a step that
/// proves to be a slope becomes a drift.
package struct LevelRow: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case episode, step, drift
        /// An episode that recurs every week. The profile contains it since.
        case pattern
        /// A change that a later drift contains.
        case part
    }

    package var kind: Kind
    /// The first hour at the new level.
    package var start: Int
    /// The hours in which the start can lie.
    package var within: ClosedRange<Int>
    /// The first hour after the change; `nil` while it lasts.
    package var end: Int?
    /// The hour in which the evidence sufficed.
    package var established: Int
    /// The difference after − before in milliseconds; of a drift, the total so far.
    package var size: Double
    /// The level before, in milliseconds.
    package var before: Double
    /// The 95 % interval of ``size``.
    package var interval: ClosedRange<Double>
    /// The milliseconds per day of a drift, and their 95 % interval; `nil` for other kinds.
    package var rate: Double?
    package var rateInterval: ClosedRange<Double>?
    /// The start of the first of several steps in one direction, each at most 14 days after the one before.
    var seriesStart: Int

    /// Whether the row is in the list of incidents. Changes within the dead band are not.
    package var isListed: Bool {
        guard kind != .pattern, kind != .part else { return false }
        return abs(size) >= DeadBand.around(max(0, min(before, before + size)))
    }

    /// The incident of the row; `nil` if it is not listed.
    package var incident: Incident? {
        guard isListed, let kind = Incident.Kind(rawValue: kind.rawValue) else { return nil }
        return Incident(
            kind: kind,
            start: start,
            within: within,
            end: end,
            established: established,
            size: size,
            before: before,
            interval: interval,
            rate: rate,
            rateInterval: rateInterval
        )
    }

    /// Whether this row and `other` are both rises or both falls.
    func hasDirection(of other: Double) -> Bool { size * other > 0 }
}
