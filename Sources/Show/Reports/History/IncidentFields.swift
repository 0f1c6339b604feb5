import Analysis
import Samples
import Statistics

extension IncidentFinding {
    /// The fields of an incident in JSON.
    static let shape = Shape<IncidentFinding>(
        "incident",
        [
            .word("kind", "Kind of incident.") { $0.kind },
            .word("change", when: "the incident is no outage", "Direction of the change.") {
                $0.group?.members.first?.change.kind
            },
            .word("scope", "Resolvers that had the incident.") { $0.scope },
            .text("vantage", "Name of the vantage point.") { $0.vantage },
            .texts("resolvers", "Names of the resolvers; empty for all of the place.") { $0.names },
            .moment("start", "Start of the incident.") { $0.start },
            .moment("end", null: "the incident lasts", "First hour or round after the incident.") {
                $0.end
            },
            .moment("established", "Time at which the incident was certain.") { $0.established },
            .count("interruptions", when: "the incident is an outage", "Times without an answer.") {
                $0.outage?.interruptions.count
            },
            .time("change_ms", when: ofSpeed, "After − before; of several resolvers, the median.") {
                $0.group.flatMap { $0.isOfSpeed ? $0.size : nil }
            },
            Field(
                "change_rate",
                .number,
                unit: .share,
                when: "the incident is of a share",
                "After − before; of several resolvers, the median."
            ) { incident in
                guard let group = incident.group, !group.isOfSpeed else { return nil }
                return .number(group.size, least: 1, most: 9)
            },
            .text("text", "The incident in words, for a reader.") { incident in
                incident.told(clock: .utc).sentence
            },
        ]
    )

    private static let ofSpeed = "the incident is of latency"

    private var kind: Incident.Kind { group?.kind ?? .outage }

    private var vantage: String { outage?.vantage ?? group?.members.first?.subject.vantage ?? "" }

    private var names: [String] {
        group?.members.map(\.name) ?? (outage?.subject == nil ? [] : [outage?.name ?? ""])
    }

    private var established: Timestamp {
        group.map { Timestamp(hoursSinceEpoch: $0.established) } ?? start
    }
}

extension ChangeGroup {
    fileprivate var isOfSpeed: Bool { members.first?.change.kind.isOfSpeed ?? true }
}
