package import Samples
package import Statistics

/// A resolver over many places. Each place counts once, by its median.
package struct PlaceMedians: Sendable {
    /// The target that all places share. Resolvers that differ by place share one target without an endpoint.
    package let target: Recording.Target
    /// The places' medians as times. A place whose median is beyond the timeout counts as failed.
    package private(set) var figures = Figures()
    /// The same for each bin, over the places with measurements in the bin.
    package private(set) var bins: [Range<Int64>: LatencyTally] = [:]
    private var lastPlace: String?

    private init(_ target: Recording.Target) { self.target = target }

    /// Adds a place, unless it was the last one added. Of two addresses at one place, the first counts.
    private mutating func add(
        _ timeline: HistoryHours.Timeline,
        _ own: [Range<Int64>: LatencyTally]
    ) {
        let total = timeline.total()
        guard total.counts.measured > 0, lastPlace != timeline.subject.vantage else { return }
        lastPlace = timeline.subject.vantage
        let timeout = total.timeout ?? .seconds(5)
        figures.add(median: total.latency.median, timeout: timeout)
        for (bin, tally) in own where tally.count > 0 {
            let median = tally.quantile(0.5, timeout: timeout.milliseconds)
            bins[bin, default: LatencyTally()].insert(answer: median ?? .infinity)
        }
    }

    /// Returns each resolver of `hours` over all places, with its `bins`, in any order.
    package static func all(of hours: HistoryHours, _ bins: TimeBins) -> [PlaceMedians] {
        var found: [PlaceCandidate: PlaceMedians] = [:]
        for timeline in hours.timelines {
            let target = timeline.subject.target.common(at: timeline.subject.vantage)
            let candidate = PlaceCandidate(target)
            found[candidate, default: PlaceMedians(target)]
                .add(timeline, bins.tallies[timeline.subject] ?? [:])
        }
        return found.values.filter { $0.figures.counts.measured > 0 }
    }
}
