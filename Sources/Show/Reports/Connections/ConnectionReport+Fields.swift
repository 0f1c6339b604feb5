import Catalogue
import DNSWire
package import Samples
import Statistics

extension ConnectionReport {
    /// The report for programs: schema `dnstempo.connections/1`.
    package static let shape = Shape<ConnectionReport>(
        "connections-report",
        DocumentHead.fields("dnstempo.connections/1") { $0.context.toolVersion } + [
            .moment("started", "Start of the observation.") { $0.context.started },
            .moment("finished", "End of the observation.") { $0.context.finished },
            seconds("up_to_s", "Longest gap without a query.") { $0.upTo.inSeconds },
            .object("pattern", pattern, null: "`--pattern` was not given", "Recorded traffic.") {
                $0.recordedPattern
            },
            .list("connections", connection, "One entry per resolver and transport.") {
                $0.rows
            },
        ]
    )

    /// The columns of CSV: one row per resolver, transport and traffic.
    package static var declarations: [Declaration] { columns.map(\.declaration) }

    static let columns: [Field<ConnectionCost>] =
        readingFields.of { $0.reading } + costFields

    private var rows: [Row] { allCosts.map { Row(costs: $0) } }

    private var recordedPattern: QueryPattern? {
        for case .pattern(let pattern) in traffic { return pattern }
        return nil
    }

    /// The costs of one reading.
    private struct Row: Sendable {
        let costs: [ConnectionCost]
        var reading: ConnectionReading? { costs.first?.reading }
    }

    private static let connection = Shape<Row>(
        "connection",
        readingFields.of { $0.reading } + [
            .list("costs", Shape("cost", costFields), "Cost for each kind of traffic.") { $0.costs }
        ]
    )

    private static let pattern = Shape<QueryPattern>(
        "pattern",
        [
            .text("resolver", null: "the file does not name it", "Resolver of the queries.") {
                $0.resolver
            },
            .count("queries", "Number of queries.") { $0.times.count },
            .count("names", "Number of distinct names.") { $0.names },
            seconds("span_s", "Time from the first to the last query.") { $0.span },
        ]
    )

    private static let isKept = "the server kept the connection for every gap"

    private static let readingFields: [Field<ConnectionReading>] =
        Recording.Target.fields.of { $0.target } + [
            seconds("idle_timeout_s", null: isKept, "Estimated idle timeout.") { $0.idle.timeout },
            seconds("idle_low_s", "Longest time for which an idle connection was kept.") {
                $0.idle.lower
            },
            seconds("idle_high_s", null: isKept, "Shortest time after which it was not.") {
                $0.idle.upper
            },
            .word("ended_by", null: isKept, "Signal with which the server ended it.") { $0.signal },
            seconds(
                "stated_timeout_s",
                null: "it states none",
                "Idle timeout that the server states."
            ) { $0.statedTimeout },
            .count("gaps", "Number of observed gaps.") { $0.idle.gaps },
            .word("answer_order", "Order of the answers to concurrent queries.") {
                Optional($0.order)
            },
            .flag("tickets", null: "the transport has none", "Whether the server sends tickets.") {
                $0.givesTickets
            },
            .flag(
                "early_data",
                null: "no connection was resumed",
                "Whether the server accepted a query as early data."
            ) { $0.acceptsEarlyData },
        ] + openingFields("new", "without a ticket") { $0.newOpenings }
        + openingFields("resumed", "with a ticket") { $0.resumedOpenings } + [
            .count("connections", "Connections that were opened.") { $0.connections },
            .count("queries", "Queries that were sent.") { $0.queries },
            .text("failure", null: "the observation is complete", "Reason of its early end.") {
                $0.failure?.description
            },
            .flag("interrupted", "Whether the user ended the observation.") { $0.isInterrupted },
        ]

    private static func openingFields(
        _ key: String,
        _ kind: String,
        _ openings: @escaping @Sendable (ConnectionReading) -> OpeningTimes?
    ) -> [Field<ConnectionReading>] {
        let isMissing = "no such connection was opened"
        return [
            .count("\(key)_count", "Connections opened \(kind).") {
                openings($0)?.times.count ?? 0
            },
            .time("\(key)_ms", null: isMissing, "Median time to open a connection \(kind).") {
                openings($0)?.median
            },
            .time("\(key)_mean_ms", null: isMissing, "Mean time to open a connection \(kind).") {
                openings($0)?.mean
            },
        ]
            + Field.interval(
                "\(key)_ci",
                suffix: "_ms",
                unit: .milliseconds,
                null: "fewer than six such connections were opened",
                "95 % interval of `\(key)_ms`."
            ) { openings($0)?.interval.map(JSONValue.ends) }
    }

    private static let isUnknown = "the idle timeout is unknown"

    private static let costFields: [Field<ConnectionCost>] = [
        .number(
            "queries_per_hour",
            digits: 0...6,
            null: "the traffic is the recorded pattern",
            "Rate of the traffic."
        ) { $0.traffic.queriesPerHour },
        .share("share", null: isUnknown, "Share of the queries that open a connection.") {
            $0.share
        },
        .flag("share_is_limit", "Whether `share` is an upper limit, because of `idle_timeout_s`.") {
            $0.isLimit
        },
        .time("added_ms", null: isUnknown, "Mean added time per query without tickets.") {
            $0.added
        },
        .time(
            "added_resumed_ms",
            null: "no connection was resumed, or the idle timeout is unknown",
            "Mean added time per query with tickets."
        ) { $0.addedResumed },
    ]

    private static func seconds<Row>(
        _ key: String,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Double?
    ) -> Field<Row> {
        .number(key, .seconds, digits: 1...3, null: null, meaning, value)
    }
}
