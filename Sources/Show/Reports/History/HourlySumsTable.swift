import Analysis
import DNSWire
package import Samples
import Statistics

/// Hourly sums for other programs, as CSV (RFC 4180) or JSON Lines: one row per hour, resolver, type and
/// timeout. The names and units are those of a comparison. The first columns are `hour` (in UTC), `vantage`,
/// `type` and `timeout_ms`.
package struct HourlySumsTable: Sendable {
    package let format: SamplesFormat

    package init(_ format: SamplesFormat) { self.format = format }

    /// The header of CSV; empty for JSON Lines.
    package var header: String { format == .csv ? [Self.fields.header()].csv : "" }

    /// One row, with its line end.
    package func row(_ sum: HourlySum) -> String {
        let hour = (sum, ResolverSummary(sum.target, name: sum.target.label, Figures(sum)))
        return format == .csv
            ? [Self.fields.cells(of: hour)].csv : Self.fields.members(of: hour).line + "\n"
    }

    /// All possible columns, so that all hours have equal columns, and the quantiles of the bands of charts.
    package static let fields: [Field<(sum: HourlySum, row: ResolverSummary)>] =
        [
            .moment("hour", "Start of the hour, in UTC.") { $0.sum.hour },
            .text("vantage", "Name of the vantage point.") { $0.sum.vantage },
            .text("type", "Type of the records that were asked.") { $0.sum.type.description },
            .time("timeout_ms", "Timeout of the queries.") { $0.row.latency.timeout },
        ]
        + (ResolverSummary.figures + ResolverSummary.connectionFields)
        .filter { $0.declaration.key != "causes" }.of { $0.row }
        + [
            quantile("p5_ms", "0.05") { $0.p5 }, quantile("p25_ms", "0.25") { $0.p25 },
            quantile("p75_ms", "0.75") { $0.p75 },
        ]
        + (ResolverSummary.expectationFields + ResolverSummary.availabilityFields).of { $0.row }

    private static func quantile(
        _ key: String,
        _ p: String,
        _ value: @escaping @Sendable (LatencySummary) -> Double?
    ) -> Field<(sum: HourlySum, row: ResolverSummary)> {
        .time(
            key,
            null: "the quantile lies among the queries without an answer",
            "\(p)-quantile of the round trips."
        ) { value($0.row.latency) }
    }
}
