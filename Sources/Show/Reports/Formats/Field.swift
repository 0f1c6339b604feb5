import Analysis
import Catalogue
import DNSWire
package import Samples
import Statistics

/// A figure of rows for programs, said once: a key of JSON, and a column of CSV (RFC 4180).
struct Field<Row>: Sendable {
    let key: String
    var form = FieldForm.everywhere
    /// `nil` where a row has nothing to tell: then JSON has no such key, and CSV no such column
    /// where no row has anything.
    let value: @Sendable (Row) -> JSONValue?

    init(
        _ key: String,
        _ form: FieldForm = .everywhere,
        _ value: @escaping @Sendable (Row) -> JSONValue?
    ) {
        self.key = key
        self.form = form
        self.value = value
    }

    static func text(_ key: String, _ value: @escaping @Sendable (Row) -> String) -> Field {
        Field(key) { .string(value($0)) }
    }

    static func count(
        _ key: String,
        _ form: FieldForm = .everywhere,
        _ value: @escaping @Sendable (Row) -> Int
    ) -> Field {
        Field(key, form) { .integer(value($0)) }
    }

    /// Milliseconds.
    static func time(_ key: String, _ value: @escaping @Sendable (Row) -> Double?) -> Field {
        Field(key) { .milliseconds(value($0)) }
    }

    /// Two ends: in JSON as one array, in CSV as `…_low…` and `…_high…`, the end of `key` last.
    static func interval(
        _ key: String,
        unit: String = "",
        _ ends: @escaping @Sendable (Row) -> (low: JSONValue, high: JSONValue)?
    ) -> [Field] {
        [
            Field(key + unit, .jsonOnly) { row in
                ends(row).map { .array([$0.low, $0.high]) } ?? .null
            },
            Field("\(key)_low\(unit)", .csvOnly) { ends($0)?.low ?? .null },
            Field("\(key)_high\(unit)", .csvOnly) { ends($0)?.high ?? .null },
        ]
    }
}

extension Array {
    /// The figures of something that a row may have, under keys with `prefix`.
    func of<Part, Row>(
        _ prefix: String = "",
        _ part: @escaping @Sendable (Row) -> Part?
    ) -> [Field<Row>] where Element == Field<Part> {
        map { field in
            Field<Row>(prefix + field.key, field.form) { part($0).flatMap(field.value) }
        }
    }
}

enum FieldForm { case everywhere, csvOnly, jsonOnly }

extension Array {
    func members<Row>(of row: Row) -> JSONValue where Element == Field<Row> {
        .object(
            compactMap { field in
                guard field.form != .csvOnly, let value = field.value(row) else { return nil }
                return JSONValue.Member(name: field.key, value: value)
            }
        )
    }

    /// A list of the members of each of `rows`.
    func list<Row>(of rows: [Row]) -> JSONValue where Element == Field<Row> {
        .array(rows.map { members(of: $0) })
    }

    /// The columns of CSV that every table has, and those others of which a row has something.
    func columns<Row>(filledBy rows: [Row]) -> [Field<Row>] where Element == Field<Row> {
        filter { field in
            field.form != .jsonOnly && rows.contains { !(field.value($0)?.csvText.isEmpty ?? true) }
        }
    }

    func cells<Row>(of row: Row) -> [JSONValue] where Element == Field<Row> {
        compactMap { $0.form == .jsonOnly ? nil : $0.value(row) ?? .null }
    }

    func header<Row>() -> [JSONValue] where Element == Field<Row> {
        compactMap { $0.form == .jsonOnly ? nil : .string($0.key) }
    }

    /// A row for each of `rows`.
    func table<Row: Sendable>(of rows: [Row]) -> FigureTable where Element == Field<Row> {
        FigureTable(header: header(), count: rows.count) { cells(of: rows[$0]) }
    }
}

/// Figures in columns, each row of which is made only when it is written.
package struct FigureTable: Sendable {
    package var header: [JSONValue] = []
    /// Number of rows below the header.
    package var count = 0
    var row: @Sendable (Int) -> [JSONValue] = { _ in [] }

    /// The first rows.
    func rows(atMost limit: Int = .max) -> [[JSONValue]] {
        (0..<Swift.min(count, limit)).map(row)
    }

    /// The header, then the rows.
    package var cells: [[JSONValue]] { [header] + rows() }
}

extension JSONValue {
    /// An interval's ends in milliseconds.
    static func ends(_ interval: ClosedRange<Double>) -> (low: JSONValue, high: JSONValue) {
        (.milliseconds(interval.lowerBound), .milliseconds(interval.upperBound))
    }

    /// The same of an interval of a share.
    static func rates(_ interval: ClosedRange<Double>) -> (low: JSONValue, high: JSONValue) {
        (.rate(interval.lowerBound), .rate(interval.upperBound))
    }

    /// Text of a cell for spreadsheets, before it is escaped.
    var csvText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .array(let values): values.map(\.csvText).joined(separator: " ")
        case .object(let members):
            members.map { "\($0.name) \($0.value.csvText)" }.joined(separator: " ")
        case .number(let value, _, _) where !value.isFinite: ""
        case .exact(let value) where !value.isFinite: ""
        case .bool, .integer, .unsigned, .number, .exact, .numeral: text()
        }
    }

    /// A cell ready for a file; figures of our own, which may be negative, are no formula.
    var csv: String {
        switch self {
        case .null, .bool, .integer, .unsigned, .number, .exact, .numeral: csvText
        case .string, .array, .object: EscapedText.csv(csvText)
        }
    }
}

extension [[JSONValue]] {
    var csv: String {
        map { $0.map(\.csv).joined(separator: ",") + "\n" }.joined()
    }
}

extension Recording.Target {
    /// `name` is the column of before `resolver`, with the same text.
    static let fields: [Field<Recording.Target>] = [
        .text("resolver") { $0.label },
        .text("name") { $0.label },
        .text("endpoint") { $0.endpoint },
        .text("transport") { $0.transport.description },
        .text("series") { $0.series.description },
    ]
}

extension ResolverSummary {
    /// Figures of a resolver in every table. sent = answered + timeouts + Σ failures + filtered.
    static let figures: [Field<ResolverSummary>] =
        Recording.Target.fields.of { $0.target } + [
            .count("sent") { $0.counts.sent },
            .count("answered") { $0.counts.answered },
            .count("timeouts") { $0.counts[.timeout] },
            Field("failures", .jsonOnly) { $0.counts.failures },
            Field("causes", .jsonOnly) { row in
                row.counts.causes.isEmpty ? nil : row.counts.causes.json
            },
            .count("failed", .csvOnly) { $0.counts.errorResponses },
            .count("unreachable", .csvOnly) { $0.counts[.unreachable] },
            .count("malformed", .csvOnly) { $0.counts[.malformed] },
            .count("filtered") { $0.counts[.filtered] },
            .count("offline") { $0.counts[.offline] },
            .count("blocked") { $0.counts[.blocked] },
            Field("failure_rate") { .rate($0.counts.failureRate.fraction) },
            Field("no_response_rate") { .rate($0.counts.lossRate.fraction) },
            .time("min_ms") { $0.latency.minimum },
            .time("mean_ms") { $0.latency.restrictedMean },
            .time("median_ms") { $0.latency.median },
            .time("p90_ms") { $0.latency.p90 },
            .time("p95_ms") { $0.latency.p95 },
            .time("p99_ms") { $0.latency.p99 },
            .time("max_ms") { $0.latency.maximum },
            .time("stddev_ms") { $0.latency.standardDeviation },
            .time("jitter_ms") { $0.latency.jitter },
        ]

    /// The answers that were not as expected; in JSON they are among the `failures`.
    static let expectationFields: [Field<ResolverSummary>] = [
        Field("wrong", .csvOnly) { row in
            row.counts[.wrong] > 0 ? .integer(row.counts[.wrong]) : nil
        }
    ]

    static let contextFields: [Field<ResolverSummary>] = [
        Field("floor_ms") {
            $0.context.floor.map { .milliseconds($0.roundTrip.milliseconds) }
        },
        Field("sites") { row in
            let sites = row.context.sites
            return sites.isEmpty ? nil : .array(sites.map(JSONValue.string))
        },
        Field("connect_ms") { $0.context.nearness.map { .milliseconds($0.milliseconds) } },
        Field("recursion_ms") { $0.context.recursion.map { .milliseconds($0.difference) } },
        Field("recursion_ci_ms", .jsonOnly) { row in
            row.context.recursion.map { cost in
                let ends = cost.interval.map(JSONValue.ends)
                return ends.map { .array([$0.low, $0.high]) } ?? .null
            }
        },
    ]

    static let connectionFields: [Field<ResolverSummary>] = [
        Field("median_connect_ms") { $0.parts.map { .milliseconds($0.connect) } },
        Field("median_handshake_ms") { $0.parts.map { .milliseconds($0.handshake) } },
        Field("median_query_ms") { $0.parts.map { .milliseconds($0.query) } },
        Field("connections") { row in
            let uses = row.connections?.sortedUses ?? []
            return uses.isEmpty ? nil : .counts(uses.map { ($0.key.description, $0.value) })
        },
        Field("unverified") { row in
            row.connections.flatMap { $0.unverified > 0 ? .integer($0.unverified) : nil }
        },
    ]

    /// How certain the figures of a row are: ranks, and intervals to 95 %.
    static let certainty: [Field<ResolverSummary>] =
        [
            Field("rank", .jsonOnly) { row in
                row.rank.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) } ?? .null
            },
            Field("rank_from", .csvOnly) { $0.rank.map { .integer($0.lowerBound) } ?? .null },
            Field("rank_to", .csvOnly) { $0.rank.map { .integer($0.upperBound) } ?? .null },
        ]
        + Field.interval("failure_ci") {
            $0.counts.measured > 0 ? JSONValue.rates($0.failureInterval) : nil
        } + Field.interval("median_ci", unit: "_ms") { $0.medianInterval.map(JSONValue.ends) }

    var members: JSONValue {
        (Self.figures + Self.contextFields + Self.connectionFields + Self.cacheFields)
            .members(of: self)
    }

    static func columns(_ rows: [ResolverSummary]) -> [Field<ResolverSummary>] {
        figures + (connectionFields + expectationFields).columns(filledBy: rows)
    }
}

extension ConnectionTally {
    /// Answers by what carried them, the most frequent first.
    var sortedUses: [(key: ConnectionUse, value: Int)] {
        uses.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    }
}

extension OutcomeCounts {
    /// The response codes in alphabetical order, then the two failures that always have a key, and
    /// answers that were not as expected, of which most runs expect nothing.
    fileprivate var failures: JSONValue {
        .counts(responseCodes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            + [
                "unreachable": .integer(self[.unreachable]),
                "malformed": .integer(self[.malformed]),
            ] + .counts(self[.wrong] > 0 ? [("wrong", self[.wrong])] : [])
    }
}
