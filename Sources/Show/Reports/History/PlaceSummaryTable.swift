import Analysis
import Samples
import Statistics

extension [PlaceSummary] {
    /// One row per resolver and, if places are grouped by a label, its value.
    func table(_ names: [Recording.Target: String], by label: String? = nil) -> Table {
        let format = LatencyFormat(fitting: map(\.median.value).filter(\.isFinite))
        let series = Set(map(\.target.series))
        let hasInterval = contains { $0.median.lower != nil || $0.median.upper != nil }
        var group = Table.Column(
            EscapedText.terminal(label ?? ""),
            map { EscapedText.terminal($0.group ?? "") }
        )
        group.isGrouping = true
        let titles = map { row in
            row.target.series.naming(names[row.target] ?? row.target.label, among: series)
        }
        let columns: [Table.Column] =
            (label == nil ? [] : [group])
            + [
                .init("resolver", titles, .heading),
                .init("places", map { "\($0.places)" }, .figures),
                .init("median", map { $0.median.cell(format) }, .figures),
                .init("95 % interval", map { $0.median.intervalText(format) }, .figures, drop: 1),
                .init("p95", map { $0.p95.cell(format) }, .figures, drop: 2),
                .init("95 % interval", map { $0.p95.intervalText(format) }, .figures, drop: 3),
            ].filter { hasInterval || $0.header != "95 % interval" }
            + [
                .init("failed", map { $0.counts.failureRate.cell }, .figures, drop: 1),
                .init("queries", map { "\($0.counts.sent)" }, .figures, drop: 4),
            ]
        let text =
            "Of each place its own median and p95; of these the median over the places"
            + (hasInterval
                ? ", and its interval for places like them (–: too few places)."
                : ", which are too few for an interval.")
        var table = Table(columns, caption: text)
        table.footnotes = { _ in [text] }
        return table
    }
}

extension PlaceSummary {
    private static func ends(_ quantile: PlacesQuantile) -> (low: JSONValue, high: JSONValue) {
        (.milliseconds(quantile.lower?.known), .milliseconds(quantile.upper?.known))
    }

    private static let failing = "most queries failed at the median place"

    static let fields: [Field<PlaceSummary>] =
        Recording.Target.fields.of { $0.target } + [
            .count("places", "Places that asked the resolver.") { $0.places },
            .time("median_ms", null: failing, "Median of the places' medians.") {
                $0.median.value.known
            },
        ]
        + Field.interval(
            "median_ci",
            suffix: "_ms",
            unit: .milliseconds,
            "95 % interval of `median_ms` for places like these."
        ) { ends($0.median) } + [
            .time("p95_ms", null: failing, "Median of the places' 0.95-quantiles.") {
                $0.p95.value.known
            }
        ]
        + Field.interval(
            "p95_ci",
            suffix: "_ms",
            unit: .milliseconds,
            "95 % interval of `p95_ms` for places like these."
        ) { ends($0.p95) }

    static let shape = Shape("place-summary", fields)
}

extension Share {
    fileprivate var cell: Table.Cell {
        Table.Cell(description, key: fraction, style: isHigh ? .warning : .plain)
    }
}

extension Double {
    /// The number; `nil` beyond the timeout.
    fileprivate var known: Double? { isFinite ? self : nil }
}

extension PlacesQuantile {
    private static let beyond = "failed"
    /// The rest of a sentence if no median is a time.
    static let noMedian = "no usable answer to most queries"

    fileprivate func cell(_ format: LatencyFormat) -> Table.Cell {
        Table.Cell(value.known.map(format.cell) ?? Self.beyond, key: value)
    }

    /// The value for a sentence.
    func prose(_ format: LatencyFormat) -> String { value.known.map(format.prose) ?? Self.beyond }

    /// The interval, such as `11.0 to 14.2 ms`. An end that needs more places is omitted.
    fileprivate func intervalText(_ format: LatencyFormat) -> String {
        func text(_ end: Double) -> String { end.known.map(format.cell) ?? Self.beyond }
        return switch (lower, upper) {
        case (nil, nil): "–"
        case (let lower?, nil): "from \(text(lower))"
        case (nil, let upper?): "up to \(text(upper))"
        case (let lower?, let upper?):
            "\(upper.known == nil ? text(lower) : format.number(lower)) to \(text(upper))"
        }
    }
}
