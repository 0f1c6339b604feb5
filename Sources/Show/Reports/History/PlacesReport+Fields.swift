import Analysis
import Samples
import Statistics

extension PlacesReport {
    static let columns: [Field<PlaceFinding.Place>] =
        [.text("vantage", "Name of the place.") { $0.vantage }]
        + Recording.Target.fields.of { $0.target } + [
            .count("hours", "Hours that were compared.") { $0.hours.count },
            .count("hours_faster", "Hours in which it was certainly faster by the margin.") {
                $0.hours.faster
            },
            .count("hours_not_faster", "Hours in which it certainly was not.") {
                $0.hours.notFaster
            },
            .time("baseline_median_ms", null: "most queries failed", "Median of the baseline.") {
                $0.baseline
            },
            .time(
                "difference_ms",
                null: "no hour has both",
                "Median over the hours, baseline − resolver; positive: resolver faster."
            ) { $0.difference },
            .logEvidence("log_e_faster", "Evidence that it is faster in most hours.") {
                $0.hours.logEvidenceFaster
            },
            .logEvidence("log_e_not_faster", "Evidence that it is not faster in most hours.") {
                $0.hours.logEvidenceNotFaster
            },
            .flag("named_faster", "Whether it is faster at this place.") { $0.isFaster },
            .flag("named_not_faster", "Whether it is not faster at this place.") {
                $0.isNotFaster
            },
        ]

    private static let total = Shape<PlaceFinding>(
        "place-total",
        Recording.Target.fields.of { $0.target } + [
            .count("places", "Places that measured both.") { $0.places.count },
            .count("named_faster", "Places at which it is faster.") { $0.named },
            .count("named_not_faster", "Places at which it is not faster.") { $0.notNamed },
            share { $0.share },
        ]
    )

    private static let groupTotal = Shape<GroupFinding>(
        "place-group",
        [.text("group", "Value of the label.") { $0.group }]
            + Recording.Target.fields.of { $0.target } + [
                .count("places", "Places of the group.") { $0.part.places.count },
                .count("named_faster", "Places at which it is faster.") {
                    $0.part.places.count(where: \.isFaster)
                },
                share { $0.part.share },
            ]
    )

    private static func share<Row>(
        _ share: @escaping @Sendable (Row) -> ClosedRange<Double>
    ) -> Field<Row> {
        Field(
            "share_faster_ci",
            .range(.number),
            unit: .share,
            "95 % interval of the share of places at which it is faster; the intervals of "
                + "all groups are valid together."
        ) { row in
            let share = share(row)
            return .array(
                [share.lowerBound, share.upperBound].map { .number($0, least: 0, most: 6) }
            )
        }
    }

    static let fields: [Field<PlacesReport>] = [
        .text("baseline", "Label of the baseline.") { $0.baseline },
        .time("margin_ms", "Smallest difference that is worth a switch.") { $0.margin },
        .number("confidence", .share, digits: 0...2, "Confidence level of the intervals.") { _ in
            0.95
        },
        .list("resolvers", total, "One entry per resolver.") { $0.findings },
        .list("places", Shape("place", columns), "One entry per place and resolver.") { $0.rows },
        .list("over_places", PlaceSummary.shape, "Each resolver over all places.") {
            $0.summaries
        },
        .text("label", when: "places are grouped", "Label that groups the places.") {
            $0.groups?.label
        },
        .list(
            "groups",
            groupTotal,
            when: "places are grouped",
            "One entry per group and resolver."
        ) { report in
            guard let groups = report.groups else { return nil }
            return report.findings.flatMap { finding in
                finding.parts(by: groups).sorted { $0.key < $1.key }.map {
                    GroupFinding(group: $0.key, target: finding.target, part: $0.value)
                }
            }
        },
    ]
}

/// A resolver compared with the baseline at the places of a group.
private struct GroupFinding: Sendable {
    let group: String
    let target: Recording.Target
    let part: PlaceFinding.Part
}
