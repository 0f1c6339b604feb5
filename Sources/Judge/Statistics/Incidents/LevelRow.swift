/// A change of one resolver's level, as the scan knows it so far.
///
/// A row never disappears. Its kind can change: a step that returns becomes an episode, and a step that
/// proves to be a slope becomes a drift. A step that proves to be the return of an episode becomes a part.
package struct LevelRow: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case episode, step, drift
        /// An episode that recurs every week. The profile contains it since.
        case pattern
        /// A change that is a part of a drift, or the return of an episode's earlier level.
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
    /// The difference after − before of a step or an episode in measured values, in milliseconds. It includes
    /// the usual course of the day and the week.
    package var measuredSize: Double
    /// The start of the first of several steps in one direction, each at most 14 days after the one before.
    var seriesStart: Int

    /// Whether the row is in the list of incidents. Changes within the dead band are not.
    ///
    /// Users notice measured values, not their difference from the usual course. An evening that is not slow as
    /// usual is no incident.
    package var isListed: Bool {
        guard kind != .pattern, kind != .part else { return false }
        let band = DeadBand.around(max(0, min(before, before + size)))
        guard abs(size) >= band else { return false }
        return kind == .drift || measuredSize * (size < 0 ? -1 : 1) >= band / 2
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
