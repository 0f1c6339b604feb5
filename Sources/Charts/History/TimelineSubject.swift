package import Statistics

/// One resolver of a chart over time: its label and what was measured of it, bin after bin.
package struct TimelineSubject: Hashable, Sendable {
    package var label: String
    package var role: ChartSubject.Role
    /// How long answers were waited for, in milliseconds.
    package var timeout: Double
    /// In any order; bins do not overlap.
    package var bins: [TimeBin]
    /// Moments that the reader is to see: a change that was found, another site.
    package var marks: [TimelineMark]
    /// The figures of all its queries where they are known better than from the bins.
    package var summary: LatencySummary?

    package init(
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
package struct TimelineMark: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case event
        /// From then on another server or site answered.
        case site
    }

    package var kind: Kind
    package var moment: Int64
    package var label: String
    /// The whole of it, where the label is short.
    package var detail: String?

    package init(_ kind: Kind = .event, moment: Int64, label: String, detail: String? = nil) {
        self.kind = kind
        self.moment = moment
        self.label = label
        self.detail = detail
    }
}

extension TimelineSubject {
    /// What a heat map shows of it: seven days, Monday first, of 24 hours each, in milliseconds; `nil`
    /// where nothing was answered.
    package func weekMedians(over scale: TimeScale) -> [[Double?]] {
        WeekGrid(bins, over: scale).cells.map { $0.map { $0?.latency.quantile(0.5) } }
    }

    /// The figures of everything that was measured, of which `bins` are shown.
    func summary(of bins: [TimeBin]) -> LatencySummary {
        if let summary { return summary }
        var whole = LatencyTally()
        for bin in bins { whole.merge(bin.latency) }
        return whole.summary(timeout: timeout)
    }
}
