import Charts
import Statistics

/// The live view as lines of text: a row a resolver, then how far the run has come.
public struct LiveTable: Hashable, Sendable {
    /// Columns and lines of the terminal.
    public var width: Int
    public var height: Int
    /// Whether escape sequences may add colour.
    public var colour: Bool

    private static let narrowestBar = 12
    private static let widestBar = 40

    public init(width: Int, height: Int, colour: Bool) {
        self.width = max(1, width)
        self.height = max(1, height)
        self.colour = colour
    }

    /// At most `height` lines of at most `width` columns. The progress stays longest; rows without
    /// room are counted.
    public func lines(_ progress: LiveProgress) -> [String] {
        let own = progress.status.map { "  " + EscapedText.terminal($0) }
        let status = (own.isEmpty ? [status(of: progress)] : own).map { $0.truncated(to: width) }
        // One line for the header, the others for the status.
        let room = height - 1 - status.count
        guard room > 0, !progress.resolvers.isEmpty else { return Array(status.suffix(height)) }
        guard progress.resolvers.count > room else {
            return table(progress.resolvers, showing: progress.resolvers.count) + status
        }
        let hidden = progress.resolvers.count - room + 1
        guard room > 1 else { return table(progress.resolvers, showing: 1) + status }
        let rest = "  and \(hidden) more".truncated(to: width)
        return table(progress.resolvers, showing: room - 1) + [rest] + status
    }

    // MARK: - Rows

    /// The header and the first rows; widths are those of all, so that nothing jumps.
    private func table(_ resolvers: [LiveProgress.Resolver], showing count: Int) -> [String] {
        let figures = [
            nameColumn(resolvers), medianColumn(resolvers), answeredColumn(resolvers),
            lostColumn(resolvers),
        ]
        let room = width - TextColumn.width(of: figures) - TextColumn.gap.count
        var columns = figures
        if room >= Self.narrowestBar {
            let bars = TerminalBar(
                summaries: resolvers.map(\.latency),
                width: min(room, Self.widestBar)
            )
            columns.insert(TextColumn("", bars.rows), at: 2)
        }
        while columns.count > 2, TextColumn.width(of: columns) > width { columns.removeLast() }
        let excess = TextColumn.width(of: columns) - width
        if excess > 0 { columns[0] = columns[0].limited(to: max(1, columns[0].width - excess)) }
        if TextColumn.width(of: columns) > width { columns = [columns[0].limited(to: width - 2)] }
        return Array(TextColumn.lines(columns, colour: colour).prefix(count + 1))
    }

    private func nameColumn(_ resolvers: [LiveProgress.Resolver]) -> TextColumn {
        let limit = max(12, width * 3 / 10)
        let cells = resolvers.map { resolver in
            StyledText(
                text: EscapedText.terminal(resolver.name).truncatedInside(to: limit),
                style: resolver.isInUse ? .current : .plain
            )
        }
        return TextColumn("resolver", cells)
    }

    private func medianColumn(_ resolvers: [LiveProgress.Resolver]) -> TextColumn {
        let format = LatencyFormat(fitting: resolvers.compactMap(\.latency.median))
        let cells = resolvers.map { resolver in
            if let median = resolver.latency.median { return format.cell(median) }
            let hasQueries = resolver.latency.count > 0
            return hasQueries ? LatencyFormat.beyond(resolver.latency.timeout) : "–"
        }
        // Room for a time, so that the columns stay where they are when the first one comes.
        var column = TextColumn("median", cells, alignment: .right)
        column.width = max(column.width, 8)
        return column
    }

    private func answeredColumn(_ resolvers: [LiveProgress.Resolver]) -> TextColumn {
        TextColumn("answered", resolvers.map { String($0.answered) }, alignment: .right)
    }

    private func lostColumn(_ resolvers: [LiveProgress.Resolver]) -> TextColumn {
        let cells = resolvers.map { resolver in
            StyledText(
                text: String(resolver.lost),
                style: resolver.lost > 0 ? .warning : .plain
            )
        }
        return TextColumn("lost", cells, alignment: .right)
    }

    // MARK: - Status

    /// Such as `  ━━━━━━──────  round 3 of 10, 21 s left`.
    private func status(of progress: LiveProgress) -> String {
        var parts: [String] = []
        if progress.planned > 0 {
            parts.append(progress.round > 0 ? roundText(progress) : "warming up")
        }
        if let remaining = progress.remaining {
            parts.append("\(LatencyFormat.span(remaining)) left")
        }
        let words = parts.joined(separator: ", ")
        let room = width - words.displayWidth - 4
        guard room >= 5, progress.planned > 0 else { return "  " + words }
        let cells = min(room, Self.widestBar)
        let share = Double(progress.done) / Double(progress.planned)
        let filled = Int((min(max(share, 0), 1) * Double(cells)).rounded(.down))
        let bar =
            String(repeating: "━", count: filled) + String(repeating: "─", count: cells - filled)
        return "  \(bar)  \(words)"
    }

    private func roundText(_ progress: LiveProgress) -> String {
        let most = progress.isOpenEnded ? "at most " : ""
        return "round \(progress.round) of \(most)\(max(progress.rounds, progress.round))"
    }
}
