import Analysis
import Samples
import Statistics

/// Resolvers that became slower at many places at once.
extension ChangesReport {
    /// The newest three changes, such as `quad9 became slower at 20 of 50 places from 2026-05-12 14:00:
    /// berlin, bonn and 18 more.`
    var fleetSentences: [String] {
        let names = (changes.fleet ?? []).map(\.target).uniqued.namesByTarget
        return (changes.fleet ?? []).prefix(3).map { finding in
            let name = EscapedText.terminal(names[finding.target] ?? finding.target.label)
            let since = context.clock.text(Timestamp(hoursSinceEpoch: finding.hour))
            return "\(name) became slower at \(finding.places.count) of "
                + "\(finding.count.of("place", "places")) from \(since): "
                + "\(finding.places.listedPlaces)."
        }
    }

    static let fleetField = Field<ChangesReport>.list(
        "fleet_changes",
        FleetFinding.shape,
        when: "there are five places or more",
        "Changes that many places saw together."
    ) { $0.changes.fleet }
}

extension FleetFinding {
    fileprivate static let shape = Shape<FleetFinding>(
        "fleet_change",
        Recording.Target.fields.of { $0.target } + [
            Field("change", .fixed(LevelChange.Kind.slower.rawValue), "Kind of change.") { _ in
                .string(LevelChange.Kind.slower.rawValue)
            },
            .moment("since", "Time since which the level holds.") {
                Timestamp(hoursSinceEpoch: $0.hour)
            },
            .moment("established", "Time at which the change was certain.") {
                Timestamp(hoursSinceEpoch: $0.establishedHour)
            },
            .count("places", "Places that asked the resolver.") { $0.count },
            .texts("named", "Places that saw the change.") { $0.places },
        ]
    )
}

extension [String] {
    private static var mostNamed: Int { 5 }

    /// The places in words, such as `berlin, bonn, oslo, paris, rome and 4 more`.
    var listedPlaces: String {
        let rest = count - Self.mostNamed
        return
            (prefix(Self.mostNamed).map { EscapedText.terminal($0) }
            + (rest > 0 ? ["\(rest) more"] : [])).listed
    }
}
