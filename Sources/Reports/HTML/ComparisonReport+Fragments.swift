import Measurement
import Statistics

extension ComparisonReport {
    /// The answer of each series with the figures that it rests on, then what to know about them.
    public var fragments: [HTML] {
        guard !series.isEmpty else { return [PageFragments.answer("No resolver was measured.")] }
        let answers = series.enumerated().flatMap { index, series in
            let finding = Finding(in: series, of: self)
            return [
                PageFragments.answer(
                    finding.headline,
                    scope: finding.scope,
                    details: finding.details,
                    isFirst: index == 0
                ),
                figures(of: series).html,
            ]
        }
        return answers + [PageFragments.list(caveats(withP99: false).map(\.text))]
    }

    private func figures(of series: Series) -> HTMLTable {
        let rows = rows(of: series)
        let median = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let p95 = LatencyFormat(fitting: rows.compactMap(\.latency.p95))
        return HTMLTable(
            columns: [
                .init("resolver", isHeading: true), .init("median", isNumeric: true),
                .init("p95", isNumeric: true), .init("lost", isNumeric: true),
                .init("queries", isNumeric: true),
            ],
            rows: rows.map { row in
                [
                    "\(row.name)", .init(row.quantile(row.latency.median, in: median)),
                    .init(row.quantile(row.latency.p95, in: p95)),
                    .init(row.counts.failureRate.description), .init("\(row.counts.sent)"),
                ]
            }
        )
    }
}
