import Charts
import Samples
import Statistics

extension Table {
    /// The minimum width of bars. Narrower bars show less than the numbers next to them.
    static let narrowestBar = 12
    /// The preferred minimum width of bars. Remarks go below the table before bars become narrower.
    static let usualBar = 30
    /// The minimum width of names that are cut to make room for bars.
    private static let shortestName = 10
    /// The maximum width of bars. Wider bars are no more precise.
    static let widestBar = 80
    /// The minimum width of a table with ranks. In narrower tables, the name is more important.
    private static let narrowestRanked = 50

    /// The header and the rows in at most `width` columns, and the axis below bars. Nothing wraps.
    /// If there is no room, the least important columns are omitted, and the remarks are shown
    /// below.
    package func lines(width: Int, colour: Bool = false) -> [String] {
        guard rowCount > 0 || standsAlone else { return [] }
        if isStacked { return stacked(width, colour: colour) }
        if standsAlone {
            return TextColumn.lines(
                fitting(width),
                margin: margin,
                isHeaded: columns.contains { !$0.header.isEmpty },
                colour: colour
            )
        }
        var bare = self
        bare.columns.removeAll { $0.kind == .remarks }
        let remarks = remarks(width)
        if let footnotes {
            let (all, kept) = (joined(width, nameLimit: nil), fitting(width))
            let notes = footnotes(all.count - kept.count).flatMap {
                $0.wrapped(to: width - TextColumn.indent.count).map { TextColumn.indent + $0 }
            }
            return TextColumn.lines(kept, colour: colour) + notes
        }
        guard columns.contains(where: { $0.bars != nil }) else {
            return TextColumn.width(of: joined(width, nameLimit: nil)) <= width
                ? TextColumn.lines(fitting(width), colour: colour)
                : TextColumn.lines(bare.fitting(width), colour: colour) + remarks
        }
        let longest = max(Self.shortestName, width * 3 / 10)
        if let lines = lines(width, nameLimit: longest, bar: Self.usualBar, colour: colour) {
            return lines
        }
        // Shortens the names first. Then it shortens the bars, and finally it omits them.
        let usual = (Self.shortestName...longest).reversed().map { ($0, Self.usualBar) }
        let narrow = [longest, max(Self.shortestName, width / 5)].map { ($0, Self.narrowestBar) }
        let drawn = (usual + narrow).lazy.compactMap { limit, bar in
            bare.lines(width, nameLimit: limit, bar: bar, colour: colour)
        }
        let fitted = { TextColumn.lines(bare.fitting(width, nameLimit: longest), colour: colour) }
        return (drawn.first ?? fitted()) + remarks
    }

    /// The lines of a table that stands alone, each with a line break.
    package func text(width: Int = .max) -> String {
        lines(width: width).map { $0 + "\n" }.joined()
    }

    private var margin: String { standsAlone ? "" : TextColumn.indent }

    /// The lines with bars; `nil` if the bars would be narrower than `bar`.
    private func lines(_ width: Int, nameLimit: Int, bar: Int, colour: Bool) -> [String]? {
        let columns = joined(width, nameLimit: nameLimit)
        let room = width - TextColumn.width(of: columns)
        guard room >= bar else { return nil }
        return lines(columns, barWidth: min(room, Self.widestBar), width, colour: colour)
    }

    /// One line per remark, with the names of its rows.
    private func remarks(_ width: Int) -> [String] {
        guard let remarks = columns(in: .text).first(where: { $0.kind == .remarks }) else {
            return []
        }
        let names = columns.filter { column in
            column.kind == .heading || (column.joinsHeading && column.kind != .figures)
        }
        let limit = max(Self.shortestName, width * 3 / 10)
        let texts = remarks.cells.map { EscapedText.terminal($0.text) }
        return texts.uniqued.filter { !$0.isEmpty }.flatMap { text in
            let rows = texts.indices.filter { texts[$0] == text }
            let who = rows.map { row in
                EscapedText.terminal(names.map { $0.cells[row].text }.joined(separator: " "))
                    .truncatedInside(to: limit)
            }
            return "\(who.joined(separator: ", ")): \(text)"
                .wrapped(to: width - TextColumn.indent.count, indent: TextColumn.indent)
                .map { TextColumn.indent + $0 }
        }
    }

    private func lines(
        _ columns: [TextColumn],
        barWidth: Int,
        _ width: Int,
        colour: Bool
    ) -> [String] {
        var columns = columns
        guard let place = columns.firstIndex(where: { $0.bars != nil }),
            let bars = columns[place].bars
        else { return [] }
        let drawn = bars.drawn(barWidth)
        columns[place] = TextColumn("", drawn.rows.map { StyledText(text: $0) })
        columns[place].width = barWidth
        let start = TextColumn.width(of: Array(columns[..<place])) + TextColumn.gap.count
        let axis = String(repeating: " ", count: start) + drawn.axis
        if case .openings = bars {
            let key = drawn.key.wrapped(to: width - TextColumn.indent.count)
            return TextColumn.lines(columns, colour: colour) + [axis.trimmedAtEnd]
                + key.map { TextColumn.indent + $0 }
        }
        let whole = axis.padded(to: start + barWidth) + TextColumn.gap + drawn.key
        let last = StyledText(
            text: (whole.displayWidth <= width ? whole : axis).trimmedAtEnd,
            style: .faint
        )
        return TextColumn.lines(columns, colour: colour) + [last.rendered(colour: colour)]
    }

    /// All columns, split into as many tables below each other as the width requires.
    private func stacked(_ width: Int, colour: Bool) -> [String] {
        let columns = joined(width, nameLimit: nil)
        let name = standsAlone ? columns[0] : columns[0].limited(to: max(8, width / 3))
        let room = width - TextColumn.width(of: [name]) - TextColumn.gap.count
        var blocks = [[name]]
        for column in columns.dropFirst() {
            let isWhole = standsAlone || column.alignment == .right
            let column = isWhole ? column : column.limited(to: room)
            if blocks[blocks.count - 1].count > 1,
                TextColumn.width(of: blocks[blocks.count - 1] + [column], margin: margin) > width
            {
                blocks.append([name])
            }
            blocks[blocks.count - 1].append(column)
        }
        return Array(
            blocks.map { TextColumn.lines($0, margin: margin, colour: colour) }
                .joined(separator: [""])
        )
    }

    /// The columns that fit. If the columns that are never omitted are too wide, their texts are
    /// cut.
    private func fitting(_ width: Int, nameLimit: Int? = nil) -> [TextColumn] {
        var kept = joined(width, nameLimit: nameLimit).filter { $0.bars == nil }
        while TextColumn.width(of: kept, margin: margin) > width,
            let worst = kept.map(\.drop).max(), worst > 0,
            let index = kept.lastIndex(where: { $0.drop == worst })
        {
            if kept[index].isPart {
                // One part of a time is meaningless without the other parts.
                kept.removeAll(where: \.isPart)
            } else {
                kept.remove(at: index)
            }
        }
        while !standsAlone, TextColumn.width(of: kept) > width,
            let index = kept.indices.filter({ kept[$0].alignment == .left })
                .max(by: { kept[$0].width < kept[$1].width }), kept[index].width > 3
        {
            kept[index] = kept[index].limited(to: kept[index].width - 1)
        }
        return kept
    }

    /// The columns of the text. Columns that join the heading are merged with it.
    private func joined(_ width: Int, nameLimit: Int?) -> [TextColumn] {
        let columns = columns(in: .text).filter { column in
            // A rank is meaningful only among several rows.
            !column.joinsHeading || column.kind != .figures
                || width >= Self.narrowestRanked && rowCount > 1
                    && column.cells.contains { $0.text != "–" }
        }
        var joined: [TextColumn] = []
        var isOpen = false
        for column in columns {
            var next = TextColumn(column, limit: column.kind == .heading ? nameLimit : nil)
            if column.kind == .heading, tellsCurrent {
                for row in current.indices where current[row] { next.cells[row].style = .current }
            }
            if isOpen, column.joinsHeading || column.kind == .heading, let last = joined.popLast() {
                joined.append(last.joined(with: next))
            } else {
                joined.append(next)
            }
            isOpen = column.joinsHeading || column.kind == .heading
        }
        return joined
    }
}

struct TextColumn {
    enum Alignment { case left, right }

    var header: String
    var cells: [StyledText]
    var alignment = Alignment.left
    /// The width in terminal columns.
    var width: Int
    /// The values of ``Table/Column``.
    fileprivate(set) var drop = 0
    fileprivate var isPart = false
    fileprivate var usual = 0
    fileprivate var bars: TableBars?

    /// Creates a column that is as wide as its widest text.
    init(_ header: String, _ cells: [StyledText], alignment: Alignment = .left) {
        self.header = header
        self.cells = cells
        self.alignment = alignment
        width = (cells.map(\.text) + [header]).map(\.displayWidth).max() ?? 0
    }

    /// Creates a column of escaped texts. Names are shortened in the middle to `limit` columns.
    init(_ column: Table.Column, limit: Int? = nil) {
        let hasStars = column.cells.contains(where: \.isFlagged)
        let cells = column.cells(in: .text).map { cell in
            var text = EscapedText.terminal(cell.text)
            if let limit { text = text.truncatedInside(to: limit) }
            let star = cell.isFlagged ? "*" : hasStars ? " " : ""
            return StyledText(text: text + star, style: cell.style)
        }
        self.init(
            column.joinsHeading || column.kind == .remarks
                ? "" : EscapedText.terminal(column.header) + (hasStars ? " " : ""),
            cells,
            alignment: column.kind == .figures ? .right : .left
        )
        width = max(width, column.least)
        (drop, isPart, usual) = (column.drop, column.isPart, column.usual)
        bars = column.bars
    }

    /// Both columns in one, with the style of the heading.
    fileprivate func joined(with other: TextColumn) -> TextColumn {
        let own = header.isEmpty ? other : self
        let widest = cells.map(\.text.displayWidth).max() ?? 0
        return TextColumn(
            header.isEmpty
                ? String(repeating: " ", count: widest) + Self.gap + other.header : header,
            zip(zip(cells, other.cells), own.cells).map { pair, own in
                let first = pair.0.text.padded(to: widest, atEnd: alignment == .left)
                return StyledText(text: first + Self.gap + pair.1.text, style: own.style)
            }
        )
    }

    /// The column at most `limit` wide; longer texts lose their end.
    func limited(to limit: Int) -> TextColumn {
        guard width > limit else { return self }
        var column = self
        column.width = max(0, limit)
        column.header = header.truncated(to: column.width)
        for index in cells.indices {
            column.cells[index].text = cells[index].text.truncated(to: column.width)
        }
        return column
    }

    /// Lines of text next to their names, such as a term and its meaning.
    static func lines(_ pairs: [(name: String, lines: [String])]) -> [String] {
        let rows = pairs.flatMap { name, lines in
            lines.enumerated().map { (name: $0.offset == 0 ? name : "", text: $0.element) }
        }
        let columns = [rows.map(\.name), rows.map(\.text)].map { texts in
            TextColumn("", texts.map { StyledText(text: $0) })
        }
        return lines(columns, isHeaded: false, colour: false)
    }

    /// The lines of a table: the header, then one line per row, without trailing spaces.
    static func lines(
        _ columns: [TextColumn],
        margin: String = indent,
        isHeaded: Bool = true,
        colour: Bool
    ) -> [String] {
        let headers = columns.map { column in
            StyledText(text: column.header, style: .faint)
                .rendered(to: column.width, atEnd: column.alignment == .left, colour: colour)
        }
        let rows = (0..<(columns.map(\.cells.count).max() ?? 0)).map { row in
            columns.map { column in
                let cell = row < column.cells.count ? column.cells[row] : StyledText(text: "")
                return cell.rendered(
                    to: column.width,
                    atEnd: column.alignment == .left,
                    colour: colour
                )
            }
        }
        return ((isHeaded ? [headers] : []) + rows)
            .map { (margin + $0.joined(separator: gap)).trimmedAtEnd }
    }

    static let indent = "  "
    static let gap = "  "

    static func width(of columns: [TextColumn], margin: String = indent) -> Int {
        columns.reduce(margin.count) { $0 + max($1.width, $1.usual) }
            + gap.count * max(0, columns.count - 1)
    }
}

extension TableBars {
    fileprivate func drawn(_ width: Int) -> TerminalBars {
        switch self {
        case .latencies(let summaries): TerminalBars(of: summaries, width: width)
        case .openings(let subjects): TerminalBars(openings: subjects, width: width)
        }
    }
}
