import Analysis
import Samples
import Statistics

/// The report for spreadsheets (RFC 4180): a row a resolver and series, times in milliseconds, an
/// empty cell for what there is not.
package struct CSVSummary: ReportFormat {
    package init() {}

    package func render(_ report: ComparisonReport) -> String {
        var rows = Self.table(of: report)
        // They are of the whole report, and stand once, in the first row.
        let caveats = report.caveats.map { "\($0.code): \($0.text)" }.joined(separator: " | ")
        if !caveats.isEmpty {
            let column = ["caveats", caveats] + rows.dropFirst(2).map { _ in "" }
            for (index, text) in zip(rows.indices, column) { rows[index].append(.text(text)) }
        }
        return rows.map { $0.map(\.csv).joined(separator: ",") + "\n" }.joined()
    }

    /// The header, then a row a resolver and series.
    static func table(of report: ComparisonReport) -> [[CSVCell]] {
        // What was not measured of any resolver has no column.
        let further = (surroundings + connections).filled(by: report.rows)
        let header = columns.map(\.name) + certaintyHeader + further.map(\.name)
        return [header.map(CSVCell.figure)]
            + report.rows.map { row in
                columns.map { $0.cell(row) } + certainty(of: row) + further.map { $0.cell(row) }
            }
    }

    /// Header and cells of `rows`, without what is computed for one run alone.
    static func figures(of rows: [ResolverRow]) -> (header: [String], cells: [[CSVCell]]) {
        let all = columns + connections.filled(by: rows)
        return (all.map(\.name), rows.map { row in all.map { $0.cell(row) } })
    }

    /// The same with every column that there may be, so that each hour has those of all others.
    static func everyFigure(of rows: [ResolverRow]) -> (header: [String], cells: [[CSVCell]]) {
        let all = columns + connections
        return (all.map(\.name), rows.map { row in all.map { $0.cell(row) } })
    }

    private static let certaintyHeader = [
        "rank_from", "rank_to", "failure_ci_low", "failure_ci_high", "median_ci_low_ms",
        "median_ci_high_ms",
    ]

    /// Ranks, and intervals to 95 %.
    private static func certainty(of row: ResolverRow) -> [CSVCell] {
        let failures = row.counts.measured > 0 ? row.failureInterval : nil
        let median = row.medianInterval
        return [
            row.rank.map { "\($0.lowerBound)" }, row.rank.map { "\($0.upperBound)" },
            failures?.lowerBound.fixed(least: 1, most: 9),
            failures?.upperBound.fixed(least: 1, most: 9),
            median?.lowerBound.finite?.fixed(least: 3, most: 6),
            median?.upperBound.finite?.fixed(least: 3, most: 6),
        ].map { CSVCell.figure($0 ?? "") }
    }

    fileprivate struct Column: Sendable {
        var name: String
        var cell: @Sendable (ResolverRow) -> CSVCell
    }

    private static let columns: [Column] = [
        text("name", \.target.label),
        text("endpoint", \.target.endpoint),
        text("transport", \.target.transport.description),
        text("series", \.target.series.description),
        count("sent", \.sent),
        count("answered", \.answered),
        count("timeouts", \.timeouts),
        count("failed", \.failed),
        count("unreachable", \.unreachable),
        count("malformed", \.malformed),
        count("filtered", \.filtered),
        count("offline", \.offline),
        count("blocked", \.blocked),
        Column(name: "failure_rate") { row in
            .figure(row.counts.failureRate.fraction?.fixed(least: 1, most: 9) ?? "")
        },
        time("min_ms", \.minimum),
        time("mean_ms", \.restrictedMean),
        time("median_ms", \.median),
        time("p90_ms", \.p90),
        time("p95_ms", \.p95),
        time("p99_ms", \.p99),
        time("max_ms", \.maximum),
        time("stddev_ms", \.standardDeviation),
        time("jitter_ms", \.jitter),
    ]

    private static let surroundings: [Column] = [
        further("floor_ms") { $0.floor?.roundTrip.milliseconds },
        Column(name: "sites") {
            .text($0.surroundings.sites.joined(separator: " "))
        },
        further("connect_ms") { $0.nearness?.milliseconds },
        further("recursion_ms") { $0.recursion?.difference },
    ]

    private static let connections: [Column] = [
        part("median_connect_ms") { $0.connect },
        part("median_handshake_ms") { $0.handshake },
        part("median_query_ms") { $0.query },
        Column(name: "connections") { .text($0.connections?.usesText ?? "") },
        Column(name: "unverified") { row in
            let count = row.connections?.unverified ?? 0
            return .figure(count > 0 ? "\(count)" : "")
        },
    ]

    private static func part(
        _ name: String,
        _ value: @escaping @Sendable (ConnectionFigures.Parts) -> Double?
    ) -> Column {
        Column(name: name) { row in
            .figure(row.connections?.parts.flatMap(value)?.fixed(least: 3, most: 6) ?? "")
        }
    }

    private static func further(
        _ name: String,
        _ value: @escaping @Sendable (Surroundings) -> Double?
    ) -> Column {
        Column(name: name) { row in
            guard let value = value(row.surroundings), value.isFinite else { return .figure("") }
            return .figure(value.fixed(least: 3, most: 6))
        }
    }

    private static func text(
        _ name: String,
        _ path: any KeyPath<ResolverRow, String> & Sendable
    ) -> Column {
        Column(name: name) { .text($0[keyPath: path]) }
    }

    private static func count(
        _ name: String,
        _ path: any KeyPath<OutcomeCounts, Int> & Sendable
    ) -> Column {
        Column(name: name) { .figure(String($0.counts[keyPath: path])) }
    }

    private static func time(
        _ name: String,
        _ path: any KeyPath<LatencySummary, Double?> & Sendable
    ) -> Column {
        Column(name: name) {
            .figure($0.latency[keyPath: path]?.fixed(least: 3, most: 6) ?? "")
        }
    }
}

extension [CSVSummary.Column] {
    /// Those that at least one of `rows` has something in.
    fileprivate func filled(by rows: [ResolverRow]) -> Self {
        filter { column in rows.contains { !column.cell($0).text.isEmpty } }
    }
}

extension Double {
    /// `nil` where it is not finite.
    fileprivate var finite: Double? { isFinite ? self : nil }
}

/// A cell of a table for spreadsheets, as it is before it is escaped for where it goes.
struct CSVCell: Hashable {
    let text: String
    /// Whether it came from elsewhere; figures and words of our own need no escape.
    private let isForeign: Bool

    /// A label, an address or whatever else was not made here.
    static func text(_ text: String) -> CSVCell { CSVCell(text: text, isForeign: true) }

    /// A number, a moment or a word of our own; empty for what there is not.
    static func figure(_ text: String) -> CSVCell { CSVCell(text: text, isForeign: false) }

    /// Ready for a file.
    var csv: String { isForeign ? EscapedText.csv(text) : text }
}
