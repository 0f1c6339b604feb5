import Analysis
import Catalogue
import DNSWire
import Samples
import Statistics

extension Recording.Target {
    /// The identity of a row. `name` is an older column with the same text as `resolver`.
    static let fields: [Field<Recording.Target>] = [
        .text("resolver", "Label of the resolver.") { $0.label },
        .text("name", "The same text as `resolver`.") { $0.label },
        .text("endpoint", "Address, address and port, or URL that was asked.") { $0.endpoint },
        .text("transport", "Transport: `udp`, `tcp`, `tls`, `https`, `h3` or `quic`.") {
            $0.transport.description
        },
        .word("series", "Kind of queries.") { $0.series },
    ]
}

extension ResolverSummary {
    private static let amongFailures = "the quantile lies among the queries without an answer"
    private static let isOpen = amongFailures + ", or the resolver was not asked to the end"
    private static let unanswered = "no query was answered"

    /// The figures of a resolver in every table. sent = answered + timeouts + Σ failures +
    /// filtered.
    static let figures: [Field<ResolverSummary>] =
        Recording.Target.fields.of { $0.target } + [
            .count("sent", "Queries sent: answered + timeouts + all failures + filtered.") {
                $0.counts.sent
            },
            .count("answered", "Queries with a usable answer: NOERROR, NXDOMAIN, or as expected.") {
                $0.counts.answered
            },
            .count("timeouts", "Queries without a response before the timeout.") {
                $0.counts[.timeout]
            },
            Field(
                "failures",
                .map(.count),
                in: .jsonOnly,
                "Other failed queries by response code, and `unreachable`, `malformed` and "
                    + "`wrong`. A look-up of a browser with only negative responses is under the "
                    + "response code of A."
            ) { $0.counts.failures },
            .list(
                "causes",
                FailureCauses.shape,
                in: .jsonOnly,
                when: "a failed query has a known cause; only samples have causes",
                "Causes of failed queries, the most frequent first."
            ) { row in row.counts.causes.isEmpty ? nil : row.counts.causes.sorted },
            .count("failed", in: .csvOnly, "Responses with another code than NOERROR or NXDOMAIN.")
            {
                $0.counts.errorResponses
            },
            .count("unreachable", in: .csvOnly, "Queries that an ICMP error or the system refused.")
            {
                $0.counts[.unreachable]
            },
            .count("malformed", in: .csvOnly, "Responses that are not valid DNS messages.") {
                $0.counts[.malformed]
            },
            .count("filtered", "Answers that block the name; they count in no latency.") {
                $0.counts[.filtered]
            },
            .count("offline", "Queries that had no route to any resolver; not sent.") {
                $0.counts[.offline]
            },
            .count("blocked", "Queries outside the allowed networks; not sent.") {
                $0.counts[.blocked]
            },
            .share("failure_rate", null: "no query counts", "Failed queries of all that count.") {
                $0.counts.failureRate.fraction
            },
            .share(
                "no_response_rate",
                null: "no query counts",
                "Queries without any response of all that count."
            ) { $0.counts.lossRate.fraction },
            .time("min_ms", null: unanswered, "Shortest round trip.") { $0.latency.minimum },
            .time(
                "mean_ms",
                null: "no query counts",
                "Mean round trip; a failed query counts as the timeout."
            ) { $0.latency.restrictedMean },
            .time(
                "median_ms",
                null: amongFailures,
                "Median round trip. Of a resolver that was not asked to the end: the baseline's "
                    + "median − the median paired difference."
            ) { $0.latency.median },
            .time("p90_ms", null: isOpen, "0.9-quantile of the round trips.") {
                $0.latency.p90
            },
            .time("p95_ms", null: isOpen, "0.95-quantile of the round trips.") {
                $0.latency.p95
            },
            .time("p99_ms", null: isOpen, "0.99-quantile of the round trips.") {
                $0.latency.p99
            },
            .time("max_ms", null: unanswered, "Longest round trip.") { $0.latency.maximum },
            .time(
                "stddev_ms",
                null: "fewer than two queries were answered",
                "Standard deviation of the round trips of answers."
            ) { $0.latency.standardDeviation },
            .time(
                "jitter_ms",
                null: "fewer than two queries were answered",
                "Mean difference of consecutive round trips, without regard to its sign."
            ) { $0.latency.jitter },
        ]

    /// The number of unexpected answers. JSON includes them in `failures`.
    static let expectationFields: [Field<ResolverSummary>] = [
        .count(
            "wrong",
            in: .csvOnly,
            when: "an answer was not as expected",
            "Answers that were not as expected."
        ) { row in row.counts[.wrong] > 0 ? row.counts[.wrong] : nil }
    ]

    private static let areKnown = "the rounds are known"

    /// The rounds with an answer from the resolver. JSON has one object, and CSV has columns. They are known
    /// in windows, and in the hourly sum that counts them.
    static let availabilityFields: [Field<ResolverSummary>] = [
        .object(
            "availability",
            Availability.shape,
            in: .jsonOnly,
            when: areKnown,
            "Rounds with an answer from the resolver."
        ) { $0.availability },
        .count(
            "rounds",
            in: .csvOnly,
            when: areKnown,
            "Rounds in which the resolver was asked."
        ) { $0.availability?.rounds },
        .count(
            "rounds_without_answer",
            in: .csvOnly,
            when: areKnown,
            "Those of `rounds` without an answer from it."
        ) { $0.availability?.dead },
    ]

    static let contextFields: [Field<ResolverSummary>] = [
        .time(
            "floor_ms",
            when: "the network's own round trip was measured",
            "Median round trip of the network to the address of the resolver."
        ) { $0.context.floor?.roundTrip.milliseconds },
        .texts(
            "sites",
            when: "an answer names its site",
            "Sites that answered, by NSID, in the order of their first answers."
        ) { $0.context.sites.isEmpty ? nil : $0.context.sites },
        .time(
            "connect_ms",
            when: "`--connect` measured it",
            "Median time of a TCP connect to the addresses that the resolver answered."
        ) { $0.context.nearness?.milliseconds },
        .time(
            "recursion_ms",
            when: "cached and uncached names were asked",
            null: "most names of one kind failed",
            "How much longer an uncached name takes (cache-miss penalty)."
        ) { $0.context.recursion?.difference },
        Field(
            "recursion_ci_ms",
            .range(.number),
            unit: .milliseconds,
            in: .jsonOnly,
            when: "`recursion_ms` is present",
            null: "the names are too few for an interval",
            "95 % interval of `recursion_ms`."
        ) { row in
            row.context.recursion.map { cost in
                let ends = cost.interval.map(JSONValue.ends)
                return ends.map { .array([$0.low, $0.high]) } ?? .null
            }
        },
    ]

    private static let areKept = "the transport has connections"

    static let connectionFields: [Field<ResolverSummary>] = [
        .time(
            "median_connect_ms",
            when: "the series is `first`",
            "Median time of the TCP connect."
        ) { $0.parts?.connect },
        .time(
            "median_handshake_ms",
            when: "the series is `first`",
            "Median time of the encryption's handshake."
        ) { $0.parts?.handshake },
        .time(
            "median_query_ms",
            when: "the series is `first`",
            "Median time of the query on the open connection."
        ) { $0.parts?.query },
        Field(
            "connections",
            .map(.count),
            when: areKept,
            "Answers by the use of their connection: `new`, `reused`, `resumed` or `early`."
        ) { row in
            let uses = row.connections?.sortedUses ?? []
            return uses.isEmpty ? nil : .counts(uses.map { ($0.key.description, $0.value) })
        },
        .count(
            "unverified",
            when: "there are any",
            "Answers over connections whose certificate was not verified."
        ) { row in row.connections.flatMap { $0.unverified > 0 ? $0.unverified : nil } },
    ]

    /// The certainty of a row's figures: its ranks, and 95 % confidence intervals.
    static let certainty: [Field<ResolverSummary>] =
        [
            Field(
                "rank",
                .range(.count),
                in: .jsonOnly,
                null: "the resolver has no rank",
                "Ranks that the resolver may have in its series, at confidence level 95 %."
            ) { row in
                row.rank.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) } ?? .null
            },
            .count("rank_from", in: .csvOnly, null: "the resolver has no rank", "Best rank.") {
                $0.rank?.lowerBound
            },
            .count("rank_to", in: .csvOnly, null: "the resolver has no rank", "Worst rank.") {
                $0.rank?.upperBound
            },
        ]
        + Field.interval(
            "failure_ci",
            unit: .share,
            null: "no query counts",
            "95 % interval of `failure_rate`."
        ) { $0.counts.measured > 0 ? JSONValue.rates($0.failureInterval) : nil }
        + Field.interval(
            "median_ci",
            suffix: "_ms",
            unit: .milliseconds,
            null: "the queries are too few",
            "95 % interval of `median_ms`."
        ) { $0.medianInterval.map(JSONValue.ends) }

    static let members: [Field<ResolverSummary>] =
        figures + contextFields + connectionFields + cacheFields + availabilityFields
    static let shape = Shape("figures", members)

    static func columns(_ rows: [ResolverSummary]) -> [Field<ResolverSummary>] {
        figures
            + (connectionFields + expectationFields + availabilityFields).columns(filledBy: rows)
    }
}

extension ConnectionTally {
    /// The number of answers by use of the connection, the most frequent use first.
    var sortedUses: [(key: ConnectionUse, value: Int)] {
        uses.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    }
}

extension OutcomeCounts {
    /// The response codes in alphabetical order, then the two failures that are always present.
    /// Unexpected answers follow only if there are any, because most runs expect nothing.
    fileprivate var failures: JSONValue {
        .counts(responseCodes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            + [
                "unreachable": .integer(self[.unreachable]),
                "malformed": .integer(self[.malformed]),
            ] + .counts(self[.wrong] > 0 ? [("wrong", self[.wrong])] : [])
    }
}
