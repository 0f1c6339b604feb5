package import Samples
package import Statistics

/// Something that happened in a history: an outage, or a change that one or several resolvers of a place had
/// together.
package enum IncidentFinding: Hashable, Sendable {
    case outage(OutageFinding)
    case change(ChangeGroup)

    package var start: Timestamp {
        switch self {
        case .outage(let outage): outage.start
        case .change(let group): Timestamp(hoursSinceEpoch: group.start)
        }
    }

    /// `nil` while the incident lasts.
    package var end: Timestamp? {
        switch self {
        case .outage(let outage): outage.end
        case .change(let group): group.end.map(Timestamp.init(hoursSinceEpoch:))
        }
    }

    package var outage: OutageFinding? {
        guard case .outage(let outage) = self else { return nil }
        return outage
    }

    package var group: ChangeGroup? {
        guard case .change(let group) = self else { return nil }
        return group
    }

    /// Returns whether `matches` is true of a resolver of the incident. An outage of the line concerns all.
    package func concerns(_ matches: ((label: String, name: String)) -> Bool) -> Bool {
        switch self {
        case .outage(let outage):
            outage.subject.map { matches(($0.target.label, outage.name)) } ?? true
        case .change(let group): group.members.contains { matches(($0.target.label, $0.name)) }
        }
    }

    package var scope: IncidentScope {
        switch self {
        case .outage(let outage): outage.subject == nil ? .line : .one
        case .change(let group): group.scope
        }
    }
}

/// A time without any answer from one resolver, or from all of a place.
package struct OutageFinding: Hashable, Sendable {
    package let vantage: String
    /// The resolver; `nil` if no resolver of the place answered.
    package let subject: HistoryHours.Subject?
    package let name: String
    package let start: Timestamp
    /// The first round with an answer; `nil` while the outage lasts.
    package let end: Timestamp?
    package let interruptions: [Range<Timestamp>]

    /// The time without an answer, up to `now` for an outage that lasts.
    package func length(until now: Timestamp) -> Duration {
        (end ?? max(start, now)).since(start)
    }
}

/// Changes of one measure, direction and start: the rows of several resolvers, or of one.
package struct ChangeGroup: Hashable, Sendable {
    package let scope: IncidentScope
    /// The members in the order of their starts; never empty.
    package let members: [ChangeFinding]
    package let kind: Incident.Kind
    /// The median start and end, as hours since 1970.
    package let start: Int
    package let end: Int?
    package let established: Int
    /// The median size, and the smallest and the largest one.
    package let size: Double
    package let sizes: ClosedRange<Double>
    /// The number of resolvers of the place.
    package let resolvers: Int
}

extension Changes {
    /// The incidents in the order of their starts.
    package var incidents: [IncidentFinding] {
        findings.incidents(besides: outages, resolvers: resolvers)
    }
}

extension [ChangeFinding] {
    /// Returns the outages and changes in the order of their starts, and then of their places. A change that
    /// several resolvers of a place had together is one incident. `resolvers` has the labels of the resolvers
    /// of each place.
    package func incidents(
        besides outages: [OutageFinding],
        resolvers: [String: Set<String>]
    ) -> [IncidentFinding] {
        let places = Dictionary(grouping: self, by: \.subject.vantage).sorted { $0.key < $1.key }
        let groups = places.flatMap { vantage, own in
            Self.groups(of: own, resolvers: resolvers[vantage] ?? [])
        }
        return (outages.map(IncidentFinding.outage) + groups.map(IncidentFinding.change))
            .sorted { ($0.start, $0.scope.rawValue) < ($1.start, $1.scope.rawValue) }
    }

    private static func groups(
        of findings: [ChangeFinding],
        resolvers: Set<String>
    ) -> [ChangeGroup] {
        let found = findings.indices.map { index in
            let change = findings[index].change
            return ResolverIncident(index, change.measure, change.incident)
        }
        return IncidentGroup.groups(of: found).map { group in
            let members = group.resolvers.map { findings[$0] }
            return ChangeGroup(
                // The transports of a resolver are one resolver.
                scope: IncidentScope(
                    of: Set(members.map(\.target.label)).count,
                    among: resolvers.count,
                    networks: Set(members.map(\.target.network)).count
                ),
                members: members,
                kind: group.kind,
                start: group.start,
                end: group.end,
                established: group.established,
                size: group.size,
                sizes: group.sizes,
                resolvers: resolvers.count
            )
        }
    }
}
