import Analysis
import Samples
import Statistics

extension WindowDiffReport {
    package var document: Document {
        document(words, columns, figures: { fields.table(of: rows) })
    }

    private var words: [String] {
        guard !rows.isEmpty else { return [both.nothing] }
        var earlier = both
        earlier.window = both.window.lowerBound..<context.window.lowerBound
        let scope = "\(context.span) against \(earlier.span) (\(both.zone)), hour by hour."
        let isOpen = !hasInterval && rows.contains { $0.difference != nil }
        return rows.map(sentence) + [scope]
            + (isOpen
                ? ["How sure that is would take two weeks on either side: --against 14d."] : [])
    }

    private func sentence(_ row: Row) -> String {
        guard let difference = row.difference else {
            return row.absence(title(row)) ?? "\(title(row)) has no hour with answers in both."
        }
        let format = rows.format
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
        return "\(title(row)) is \(verdict): median \(format.median(row.now)) after "
            + "\(format.median(row.before))\(lost)."
    }

    private func losses(_ row: Row) -> String {
        guard let now = row.now?.counts, let before = row.before?.counts,
            now.lost + before.lost > 0
        else { return "" }
        return ", lost \(now.failureRate.description) after \(before.failureRate.description)"
    }

    private func intervalText(_ row: Row) -> String {
        guard let interval = row.interval else { return "" }
        let format = rows.format
        return "\(format.signed(interval.lowerBound)) to \(format.signed(interval.upperBound)) ms"
    }

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let vantages = rows.map(\.subject.vantage)
        let names = Table.Column.naming(
            rows.map(\.target),
            rows.map { isByTransport ? $0.subject.label(among: vantages) : $0.name },
            isByTransport: isByTransport,
            groups: vantages
        )
        let difference = Table.Column(
            "difference",
            rows.map { $0.difference.map { rows.format.signed($0) + " ms" } ?? "–" },
            .figures
        )
        let interval = Table.Column("95 % interval", rows.map(intervalText), .figures, drop: 2)
        return names
            + rows.columns([difference] + (hasInterval ? [interval] : []), dropBefore: 3)
    }

    private var fields: [Field<Row>] {
        let compared: [Field<Row>] = [
            .count("pairs") { $0.pairs }, .time("difference_ms") { $0.difference },
        ]
        return [.text("vantage") { $0.subject.vantage }] + Row.identity + compared
            + Field.interval("ci", unit: "_ms") { $0.interval.map(JSONValue.ends) }
            + Row.columns(["sent", "answered", "failure_rate", "median_ms", "p95_ms"])
            + rows.whole
    }

    var members: JSONValue {
        [
            "against_s": .number(length.milliseconds / 1000, least: 0, most: 6),
            "rows": .array(rows.map { fields.members(of: $0) }),
        ]
    }
}
