import Samples
import Statistics

/// The finding and the table for an issue, a wiki or a mail (GitHub Flavored Markdown, §4.10).
package struct MarkdownTable: ReportFormat {
    package init() {}

    package func render(_ report: ComparisonReport) -> String {
        let paragraphs =
            report.series.map { section($0, of: report) }
            + report.encryptionWords(name: EscapedText.markdown) + advice(report) + notes(report)
        let title = paragraphs.isEmpty ? ["No resolver was measured."] : paragraphs
        return title.joined(separator: "\n\n") + "\n\n" + EscapedText.markdown(report.provenance)
            + "\n"
    }

    private func section(_ series: Series, of report: ComparisonReport) -> String {
        let finding = Finding(in: series, of: report, name: EscapedText.markdown)
        let text = (["**\(finding.headline)**"] + finding.details + [finding.scope])
            .joined(separator: "\n")
        return text + "\n\n" + table(report.groups(of: series), report.context)
    }

    private func table(_ groups: ResolverGroups, _ context: ReportContext) -> String {
        let rows = groups.rows
        let median = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let p95 = LatencyFormat(fitting: rows.compactMap(\.latency.p95))
        let opening = OpeningColumn.all(of: rows)
        let head = [
            ["rank", "resolver"] + (groups.isGrouped ? ["over"] : []) + ["median"]
                + opening.map(\.header) + ["p95", "lost", "note"],
            ["--:", ":--"] + (groups.isGrouped ? [":--"] : []) + ["--:"]
                + opening.map { _ in "--:" } + ["--:", "--:", ":--"],
        ]
        let body = rows.enumerated().map { index, row in
            [row.rankText, EscapedText.markdown(groups.title(index))]
                + (groups.isGrouped ? [EscapedText.markdown(row.target.transport)] : []) + [
                    row.quantile(row.latency.median, in: median)
                ]
                + opening.map { row.connections?.parts.map($0.cell) ?? "–" } + [
                    row.quantile(row.latency.p95, in: p95),
                    row.counts.failureRate.description,
                    EscapedText.markdown(RowNote(row, context).text),
                ]
        }
        let lines = (head + body).map { cells in "| " + cells.joined(separator: " | ") + " |" }
        return lines.joined(separator: "\n")
    }

    private func advice(_ report: ComparisonReport) -> [String] {
        guard let advice = report.series.first.flatMap({ Advice(in: $0, of: report) }),
            advice.isSwitch
        else { return [] }
        let lines = advice.lines(width: 100).joined(separator: "\n")
        // Longer than any fence within.
        let backticks = lines.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, backticks + 1))
        return ["\(fence)\n\(lines)\n\(fence)"]
    }

    private func notes(_ report: ComparisonReport) -> [String] {
        let notes = report.caveats(withP99: false)
        return notes.isEmpty
            ? [] : [notes.map { "- " + EscapedText.markdown($0.text) }.joined(separator: "\n")]
    }
}
