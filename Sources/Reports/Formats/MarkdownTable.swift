import Analysis
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
                + (groups.isGrouped ? [EscapedText.markdown("\(row.target.transport)")] : []) + [
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

/// Every statistic of the rows of one series, in as many tables below each other as the width needs.
struct StatisticsTable {
    let rows: [ResolverRow]
    let width: Int

    var lines: [String] {
        let name = TextColumn("resolver", rows.map { EscapedText.terminal($0.name) })
            .limited(to: max(8, width / 3))
        var blocks: [[TextColumn]] = []
        var block = [name]
        for column in columns {
            if block.count > 1, TextColumn.width(of: block + [column]) > width {
                blocks.append(block)
                block = [name]
            }
            block.append(column)
        }
        blocks.append(block)
        let tables = blocks.map { TextColumn.lines($0, colour: false) }
        return Array(tables.joined(separator: [""]))
    }

    private var columns: [TextColumn] {
        [
            TextColumn("endpoint", rows.map { EscapedText.terminal($0.target.endpoint) }),
            TextColumn("over", rows.map { EscapedText.terminal($0.target.transport.description) }),
            count("sent", \.sent), count("answered", \.answered), count("lost", \.lost),
            time("min", \.minimum), time("mean", \.restrictedMean), quantile("median", \.median),
            quantile("p90", \.p90), quantile("p95", \.p95, needed: Caveat.queriesForP95),
            quantile("p99", \.p99, needed: Caveat.queriesForP99), time("max", \.maximum),
            time("sd", \.standardDeviation), time("jitter", \.jitter),
        ]
    }

    private func count(_ header: String, _ path: KeyPath<OutcomeCounts, Int>) -> TextColumn {
        TextColumn(header, rows.map { String($0.counts[keyPath: path]) }, alignment: .right)
    }

    private func time(_ header: String, _ path: KeyPath<LatencySummary, Double?>) -> TextColumn {
        let times = rows.map { $0.latency[keyPath: path] }
        let format = LatencyFormat(fitting: times.compactMap(\.self))
        return TextColumn(header, times.map { $0.map(format.cell) ?? "–" }, alignment: .right)
    }

    private func quantile(
        _ header: String,
        _ path: KeyPath<LatencySummary, Double?>,
        needed: Int = 0
    ) -> TextColumn {
        let format = LatencyFormat(fitting: rows.compactMap { $0.latency[keyPath: path] })
        let cells = rows.map { row in
            row.quantile(row.latency[keyPath: path], in: format)
                + (needed == 0 ? "" : (1..<needed).contains(row.latency.count) ? "*" : " ")
        }
        return TextColumn(header + (needed == 0 ? "" : " "), cells, alignment: .right)
    }
}
