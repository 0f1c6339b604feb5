import Samples
import Statistics

extension WindowDiffReport {
    package var document: Document {
        document(words, columns, figures: { fields.table(of: rows) })
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
        let format = rows.format
        let levels = [row.now, row.before].map { figures in
            figures.map { $0.latency.text($0.latency.median, in: format) } ?? "–"
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

    private func intervalText(_ row: Row) -> String {
        guard let interval = row.interval else { return "" }
        return "\(signed(interval.lowerBound)) to \(signed(interval.upperBound)) ms"
    }

    private func signed(_ value: Double) -> String {
        let format = rows.format
        let number = format.number(abs(value))
        guard number != format.number(0) else { return number }
        return (value < 0 ? "-" : "+") + number
    }

    // MARK: - Tables

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let places = Set(rows.map(\.vantage)).count > 1
        let names = Table.Column.naming(
            rows.map(\.target),
            rows.map { row in
                isByTransport ? row.target.label + (places ? " from \(row.vantage)" : "") : row.name
            },
            isByTransport: isByTransport,
            continued: rows.indices.map { index in
                guard isByTransport, index > 0 else { return false }
                let (row, last) = (rows[index], rows[index - 1])
                return row.vantage == last.vantage && row.target.series == last.target.series
                    && row.target.label == last.target.label
            }
        )
        let difference = Table.Column(
            "difference",
            rows.map { $0.difference.map { signed($0) + " ms" } ?? "–" },
            .figures
        )
        let interval = Table.Column(
            "95 % interval",
            rows.map(intervalText),
            .figures,
            drop: 2
        )
        return names
            + rows.columns([difference] + (hasInterval ? [interval] : []), dropBefore: 3)
    }

    // MARK: - For programs

    private var fields: [Field<Row>] {
        let identity: [Field<Row>] = [
            .text("vantage") { $0.vantage },
            .text("name") { $0.target.label },
            Field("endpoint", .csvOnly) { .string($0.target.endpoint) },
            Field("transport", .csvOnly) { .string($0.target.transport.description) },
            Field("series", .csvOnly) { .string($0.target.series.description) },
            .count("pairs") { $0.pairs },
            .time("difference_ms") { $0.difference },
        ]
        return identity
            + Field.interval("ci", unit: "_ms") { $0.interval.map(JSONValue.ends) }
            + Row.columns(["sent", "answered", "failure_rate", "median_ms", "p95_ms"])
            + (rows.verification.unverified > 0 ? Row.columns(["unverified"]) : []) + Row.whole
    }

    var members: JSONValue {
        [
            "against_s": .number(length.milliseconds / 1000, least: 0, most: 6),
            "rows": .array(rows.map { fields.members(of: $0) }),
        ]
    }
}
