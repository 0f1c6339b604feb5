/// Something that happened to one resolver, or to several at once: an outage, a slow or lossy episode, a lasting
/// step or a drift. Hours count from 1970 in UTC.
package struct Incident: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case outage
        /// A change that returned to the earlier level.
        case episode
        /// A change that lasts.
        case step
        /// A steady rise or fall.
        case drift
    }

    /// The quantity that changed.
    package enum Measure: String, Hashable, Sendable, CaseIterable {
        case median
        /// The slow answers only.
        case p90
        case loss
        case cache
    }

    /// The hours of a store before its first result.
    package static let learningHours = 3 * 24
    /// A change that ends within these hours is an episode. A longer one is a step.
    package static let longestEpisode = 10 * 24
    /// The length of the reference of a level in hours: 14 days.
    package static let referenceHours = 14 * 24

    package var kind: Kind
    /// The first hour at the new level.
    package var start: Int
    /// The first and the last hour in which the start can lie.
    package var within: ClosedRange<Int>
    /// The first hour back at the old level; `nil` while the incident is ongoing.
    package var end: Int?
    /// The hour in which the evidence sufficed.
    package var established: Int
    /// The difference after − before, in milliseconds, or as a share. The total of a drift.
    package var size: Double
    /// The level before the incident, in the unit of ``size``.
    package var before: Double
    /// The 95 % interval of ``size``.
    package var interval: ClosedRange<Double>
    /// The change per day of a drift, and its 95 % interval; `nil` for other kinds.
    package var rate: Double?
    package var rateInterval: ClosedRange<Double>?
}
