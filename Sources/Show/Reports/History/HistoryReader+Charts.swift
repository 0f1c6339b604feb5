import Analysis
package import Charts
import Samples
import Synchronization

/// The charts that a report needs. If the report reads their window, one pass serves both.
package final class WantedCharts: Sendable {
    package let kinds: [ChartKind]
    /// Whether the charts begin with the first round of the window.
    let fromFirstRound: Bool
    private let read = Mutex<HistoryTimeline?>(nil)

    package init(_ kinds: [ChartKind], fromFirstRound: Bool) {
        self.kinds = kinds
        self.fromFirstRound = fromFirstRound
    }

    fileprivate func keep(_ timeline: HistoryTimeline) { read.withLock { $0 = timeline } }

    /// The measurements that the report read; `nil` without a report, and after they were taken.
    fileprivate func take() -> HistoryTimeline? { read.withLock { $0.take() } }
}

extension HistoryReader {
    /// Source of the charts. The window is read for them, unless a report of this reader did so.
    package func timeline(of charts: WantedCharts) throws -> HistoryTimeline {
        let tellsChanges = charts.kinds.contains(where: \.tellsChanges)
        var timeline: HistoryTimeline
        if let known = charts.take() {
            timeline = known
        } else {
            timeline = try emptyTimeline(of: charts)
            _ = try readAlone(timeline.context.window, by: .hours, into: &timeline)
        }
        if tellsChanges { try addPast(to: &timeline) }
        // Hourly sums do not contain the site.
        if tellsChanges, timeline.hours.provenance.hasSums {
            timeline.replaceSites(by: try source.sites(timeline.context.window))
        }
        return timeline
    }

    private func emptyTimeline(of charts: WantedCharts) throws -> HistoryTimeline {
        let rounds = try source.rounds(context.window)
        let isHourly = charts.kinds.map(\.isHourly)
        var timeline = HistoryTimeline(
            context: try charts.fromFirstRound ? begun(with: rounds) : coloured(context),
            rounds: rounds,
            isHourly: !isHourly.contains(false)
        )
        if isHourly.contains(true), isHourly.contains(false) {
            timeline.hourly = TimeBins(of: TimeBins.hour, clock: context.clock)
        }
        return timeline
    }

    /// Reads a window into `sink`, and the window of the report for `charts` too.
    func read(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain = .hours,
        into sink: inout some HistorySink
    ) throws -> HistoryLimits {
        // Over a long window the charts use hourly sums, even if the report reads samples.
        guard let charts, window == context.window, grain != .samples || !isLong else {
            return try readAlone(window, by: grain, into: &sink)
        }
        var both = DrawnTally(tally: sink, timeline: try emptyTimeline(of: charts))
        let limits = try readAlone(window, by: grain == .days ? .hours : grain, into: &both)
        sink = both.tally
        charts.keep(both.timeline)
        return limits
    }

    private func readAlone(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain,
        into sink: inout some HistorySink
    ) throws -> HistoryLimits {
        try source.read(
            window,
            by: grain,
            samples: { sink.add(CountedSamples(of: $0)) },
            sum: { if let counted = CountedSum(of: $0) { sink.add(counted) } }
        )
    }
}

/// The measurements of a report, and of its charts.
private struct DrawnTally<Tally: HistorySink>: HistorySink {
    var tally: Tally
    var timeline: HistoryTimeline

    mutating func add(_ counted: CountedSamples) {
        tally.add(counted)
        let first = timeline.context.window.lowerBound
        // The first round of the window can begin after samples of the round before.
        let isWhole = !counted.recording.samples.contains { $0.moment < first }
        timeline.add(isWhole ? counted : counted.filter { $0.moment >= first })
    }

    mutating func add(_ sum: CountedSum) {
        tally.add(sum)
        timeline.add(sum)
    }
}
