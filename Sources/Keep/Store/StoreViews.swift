package import Samples

/// The definitions of the views that a store has for SQL.
package enum StoreViews {
    /// The columns are those of samples files.
    package static let samples = ObjectForm("samples", sampleForm.members)

    package static let rounds = ObjectForm(
        "rounds",
        [
            Declaration("run", .text, null: "unknown", "Identifier of the run."),
            Declaration("round", .count, "Number of the round within the run, from 1."),
            Declaration("vantage", .text, "Name of the vantage point."),
            Declaration("origin", .word(Run.Origin.self), "Purpose of the round."),
            Declaration("run_started", .moment, null: "unknown", "Start of the run."),
            Declaration("start", .moment, "Time of the first sample."),
            Declaration("stop", .moment, "Time of the last sample."),
            Declaration("samples", .count, "Samples of the round."),
            Declaration("pruned", .count, "1 if only the hourly sums are left, else 0."),
            Declaration(
                "round_marks",
                .text,
                null: "the round has no mark",
                "Words of the table of marks."
            ),
            Declaration(
                "interval_ms",
                .number,
                unit: .milliseconds,
                null: "unknown",
                "Time between the rounds of the run."
            ),
            Declaration("timeout_ms", .number, unit: .milliseconds, "Timeout of a query."),
            Declaration(
                "margin_ms",
                .number,
                unit: .milliseconds,
                null: "unknown",
                "Smallest difference that is worth a switch."
            ),
            Declaration("schedule", .text, null: "the run has none", "Name of the schedule."),
            Declaration("baseline", .text, null: "the run has none", "Label of the baseline."),
        ]
    )

    package static let hours = ObjectForm("hours", hour + outcomes + times)

    /// The columns that a central store has besides: the first before all others, `quantiles` in the
    /// view of hours.
    package static let source = Declaration("source", .count, "Number of the place.")
    package static let quantiles = [
        Declaration(
            "median_ms",
            .number,
            unit: .milliseconds,
            null: "it is among the queries without an answer",
            "Median round trip, within 1 %."
        ),
        Declaration(
            "p95_ms",
            .number,
            unit: .milliseconds,
            null: "it is among the queries without an answer",
            "0.95-quantile, within 1 %."
        ),
    ]

    private static let hour = [
        Declaration("hour", .moment, "Start of the hour."),
        Declaration("vantage", .text, "Name of the vantage point."),
        Declaration("type", .text, "Type of record."),
        Declaration("timeout_ms", .number, unit: .milliseconds, "Timeout of the queries."),
        Declaration("resolver", .text, "Label of the resolver."),
        Declaration("endpoint", .text, "Address, address and port, or URL."),
        Declaration("transport", .text, "`udp`, `tcp`, `tls`, `https`, `h3` or `quic`."),
        Declaration("series", .word(Series.self), "Kind of queries."),
        Declaration("origin", .word(Run.Origin.self), "Purpose of the rounds."),
    ]

    private static let outcomes = [
        Declaration("answered", .count, "Queries with a usable answer."),
        Declaration("timeouts", .count, "Queries without a response before the timeout."),
        Declaration("unreachable", .count, "Queries that an ICMP error or the system refused."),
        Declaration("malformed", .count, "Responses that are not valid DNS messages."),
        Declaration("failed", .count, "Responses with another code than NOERROR or NXDOMAIN."),
        Declaration(
            "failures",
            .text,
            "Those of `failed` by response code: `SERVFAIL 3 REFUSED 1`."
        ),
        Declaration("filtered", .count, "Answers that block the name."),
        Declaration("offline", .count, "Queries that had no route to any resolver."),
        Declaration("blocked", .count, "Queries outside the allowed networks."),
    ]

    private static let times = [
        Declaration(
            "min_ms",
            .number,
            unit: .milliseconds,
            null: "no query was answered",
            "Shortest round trip."
        ),
        Declaration(
            "mean_ms",
            .number,
            unit: .milliseconds,
            null: "no query counts",
            "Mean round trip; a failed query counts as the timeout."
        ),
        Declaration(
            "max_ms",
            .number,
            unit: .milliseconds,
            null: "no query was answered",
            "Longest round trip."
        ),
        Declaration("wrong", .count, "Answers that were not as expected."),
        Declaration(
            "rounds",
            .count,
            null: "they are counted at another type, or unknown",
            "Rounds in which the resolver was asked."
        ),
        Declaration(
            "rounds_without_answer",
            .count,
            null: "they are counted at another type, or unknown",
            "Those of `rounds` without an answer from it."
        ),
    ]
}
