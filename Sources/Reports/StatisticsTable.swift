import Samples
import Statistics

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
            TextColumn("over", rows.map { EscapedText.terminal($0.target.transport) }),
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
