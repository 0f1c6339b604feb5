package import Samples
package import Statistics

/// Groups of places by the value of one label.
package struct PlaceGroups: Hashable, Sendable {
    /// The group of places without the label.
    package static let unlabelled = "–"

    /// The name of the label, such as `country`.
    package let label: String
    /// The value per place.
    private let values: [String: String]

    package init(label: String, values: [String: String]) {
        (self.label, self.values) = (label, values)
    }

    package func group(of vantage: String) -> String { values[vantage] ?? Self.unlabelled }
}

/// A resolver at several places, either all or one group: the figures per place, and their medians over the
/// places.
package struct PlaceSummary: Sendable {
    /// The group; `nil` for all places.
    package let group: String?
    /// The target, as the first of all places has it.
    package let target: Recording.Target
    /// The number of places that asked it.
    package let places: Int
    /// The quantiles over the places' medians and p95, in milliseconds, infinite beyond the timeout.
    package let median: PlacesQuantile
    package let p95: PlacesQuantile
    /// The outcomes at all of the places.
    package let counts: OutcomeCounts
}

extension HistoryHours {
    /// Returns each resolver over all places, or over the places of each of `groups`. A resolver that differs
    /// by place counts as one, unless `apart` is true.
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
            // If a place asks it at two addresses, the first address counts.
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
    /// The sort order, with the fastest first.
    fileprivate var order: (UInt8, Double, String, Int, String, String) {
        (
            target.series.order, median.value, target.label, target.transportOrder,
            target.transport.description, group ?? ""
        )
    }
}
