package import Samples
package import Statistics

/// The comparison of a resolver with the baseline at each of several places, hour by hour. Times of different
/// machines and lines are never combined.
package struct PlaceFinding: Sendable {
    package struct Place: Hashable, Sendable {
        package var vantage: String
        /// The target, as this place has it.
        package var target: Recording.Target
        package var hours: PlaceHours
        /// Medians over the hours in which both were measured, in milliseconds: of the baseline's medians,
        /// and of baseline − candidate. `nil` if there is no such hour.
        package var baseline: Double?
        package var difference: Double?
        /// Whether the place is named as one at which the candidate is faster by the margin, or is not.
        package fileprivate(set) var isFaster = false
        package fileprivate(set) var isNotFaster = false
    }

    /// The target at the first place, which represents all places.
    package let target: Recording.Target
    /// The places at which both were measured in at least one hour.
    package private(set) var places: [Place]
    /// The share of the places at which the candidate is faster by the margin, 0 to 1, at 95 %.
    package let share: ClosedRange<Double>

    /// Creates a finding from at least one place.
    fileprivate init(_ found: [Place]) {
        target = found[0].target
        let (faster, notFaster) = (
            found.map(\.hours.logEvidenceFaster), found.map(\.hours.logEvidenceNotFaster)
        )
        share = PlaceEvidence.share(faster: faster, notFaster: notFaster)
        places = found
        let named = (PlaceEvidence.named(faster), PlaceEvidence.named(notFaster))
        for index in places.indices {
            places[index].isFaster = named.0[index]
            places[index].isNotFaster = named.1[index]
        }
    }
}

extension PlaceFinding {
    /// A group of the places, and the share of them at which the candidate is faster by the margin. The
    /// intervals of all groups are valid together at 95 %, however the groups were chosen.
    package struct Part: Hashable, Sendable {
        package let places: [Place]
        package let share: ClosedRange<Double>
    }

    /// Returns the parts by the group of each place.
    package func parts(by groups: PlaceGroups) -> [String: Part] {
        let (faster, notFaster) = (
            places.map(\.hours.logEvidenceFaster), places.map(\.hours.logEvidenceNotFaster)
        )
        let found = places.map { groups.group(of: $0.vantage) }
        return Set(found).reduce(into: [:]) { parts, group in
            let isInside = found.map { $0 == group }
            parts[group] = Part(
                places: zip(places, isInside).filter(\.1).map(\.0),
                share: PlaceEvidence.share(faster: faster, notFaster: notFaster, among: isInside)
            )
        }
    }
}

extension HistoryHours {
    /// Returns the comparisons of all other resolvers with `baseline`. `margin` is in milliseconds. The
    /// resolver that is named faster at the most places comes first. A resolver that differs by place, such
    /// as each network's own, is one resolver.
    package func places(against baseline: String, margin: Double) -> [PlaceFinding] {
        let places = Dictionary(grouping: timelines, by: \.subject.vantage)
        var found: [PlaceCandidate: [PlaceFinding.Place]] = [:]
        for (vantage, timelines) in places.sorted(by: { $0.key < $1.key }) {
            let all = timelines.map { $0.subject.target.unnamed(at: vantage) }
            let medians = timelines.map(\.medians)
            for (index, target) in all.enumerated() where target.label != baseline {
                guard let first = all.baseline(baseline, in: target.series) else { continue }
                let place = PlaceFinding.Place(
                    HistoryHours.Subject(vantage: vantage, target: target),
                    baseline: medians[first],
                    candidate: medians[index],
                    margin: margin
                )
                guard place.hours.count > 0 else { continue }
                let candidate = PlaceCandidate(target)
                // If a place asks it at two addresses, the first address counts.
                if found[candidate]?.last?.vantage != vantage {
                    found[candidate, default: []].append(place)
                }
            }
        }
        func order(_ finding: PlaceFinding) -> (Int, Double, String, UInt8, Int, String) {
            let target = finding.target
            return (
                -finding.places.count(where: \.isFaster), -finding.share.upperBound, target.label,
                target.series.order, target.transportOrder, target.transport.description
            )
        }
        return found.values.map(PlaceFinding.init).sorted { order($0) < order($1) }
    }
}

extension HistoryHours.Timeline {
    /// The median per hour in milliseconds; ∞ beyond the timeout.
    fileprivate var medians: [Int: Double] {
        hours.reduce(into: [:]) { medians, hour in
            guard hour.value.counts.measured > 0 else { return }
            medians[hour.key] = hour.value.latency.median ?? .infinity
        }
    }
}

extension PlaceFinding.Place {
    fileprivate init(
        _ subject: HistoryHours.Subject,
        baseline: [Int: Double],
        candidate: [Int: Double],
        margin: Double
    ) {
        (vantage, target) = (subject.vantage, subject.target)
        hours = PlaceHours()
        var (own, differences): ([Double], [Double]) = ([], [])
        for (hour, median) in candidate {
            guard let other = baseline[hour] else { continue }
            hours.add(baseline: other, candidate: median, margin: margin)
            guard other.isFinite, median.isFinite else { continue }
            own.append(other)
            differences.append(other - median)
        }
        self.baseline = own.median
        difference = differences.median
    }
}

/// The identity of one resolver at all places, regardless of its address at each place.
struct PlaceCandidate: Hashable {
    let label: String
    let transport: Recording.Transport
    let series: Series

    init(_ target: Recording.Target) {
        (label, transport, series) = (target.label, target.transport, target.series)
    }
}
