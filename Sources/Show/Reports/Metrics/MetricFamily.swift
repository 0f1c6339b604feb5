package import Samples

/// A metric as Prometheus knows it, whether it comes for it or is written to.
package struct MetricFamily: Hashable, Sendable {
    /// Use that Prometheus makes of a family's figures.
    package enum Kind: String, Hashable, Sendable {
        case counter, gauge, histogram
    }

    package typealias Labels = [(name: String, value: String)]

    package let name: String
    package let kind: Kind
    package let help: String

    package init(_ name: String, _ kind: Kind, help: String) {
        (self.name, self.kind, self.help) = (name, kind, help)
    }
}

extension MetricFamily {
    package static let lastQuery = MetricFamily(
        "dnstempo_last_query_timestamp_seconds",
        .gauge,
        help: "When the last query of a stored round was sent."
    )
    /// By the label `outcome`.
    package static let queries = MetricFamily(
        "dnstempo_queries_total",
        .counter,
        help: "Queries by outcome; offline and blocked ones were not sent."
    )
    /// By the label `rcode`.
    package static let failedResponses = MetricFamily(
        "dnstempo_failed_responses_total",
        .counter,
        help: "Responses with another code than NOERROR or NXDOMAIN, by code."
    )
    package static let unverifiedAnswers = MetricFamily(
        "dnstempo_unverified_answers_total",
        .counter,
        help: "Answers without a verified certificate."
    )
    package static let queryDuration = MetricFamily(
        "dnstempo_query_duration_seconds",
        .histogram,
        help: "Time from query to answer. A query without an answer in time is longer than "
            + "every bucket, and its timeout in the sum."
    )
}

extension Recording.Target {
    /// The labels of its metrics.
    package var metricLabels: MetricFamily.Labels {
        [
            ("resolver", label), ("endpoint", endpoint), ("transport", transport.description),
            ("series", series.description),
        ]
    }
}
