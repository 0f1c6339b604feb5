import Samples
import Statistics

extension AgainstReport {
    var document: HistoryDocument {
        HistoryDocument(
            words: words,
            columns: columns,
            notes: notes,
            provenance: provenance.text(toolVersion: context.toolVersion),
            csv: csv,
            json: json
        )
    }

    // MARK: - Words

    private var words: [String] {
        guard !rows.isEmpty else { return [both.nothing] }
        var sentences = rows.map(sentence)
        let clock = context.clock
        let window = context.window
        let start = window.lowerBound.advanced(by: .zero - length)
        sentences.append(
            "\(clock.text(window.lowerBound)) to \(clock.text(window.upperBound)) against "
                + "\(clock.text(start)) to \(clock.text(window.lowerBound)) "
                + "(\(clock.name(from: start, to: window.upperBound))), hour by hour."
        )
        if !hasInterval, rows.contains(where: { $0.difference != nil }) {
            sentences.append(
                "How sure that is would take two weeks on either side: --against 14d."
            )
        }
        return sentences
    }

    private func sentence(_ row: Row) -> String {
        guard let difference = row.difference else {
            return row.now == nil
                ? "\(title(row)) was measured before only."
                : row.before == nil
                    ? "\(title(row)) was not measured before."
                    : "\(title(row)) has no hour with answers in both."
        }
        let format = format
        let levels = [row.now, row.before].map { figures in
            figures.map { $0.quantile($0.latency.median, in: format) } ?? "–"
        }
        let lost = losses(row)
        let shown = format.number(abs(difference))
        // Which way it went is not known where the interval has both.
        let isSame =
            shown == format.number(0) || row.interval.map { $0.contains(0) } ?? false
        let interval = row.interval.map { _ in ", 95 % interval \(intervalText(row))" } ?? ""
        let verdict =
            isSame
            ? "as fast as before"
            : "\(shown) ms \(difference > 0 ? "slower" : "faster")\(interval)"
        return "\(title(row)) is \(verdict): median \(levels[0]) after \(levels[1])\(lost)."
    }

    private func losses(_ row: Row) -> String {
        guard let now = row.now?.counts, let before = row.before?.counts,
            now.lost + before.lost > 0
        else { return "" }
        return ", lost \(now.failureRate.description) after \(before.failureRate.description)"
    }

    /// One for all, so that the columns line up.
    private var format: LatencyFormat {
        LatencyFormat(
            fitting: rows.flatMap { [$0.before, $0.now] }.compactMap { $0?.latency.median }
        )
    }

    private func intervalText(_ row: Row) -> String {
        guard let interval = row.interval else { return "" }
        return "\(signed(interval.lowerBound)) to \(signed(interval.upperBound)) ms"
    }

    private func signed(_ value: Double) -> String {
        let number = format.number(abs(value))
        guard number != format.number(0) else { return number }
        return (value < 0 ? "-" : "+") + number
    }

    // MARK: - Tables

    private var columns: [HistoryDocument.Column] {
        guard !rows.isEmpty else { return [] }
        let format = format
        func right(
            _ header: String,
            drop: Int = 0,
            _ cell: (Row) -> String
        ) -> HistoryDocument.Column {
            .init(
                header: header,
                cells: rows.map(cell),
                alignment: .right,
                dispensability: drop
            )
        }
        func median(_ figures: ResolverRow?) -> String {
            figures.map { $0.quantile($0.latency.median, in: format) } ?? "–"
        }
        func lost(_ figures: ResolverRow?) -> String {
            figures?.counts.failureRate.description ?? "–"
        }
        var columns =
            names + [
                right("before") { median($0.before) },
                right("now") { median($0.now) },
                right("difference") { $0.difference.map { signed($0) + " ms" } ?? "–" },
            ]
        if hasInterval { columns.append(right("95 % interval", drop: 2, intervalText)) }
        return columns + [
            right("lost before", drop: 3) { lost($0.before) },
            right("lost now", drop: 1) { lost($0.now) },
        ]
    }

    /// Who it is, with the transport and the series where they differ.
    private var names: [HistoryDocument.Column] {
        let places = Set(rows.map(\.vantage)).count > 1
        let isContinued = rows.indices.map { index in
            guard isByTransport, index > 0 else { return false }
            let (row, last) = (rows[index], rows[index - 1])
            return row.vantage == last.vantage && row.target.series == last.target.series
                && row.target.label == last.target.label
        }
        let titles = rows.map { row in
            isByTransport ? row.target.label + (places ? " from \(row.vantage)" : "") : row.name
        }
        var columns = [
            HistoryDocument.Column(header: "resolver", cells: titles, continued: isContinued)
        ]
        if isByTransport {
            columns.append(.init(header: "over", cells: rows.map(\.target.transport.description)))
        }
        let series = rows.map(\.target.series)
        if Set(series).count > 1 {
            columns.append(.init(header: "series", cells: series.map(\.description)))
        }
        return columns
    }

    // MARK: - For programs

    private var csv: [[CSVCell]] {
        let header = [
            "vantage", "name", "endpoint", "transport", "series", "pairs", "difference_ms",
            "ci_low_ms", "ci_high_ms",
        ]
        let figures = ["sent", "answered", "failure_rate", "median_ms", "p95_ms"]
        let both = ["before_", "now_"].flatMap { prefix in figures.map { prefix + $0 } }
        let unverified = UnverifiedColumns(rows.map { [$0.before, $0.now] })
        return [(header + both + unverified.header).map(CSVCell.figure)]
            + zip(rows, unverified.cells).map { row, unverified in
                let target = row.target
                let texts = [row.vantage, target.label, target.endpoint, "\(target.transport)"]
                let figures = [
                    target.series.description, String(row.pairs), Self.digits(row.difference),
                    Self.digits(row.interval?.lowerBound), Self.digits(row.interval?.upperBound),
                ]
                return texts.map(CSVCell.text)
                    + (figures + Self.cells(row.before) + Self.cells(row.now) + unverified)
                    .map(CSVCell.figure)
            }
    }

    private static func cells(_ figures: ResolverRow?) -> [String] {
        guard let figures else { return ["", "", "", "", ""] }
        return [
            String(figures.counts.sent), String(figures.counts.answered),
            figures.counts.failureRate.fraction?.fixed(least: 1, most: 9) ?? "",
            digits(figures.latency.median), digits(figures.latency.p95),
        ]
    }

    private static func digits(_ value: Double?) -> String {
        value?.fixed(least: 3, most: 6) ?? ""
    }

    private var json: JSONValue {
        HistoryHead(
            kind: "against",
            context: context,
            provenance: provenance,
            log: log,
            notes: notes
        )
        .document([
            .init(
                name: "against_s",
                value: .number(length.milliseconds / 1000, least: 0, most: 6)
            ),
            .init(name: "rows", value: .array(rows.map(json))),
        ])
    }

    private func json(_ row: Row) -> JSONValue {
        let ends = row.interval.map { [$0.lowerBound, $0.upperBound] }
        func figures(_ row: ResolverRow?) -> JSONValue {
            row.map { .object(JSONReport.members(of: $0)) } ?? .null
        }
        return [
            "vantage": .string(row.vantage),
            "name": .string(row.target.label),
            "pairs": .integer(row.pairs),
            "difference_ms": .milliseconds(row.difference),
            "ci_ms": ends.map { .array($0.map { .milliseconds($0) }) } ?? .null,
            "before": figures(row.before),
            "now": figures(row.now),
        ]
    }
}
