/// A lasting change of one resolver's speed or reliability.
package struct LevelChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        case slower, faster, lessReliable, moreReliable

        /// Whether it is of times, in milliseconds; else of the share of lost queries, 0 to 1.
        package var isOfSpeed: Bool { self == .slower || self == .faster }
    }

    package var kind: Kind
    /// The first hour at the new level, since 1970-01-01T00:00:00Z.
    package var hour: Int
    /// The hour in which the evidence sufficed.
    package var establishedHour: Int
    /// The level before and after: of speed the median of the hours' medians.
    package var before: Double
    package var after: Double
    /// After − before; of speed the interquartile mean of the differences between hours' medians,
    /// each paired with one of the same hour of the day.
    package var size: Double
    /// Order-statistic interval of the median difference to 95 %; `nil` where there are too few hours for one,
    /// and for reliability.
    package var interval: ClosedRange<Double>?

    package init(
        kind: Kind,
        hour: Int,
        establishedHour: Int,
        before: Double,
        after: Double,
        size: Double,
        interval: ClosedRange<Double>?
    ) {
        self.kind = kind
        self.hour = hour
        self.establishedHour = establishedHour
        self.before = before
        self.after = after
        self.size = size
        self.interval = interval
    }
}

/// What the hours of one resolver say of changes.
package struct ChangeHistory: Hashable, Sendable {
    /// In the order of their hours.
    package var changes: [LevelChange]
    /// Hours that could be held against a reference; without any, nothing is known.
    package var judgedHours: Int

    package init(changes: [LevelChange], judgedHours: Int) {
        self.changes = changes
        self.judgedHours = judgedHours
    }
}
