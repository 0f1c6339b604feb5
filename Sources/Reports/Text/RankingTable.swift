import Analysis
import Catalogue
import Charts
import Samples
import Statistics

/// The rows of one series as lines of text that fit a width: columns are left out where there is
/// no room for them, the least needed first, and nothing wraps.
struct RankingTable {
    let groups: ResolverGroups
    /// What tells which resolver is in use; `nil` where none is known to be.
    let context: ReportContext?
    let width: Int
    let colour: Bool

    private var rows: [ResolverRow] { groups.rows }

    /// Bars narrower than this say less than the numbers beside them.
    private static let narrowestBar = 12
    /// Wider ones are no more exact.
    private static let widestBar = 80

    /// Header, rows, and the axis below the bars.
    var lines: [String] {
        let note = noteColumn.limited(to: max(18, width / 5))
        // Rather a shorter name than no bar.
        for limit in [width * 3 / 10, width / 5] {
            let figures = figures(nameLimit: max(10, limit))
            let room = width - TextColumn.width(of: figures + [note]) - TextColumn.gap.count
            if room >= Self.narrowestBar {
                return withBars(figures, note: note, room: min(room, Self.widestBar))
            }
        }
        let figures = figures(nameLimit: max(10, width * 3 / 10))
        return TextColumn.lines(fitting(figures, note: noteColumn), colour: colour)
    }

    private func figures(nameLimit: Int) -> [TextColumn] {
        [nameColumn(limit: nameLimit), medianColumn, p95Column, lostColumn]
    }

    /// The transports, where they tell rows of one resolver apart.
    private func withTransport(_ name: StyledText, _ row: ResolverRow, width: Int) -> StyledText {
        guard groups.isGrouped else { return name }
        let transport = EscapedText.terminal(row.target.transport.description)
        return StyledText(
            text: name.text.padded(to: width) + TextColumn.gap + transport,
            style: name.style
        )
    }

    /// The ranks that a resolver may have, such as `1–2`; a dash where it fails more than most. Names
    /// carry it in front; not where the room is small, and where nothing is ranked.
    private var ranks: [String] {
        guard width >= 50, rows.count > 1, rows.contains(where: { $0.rank != nil }) else {
            return []
        }
        let texts = rows.map(\.rankText)
        let widest = texts.map(\.displayWidth).max() ?? 0
        return texts.map { $0.padded(to: widest, atEnd: false) + TextColumn.gap }
    }

    // MARK: - Layout

    private func withBars(_ figures: [TextColumn], note: TextColumn, room: Int) -> [String] {
        let bar = TerminalBars(of: rows.map(\.latency), width: room)
        var column = TextColumn("", bar.rows)
        column.width = room
        let columns = Array(figures[..<2]) + [column] + Array(figures[2...]) + [note]
        let start = TextColumn.width(of: Array(figures[..<2])) + TextColumn.gap.count
        let axis =
            String(repeating: " ", count: start) + bar.axis.padded(to: room) + TextColumn.gap
        let key = (axis + bar.key).displayWidth <= width ? bar.key : ""
        let last = StyledText(text: (axis + key).trimmedAtEnd, style: .faint)
        return TextColumn.lines(columns, colour: colour) + [last.rendered(colour: colour)]
    }

    /// Without bars: the note shrinks and goes first, then p95, then the losses, and at last the
    /// name shrinks.
    private func fitting(_ figures: [TextColumn], note: TextColumn) -> [TextColumn] {
        let room = width - TextColumn.width(of: figures) - TextColumn.gap.count
        if room >= min(note.width, 16) { return figures + [note.limited(to: room)] }
        let choices = [figures, [figures[0], figures[1], figures[3]], [figures[0], figures[1]]]
        if let choice = choices.first(where: { TextColumn.width(of: $0) <= width }) {
            return choice
        }
        let excess = TextColumn.width(of: choices[2]) - width
        return [figures[0].limited(to: max(1, figures[0].width - excess)), figures[1]]
    }

    // MARK: - Columns

    private func nameColumn(limit: Int) -> TextColumn {
        let best = Set(Standing(of: rows).fastest.map(\.name))
        let ranks = ranks
        let cells = rows.enumerated().map { index, row in
            let isCurrent = row.isBaseline && context?.isBaselineInUse == true
            return StyledText(
                text: (ranks.isEmpty ? "" : ranks[index])
                    + EscapedText.terminal(groups.title(index)).truncatedInside(to: limit),
                style: isCurrent ? .current : best.contains(row.name) ? .good : .plain
            )
        }
        let indent = String(repeating: " ", count: ranks.first?.displayWidth ?? 0)
        let widest = cells.map(\.text.displayWidth).max() ?? 0
        return TextColumn(
            indent + "resolver",
            zip(cells, rows).map { withTransport($0, $1, width: widest) }
        )
    }

    private var medianColumn: TextColumn {
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let cells = rows.map { $0.quantile($0.latency.median, in: format) }
        return TextColumn("median", cells, alignment: .right)
    }

    /// A star where p95 rests on too few queries.
    private var p95Column: TextColumn {
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.p95))
        let isFlagged = rows.map { (1..<Caveat.queriesForP95).contains($0.latency.count) }
        let space = isFlagged.contains(true) ? " " : ""
        let cells = zip(rows, isFlagged).map { row, isFlagged in
            row.quantile(row.latency.p95, in: format) + (isFlagged ? "*" : space)
        }
        return TextColumn("p95" + space, cells, alignment: .right)
    }

    private var lostColumn: TextColumn {
        let cells = rows.map { row in
            StyledText(
                text: row.counts.failureRate.description,
                style: row.counts.lost > 0 ? .warning : .plain
            )
        }
        return TextColumn("lost", cells, alignment: .right)
    }

    private var noteColumn: TextColumn {
        TextColumn("", rows.map { EscapedText.terminal(RowNote($0, context).text) })
    }
}

/// The rows of one series as they are shown: where a resolver was asked over several transports,
/// resolver by resolver, the transports of each beneath each other.
struct ResolverGroups {
    /// The resolver with the best row first, in each the transports from UDP on; as they were ranked
    /// where each resolver has one transport.
    let rows: [ResolverRow]
    /// Whether a resolver of the rows was asked over several transports, in whatever series.
    let isGrouped: Bool

    /// `rows` as they are.
    init(_ rows: [ResolverRow]) {
        self.rows = rows
        isGrouped = false
    }

    /// `rows` of a series of `targets`, the best first.
    init(_ rows: [ResolverRow], of targets: [Recording.Target]) {
        isGrouped = targets.haveSeveralTransports(rows.map(\.target.label))
        self.rows = isGrouped ? Self.arranged(rows, by: \.target) : rows
    }

    /// What has targets of one series, the best first: resolver by resolver, in each the transports
    /// from UDP on.
    static func arranged<Element>(
        _ elements: [Element],
        by target: (Element) -> Recording.Target
    ) -> [Element] {
        let members = Dictionary(grouping: elements) { target($0).label }
        return elements.map { target($0).label }.uniqued.flatMap { label in
            (members[label] ?? []).enumerated()
                .sorted {
                    (target($0.element).transportOrder, $0.offset)
                        < (target($1.element).transportOrder, $1.offset)
                }
                .map(\.element)
        }
    }

    /// Whether the row goes on with the resolver of the row before.
    func isContinued(_ index: Int) -> Bool {
        index > 0 && rows[index].target.label == rows[index - 1].target.label
    }

    /// The label where a resolver begins, and nothing beneath; the name where nothing is grouped.
    func title(_ index: Int) -> String {
        guard isGrouped else { return rows[index].name }
        return isContinued(index) ? "" : rows[index].target.label
    }
}

extension ComparisonReport {
    /// The rows of a series as they are shown.
    func groups(of series: Series) -> ResolverGroups {
        ResolverGroups(rows(of: series), of: recording.targets)
    }
}

extension [Recording.Target] {
    /// Whether a resolver with one of `labels` was asked over several transports.
    func haveSeveralTransports(_ labels: [String]) -> Bool {
        let labels = Set(labels)
        return filter { labels.contains($0.label) }.haveSeveralTransports
    }
}

extension ResolverRow {
    /// From plain to encrypted.
    var transportOrder: Int { target.transportOrder }
}

extension ResolverGroups {
    /// What each row is to its resolver, for charts; none where no resolver has several transports.
    var members: [ChartSubject.Member] {
        guard isGrouped else { return [] }
        var taken: [String: Set<Int>] = [:]
        let twins = Dictionary(grouping: rows) {
            [$0.target.label, $0.target.transport.description]
        }
        return rows.map { row in
            let resolver = EscapedText.terminal(row.target.label)
            var place = row.transportOrder
            // One over an unknown transport, or a second endpoint over the same.
            while taken[resolver, default: []].contains(place) || place == .max {
                place = (taken[resolver, default: []].max() ?? -1) + 1
            }
            taken[resolver, default: []].insert(place)
            let alike = twins[[row.target.label, row.target.transport.description]] ?? []
            let detail = alike.count > 1 ? " \(row.target.endpoint)" : ""
            return ChartSubject.Member(
                resolver: resolver,
                name: EscapedText.terminal("\(row.target.transport)\(detail)") + row.usePhrase,
                place: place
            )
        }
    }
}

extension ResolverRow {
    /// Of first queries, what most of their connections were where that is not the usual: `, resumed`.
    var usePhrase: String {
        guard target.series == .first, let uses = connections?.uses,
            let most = uses.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
            uses.keys.contains(where: { $0 != .new })
        else { return "" }
        let all = uses.values.reduce(0, +)
        return most.value * 10 >= all * 9 ? ", \(most.key)" : ", mixed"
    }
}
