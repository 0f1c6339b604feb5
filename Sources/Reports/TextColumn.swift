/// One column of a table of text.
struct TextColumn {
    enum Alignment { case left, right }

    var header: String
    var cells: [StyledText]
    var alignment = Alignment.left
    /// In terminal columns.
    var width: Int

    /// As wide as its widest text.
    init(_ header: String, _ cells: [StyledText], alignment: Alignment = .left) {
        self.header = header
        self.cells = cells
        self.alignment = alignment
        width = (cells.map(\.text) + [header]).map(\.displayWidth).max() ?? 0
    }

    /// Cells of plain text.
    init(_ header: String, _ texts: [String], alignment: Alignment = .left) {
        self.init(header, texts.map { StyledText(text: $0) }, alignment: alignment)
    }

    /// No wider than `limit`; texts that are longer lose their end.
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

    /// The lines of a table: the header, then a line a row, without spaces at their ends.
    static func lines(_ columns: [TextColumn], colour: Bool) -> [String] {
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
        return ([headers] + rows).map { (indent + $0.joined(separator: gap)).trimmedAtEnd }
    }

    static let indent = "  "
    static let gap = "  "

    /// What a table of `columns` takes.
    static func width(of columns: [TextColumn]) -> Int {
        columns.reduce(indent.count) { $0 + $1.width } + gap.count * max(0, columns.count - 1)
    }
}

extension String {
    /// Without the spaces at its end.
    var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }

    /// At most `width` columns, an ellipsis in the middle where it was longer: the ends of
    /// addresses are what tells them apart.
    func truncatedInside(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 3 else { return truncated(to: width) }
        let end = String(suffix((width - 1) / 2))
        let start = truncated(to: width - end.displayWidth)
        return (start + end).displayWidth > width ? truncated(to: width) : start + end
    }
}
