package import Samples

/// A metric for Prometheus, which reads it or receives it by remote write.
package struct MetricFamily: Hashable, Sendable {
    /// The type of the metric in Prometheus.
    package enum Kind: String, Hashable, Sendable {
        case counter, gauge, histogram
    }

    package typealias Labels = [(name: String, value: String)]

    package let name: String
    package let kind: Kind
    package let help: String
    /// The names of its labels, as the reference lists them.
    let labels: [String]

    package init(_ name: String, _ kind: Kind, labels: [String], help: String) {
        (self.name, self.kind, self.labels, self.help) = (name, kind, labels, help)
    }
}

extension MetricFamily {
    /// All metrics, in the order of the page of `serve`.
    static let all = [
        build, lastQuery, queries, failedResponses, unverifiedAnswers, queryDuration,
        objectiveTarget, objectiveShare,
    ]

    private static let ofResolver = ["resolver", "endpoint", "transport", "series", "vantage"]

    package static let build = MetricFamily(
        "dnstempo_build_info",
        .gauge,
        labels: ["version"],
        help: "Version of dnstempo."
    )
    package static let lastQuery = MetricFamily(
        "dnstempo_last_query_timestamp_seconds",
        .gauge,
        labels: ["vantage"],
        help: "When the last query of a stored round was sent."
    )
    /// Queries by the label `outcome`.
    package static let queries = MetricFamily(
        "dnstempo_queries_total",
        .counter,
        labels: ofResolver + ["outcome"],
        help: "Queries by outcome; offline and blocked ones were not sent."
    )
    /// Failed responses by the label `rcode`.
    package static let failedResponses = MetricFamily(
        "dnstempo_failed_responses_total",
        .counter,
        labels: ofResolver + ["rcode"],
        help: "Responses with another code than NOERROR or NXDOMAIN, by code."
    )
    package static let unverifiedAnswers = MetricFamily(
        "dnstempo_unverified_answers_total",
        .counter,
        labels: ofResolver,
        help: "Answers without a verified certificate."
    )
    package static let queryDuration = MetricFamily(
        "dnstempo_query_duration_seconds",
        .histogram,
        labels: ofResolver + ["phase"],
        help: "Time from query to answer. A query without an answer in time is longer than "
            + "every bucket, and its timeout in the sum."
    )
    package static let objectiveTarget = MetricFamily(
        "dnstempo_objective_target_ratio",
        .gauge,
        labels: ["objective"],
        help: "Share of queries to be answered within the objective's time."
    )
    package static let objectiveShare = MetricFamily(
        "dnstempo_objective_ratio",
        .gauge,
        labels: ofResolver + ["objective"],
        help: "Share of queries answered within the objective's time in the last "
            + "\(objectiveDays) days."
    )

    /// The number of days of the window of an objective.
    package static let objectiveDays = 7
}

extension Recording.Target {
    /// The labels of the target's metrics.
    package var metricLabels: MetricFamily.Labels {
        [
            ("resolver", label), ("endpoint", endpoint), ("transport", transport.description),
            ("series", series.description),
        ]
    }
}
