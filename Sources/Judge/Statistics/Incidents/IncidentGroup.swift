/// Incidents of several resolvers with one measure, one direction and one start (method of incidents, §5).
package struct IncidentGroup<Resolver: Hashable & Sendable>: Hashable, Sendable {
    package let measure: Incident.Measure
    /// The most frequent kind of the members; the first of several.
    package let kind: Incident.Kind
    /// The resolver of each of ``incidents``.
    package let resolvers: [Resolver]
    /// The members in order of their starts.
    package let incidents: [Incident]
    /// The median start, as an hour since 1970.
    package let start: Int
    /// The median end; `nil` while one member is ongoing.
    package let end: Int?
    /// The hour in which the first member was established.
    package let established: Int
    /// The median size, and the smallest and the largest one.
    package let size: Double
    package let sizes: ClosedRange<Double>
}

/// An incident of one resolver, with the quantity that changed.
package struct ResolverIncident<Resolver: Hashable & Sendable>: Hashable, Sendable {
    package var resolver: Resolver
    package var measure: Incident.Measure
    package var incident: Incident

    package init(_ resolver: Resolver, _ measure: Incident.Measure, _ incident: Incident) {
        (self.resolver, self.measure, self.incident) = (resolver, measure, incident)
    }

    /// The largest difference of the starts of two members, in hours.
    private static var farthestStart: Double { 48 }

    /// The hours by which the start may differ from that of another member: half of the hours in which it can
    /// lie. Starts are known to a few hours, so it is at least 3, and at most 48.
    private var startTolerance: Double {
        min(
            Self.farthestStart,
            max(3, Double(incident.within.upperBound - incident.within.lowerBound) / 2)
        )
    }

    /// Whether both are one incident of two resolvers. A drift is one incident only with drifts.
    fileprivate func matches(_ other: Self) -> Bool {
        measure == other.measure && incident.size * other.incident.size > 0
            && (incident.kind == .drift) == (other.incident.kind == .drift)
            && hasStart(of: other)
    }

    /// Whether both can have one start: the difference is small, or the hours in which the starts can lie
    /// overlap.
    private func hasStart(of other: Self) -> Bool {
        let distance = Double(abs(incident.start - other.incident.start))
        let overlaps = incident.within.overlaps(other.incident.within)
        return distance <= max(startTolerance, other.startTolerance)
            || overlaps && distance <= Self.farthestStart
    }
}

extension IncidentGroup {
    /// Groups `found` incidents. The earliest incident that is in no group begins a group, with at most one
    /// incident per resolver. The groups are in the order of their first members.
    package static func groups(of found: [ResolverIncident<Resolver>]) -> [IncidentGroup] {
        // Sorting is stable, so that incidents with one start remain in the given order.
        var left = found.sorted { $0.incident.start < $1.incident.start }
        var groups: [IncidentGroup] = []
        while !left.isEmpty {
            let first = left.removeFirst()
            var members = [first]
            var resolvers: Set = [first.resolver]
            left.removeAll { other in
                guard other.matches(first), resolvers.insert(other.resolver).inserted
                else { return false }
                members.append(other)
                return true
            }
            groups.append(IncidentGroup(members, first: first))
        }
        return groups
    }

    private init(_ members: [ResolverIncident<Resolver>], first: ResolverIncident<Resolver>) {
        measure = first.measure
        resolvers = members.map(\.resolver)
        incidents = members.map(\.incident)
        kind = Self.mostFrequent(incidents.map(\.kind)) ?? first.incident.kind
        start = Self.medianHour(incidents.map(\.start)) ?? first.incident.start
        let ends = incidents.compactMap(\.end)
        end = ends.count == incidents.count ? Self.medianHour(ends) : nil
        established = incidents.map(\.established).min() ?? first.incident.established
        let sorted = incidents.map(\.size).sorted()
        size = sorted.median ?? first.incident.size
        sizes = (sorted.first ?? size)...(sorted.last ?? size)
    }

    private static func mostFrequent(_ kinds: [Incident.Kind]) -> Incident.Kind? {
        kinds.reduce(into: (kind: Incident.Kind?.none, count: 0)) { best, kind in
            let count = kinds.count { $0 == kind }
            if count > best.count { best = (kind, count) }
        }.kind
    }

    /// The median, rounded down to an hour.
    private static func medianHour(_ hours: [Int]) -> Int? {
        hours.map(Double.init).median.map { Int($0.rounded(.down)) }
    }
}
