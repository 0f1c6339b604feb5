package import Samples
package import Statistics

/// Places that go together, by the value that each has of one label.
package struct PlaceGroups: Hashable, Sendable {
    /// The group of places without the label.
    package static let unlabelled = "–"

    /// Such as `country`.
    package let label: String
    /// By place.
    private let values: [String: String]

    package init(label: String, values: [String: String]) {
        (self.label, self.values) = (label, values)
    }

    package func group(of vantage: String) -> String { values[vantage] ?? Self.unlabelled }
}

/// A resolver at several places, all or those of one group: each place's own figures, and the middle
/// of these over the places.
package struct PlaceSummary: Sendable {
    /// `nil` of all places.
    package let group: String?
    /// As the first of all places has it.
    package let target: Recording.Target
    /// Places that asked it.
    package let places: Int
    /// Over the places' medians and p95, in milliseconds, infinite beyond the timeout.
    package let median: PlacesQuantile
    package let p95: PlacesQuantile
    /// Outcomes at all of the places.
    package let counts: OutcomeCounts
}

extension HistoryHours {
    /// Each resolver over all places, or those of each of `groups`; what every place has its own of is
    /// one, unless it is to be told `apart`.
    package func summaries(by groups: PlaceGroups? = nil, apart: Bool = false) -> [PlaceSummary] {
        struct Key: Hashable {
            var group: String?
            var candidate: PlaceCandidate
        }
        var targets: [PlaceCandidate: Recording.Target] = [:]
        var found: [Key: [(vantage: String, summary: LatencySummary)]] = [:]
        var counts: [Key: OutcomeCounts] = [:]
        for timeline in timelines {
            let vantage = timeline.subject.vantage
            let named = timeline.subject.target
            let target = apart ? named : named.unnamed(at: vantage)
            let key = Key(group: groups?.group(of: vantage), candidate: PlaceCandidate(target))
            let total = timeline.total()
            // A place that has it at two addresses has its first.
            guard total.counts.measured > 0, found[key]?.last?.vantage != vantage else { continue }
            targets[key.candidate] = targets[key.candidate] ?? target
            found[key, default: []].append((vantage, total.latency))
            counts[key, default: OutcomeCounts()].merge(total.counts)
        }
        return found.compactMap { key, places in
            guard let target = targets[key.candidate],
                let median = PlacesQuantile(0.5, of: places.map { $0.summary.median ?? .infinity }),
                let p95 = PlacesQuantile(0.5, of: places.map { $0.summary.p95 ?? .infinity })
            else { return nil }
            return PlaceSummary(
                group: key.group,
                target: target,
                places: places.count,
                median: median,
                p95: p95,
                counts: counts[key] ?? OutcomeCounts()
            )
        }
        .sorted { $0.order < $1.order }
    }
}

extension PlaceSummary {
    /// The fastest first.
    fileprivate var order: (UInt8, Double, String, Int, String, String) {
        (
            target.series.order, median.value, target.label, target.transportOrder,
            target.transport.description, group ?? ""
        )
    }
}
