/// A change of one resolver's speed, reliability or cache: an incident with the quantity that changed.
package struct LevelChange: Hashable, Sendable {
    /// The kind of a change. Programs read these names, so they never change.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case slower, faster
        /// A change of the slow answers, measured at the p90. The median moved less, or not at all.
        case slowerTail = "slower-tail"
        case fasterTail = "faster-tail"
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"
        /// A change of the share of names in the cache when they are first asked for.
        case lessCached = "less-cached"
        case moreCached = "more-cached"

        package var measure: Incident.Measure {
            switch self {
            case .slower, .faster: .median
            case .slowerTail, .fasterTail: .p90
            case .lessReliable, .moreReliable: .loss
            case .lessCached, .moreCached: .cache
            }
        }

        /// Whether the level is a time, in milliseconds. Otherwise it is a share, 0 to 1: of failures, or of
        /// names in the cache.
        package var isOfSpeed: Bool { measure == .median || measure == .p90 }

        package var isForTheWorse: Bool {
            switch self {
            case .slower, .slowerTail, .lessReliable, .lessCached: true
            case .faster, .fasterTail, .moreReliable, .moreCached: false
            }
        }

        /// The kind of a change in the other direction.
        package var opposite: Kind {
            switch self {
            case .slower: .faster
            case .faster: .slower
            case .slowerTail: .fasterTail
            case .fasterTail: .slowerTail
            case .lessReliable: .moreReliable
            case .moreReliable: .lessReliable
            case .lessCached: .moreCached
            case .moreCached: .lessCached
            }
        }
    }

    /// Two changes less than this apart, in hours, are one change that was found twice or re-dated by later
    /// hours.
    package static let sameHours = 48

    package var measure: Incident.Measure
    package var incident: Incident
    /// The change of the median, if the change is of the p90; otherwise `nil`.
    package var medianMoved: Double?

    package init(_ measure: Incident.Measure, _ incident: Incident, medianMoved: Double? = nil) {
        (self.measure, self.incident, self.medianMoved) = (measure, incident, medianMoved)
    }

    /// The kind, which follows from the sign of the size.
    package var kind: Kind {
        let isRise = incident.size >= 0
        return switch measure {
        case .median: isRise ? .slower : .faster
        case .p90: isRise ? .slowerTail : .fasterTail
        case .loss: isRise ? .lessReliable : .moreReliable
        case .cache: isRise ? .moreCached : .lessCached
        }
    }

    /// The first hour at the new level, since 1970-01-01T00:00:00Z.
    package var hour: Int { incident.start }
    /// The first hour after the change; `nil` while it lasts.
    package var end: Int? { incident.end }
    /// Whether the earlier level is back. A drift that ended leaves a new level.
    package var isOver: Bool { incident.end != nil && incident.kind != .drift }
    /// The hour in which the evidence sufficed.
    package var establishedHour: Int { incident.established }
    /// The level before and after. For times it is the median of the hours' medians, or of their p90, without
    /// the weekly pattern.
    package var before: Double { incident.before }
    package var after: Double { incident.before + incident.size }
    /// After − before.
    package var size: Double { incident.size }
    /// The 95 % interval of the size.
    package var interval: ClosedRange<Double> { incident.interval }
}
