import Analysis
import DNSWire
package import Samples
import Statistics

/// Hourly sums for other programs, as CSV (RFC 4180) or JSON Lines: a row an hour, resolver, type
/// and timeout, with the names and units of a comparison's summary; `hour` is in UTC, as
/// `vantage`, `type` and `timeout_ms` it comes first.
package struct HourlySumsTable: Sendable {
    package let format: SamplesFormat

    package init(_ format: SamplesFormat) { self.format = format }

    /// What stands above the rows; empty for JSON Lines.
    package var header: String {
        guard format == .csv else { return "" }
        let own = ["hour", "vantage", "type", "timeout_ms"]
        return (own + CSVSummary.everyFigure(of: []).header + Self.quantiles.map(\.name)).joined(
            separator: ","
        ) + "\n"
    }

    /// One row, with its line end.
    package func row(_ sum: HourlySum) -> String {
        let row = ResolverRow(sum.target, name: sum.target.label, Figures(sum))
        switch format {
        case .csv: return cells(sum, row).joined(separator: ",") + "\n"
        case .jsonLines: return JSONValue.object(members(sum, row)).line + "\n"
        }
    }

    private func cells(_ sum: HourlySum, _ row: ResolverRow) -> [String] {
        let own = [
            sum.hour.description, EscapedText.csv(sum.vantage), sum.type.description,
            row.latency.timeout.fixed(least: 3, most: 6),
        ]
        return own + CSVSummary.everyFigure(of: [row]).cells.joined().map(\.csv)
            + Self.quantiles.map { $0.value(row.latency)?.fixed(least: 3, most: 6) ?? "" }
    }

    private func members(_ sum: HourlySum, _ row: ResolverRow) -> [JSONValue.Member] {
        let own: [(String, JSONValue)] = [
            ("hour", .string(sum.hour.description)),
            ("vantage", .string(sum.vantage)),
            ("type", .string(sum.type.description)),
            ("timeout_ms", .milliseconds(row.latency.timeout)),
        ]
        return own.map { .init(name: $0.0, value: $0.1) } + JSONReport.members(of: row)
            + Self.quantiles.map {
                .init(name: $0.name, value: .milliseconds($0.value(row.latency)))
            }
    }

    /// What bands are drawn from, beside what a summary has.
    private static var quantiles: [(name: String, value: (LatencySummary) -> Double?)] {
        [("p5_ms", \.p5), ("p25_ms", \.p25), ("p75_ms", \.p75)]
    }
}
