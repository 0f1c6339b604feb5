public import Statistics

/// One resolver of a chart over time: its label and what was measured of it, bin after bin.
public struct TimelineSubject: Hashable, Sendable {
    public var label: String
    public var role: ChartSubject.Role
    /// How long answers were waited for, in milliseconds.
    public var timeout: Double
    /// In any order; bins do not overlap.
    public var bins: [TimeBin]
    /// Moments that the reader is to see: a change that was found, another site.
    public var marks: [TimelineMark]
    /// The figures of all its queries where they are known better than from the bins.
    public var summary: LatencySummary?

    public init(
        label: String,
        role: ChartSubject.Role = .other,
        timeout: Double,
        bins: [TimeBin],
        marks: [TimelineMark] = [],
        summary: LatencySummary? = nil
    ) {
        self.label = label
        self.role = role
        self.timeout = timeout
        self.bins = bins
        self.marks = marks
        self.summary = summary
    }
}

/// A moment, in seconds since 1970 UTC, and what happened then.
public struct TimelineMark: Hashable, Sendable {
    public var moment: Int64
    public var label: String

    public init(moment: Int64, label: String) {
        self.moment = moment
        self.label = label
    }
}

extension TimelineSubject {
    /// The figures of everything that was measured, of which `bins` are shown.
    func summary(of bins: [TimeBin]) -> LatencySummary {
        if let summary { return summary }
        var whole = LatencyTally()
        for bin in bins { whole.merge(bin.latency) }
        return whole.summary(timeout: timeout)
    }
}
