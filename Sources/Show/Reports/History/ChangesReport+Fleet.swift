import Analysis
import Samples
import Statistics

/// Resolvers that became slower at many places at once.
extension ChangesReport {
    /// The newest three, such as `quad9 became slower at 20 of 50 places from 2026-05-12 14:00: berlin,
    /// bonn and 18 more.`
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

    var fleetMembers: JSONValue {
        guard let fleet = changes.fleet else { return [:] }
        return [
            "fleet_changes": .array(
                fleet.map { finding in
                    Recording.Target.fields.members(of: finding.target) + [
                        "change": .string(LevelChange.Kind.slower.rawValue),
                        "since": .moment(Timestamp(hoursSinceEpoch: finding.hour)),
                        "established": .moment(
                            Timestamp(hoursSinceEpoch: finding.establishedHour)
                        ),
                        "places": .integer(finding.count),
                        "named": .array(finding.places.map(JSONValue.string)),
                    ]
                }
            )
        ]
    }
}

extension [String] {
    private static var mostNamed: Int { 5 }

    /// Such as `berlin, bonn, oslo, paris, rome and 4 more`.
    var listedPlaces: String {
        let rest = count - Self.mostNamed
        return
            (prefix(Self.mostNamed).map { EscapedText.terminal($0) }
            + (rest > 0 ? ["\(rest) more"] : [])).listed
    }
}
