/// A table of figures, in a box of its own that scrolls where there is no room.
package struct HTMLTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package var header: String
        /// Of numbers, which line up at their right end.
        package var isNumeric: Bool
        /// Whether its cells head their rows.
        package var isHeading: Bool

        package init(_ header: String, isNumeric: Bool = false, isHeading: Bool = false) {
            self.header = header
            self.isNumeric = isNumeric
            self.isHeading = isHeading
        }
    }

    package struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
        package var content: HTML
        /// What it is sorted by; `nil` is by its text.
        package var key: Double?
        /// Such as `warning` or `good`, on top of what every cell has.
        package var style: String?
        /// A second line, smaller.
        package var note: String?

        package init(
            _ content: HTML,
            key: Double? = nil,
            style: String? = nil,
            note: String? = nil
        ) {
            self.content = content
            self.key = key
            self.style = style
            self.note = note
        }

        /// Text; of a numeric column, the number that it begins with is what it is sorted by.
        package init(_ text: String, style: String? = nil) {
            self.init(HTML(text: text), style: style)
            key = SortKey.number(of: text)
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    /// Of a heading; what names a resolver is seldom as long.
    static let longestName = 80

    package var caption: String?
    package var columns: [Column]
    package var rows: [[Cell]]
    /// A class for each row where it is looked for first, such as `current`.
    package var rowStyles: [Int: String] = [:]
    package var isSortable: Bool

    package init(
        caption: String? = nil,
        columns: [Column],
        rows: [[Cell]],
        isSortable: Bool = false
    ) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.isSortable = isSortable
    }

    package var html: HTML {
        let heads = columns.map { column in
            HTML(
                .th,
                [.scope("col")] + (column.isNumeric ? [.class("number")] : []),
                HTML(text: column.header)
            )
        }
        let body = rows.enumerated().map { index, cells in
            HTML(
                .tr,
                rowStyles[index].map { [.class($0)] } ?? [],
                zip(columns, cells).map { element(of: $1, in: $0) }
            )
        }
        let table = HTML(
            .table,
            isSortable ? [.class("sortable")] : [],
            [HTML(.thead, HTML(.tr, [], heads)), HTML(.tbody, [], body)]
        )
        let box = HTML(
            .div,
            [.class("scroll"), .focusable, .role("region"), .aria(.label, caption ?? "Table")],
            table
        )
        // Above the box, so that it does not scroll with it.
        return HTML(
            (caption.map { [HTML(.p, [.class("caption")], HTML(text: $0))] } ?? []) + [box]
        )
    }

    private func element(of cell: Cell, in column: Column) -> HTML {
        let names = [column.isNumeric ? "number" : nil, cell.style].compactMap { $0 }
        var attributes: [HTMLAttribute] = column.isHeading ? [.scope("row")] : []
        if !names.isEmpty { attributes.append(.class(names.joined(separator: " "))) }
        // Infinity sorts last; JavaScript reads it by this name.
        if column.isNumeric, let key = cell.key {
            attributes.append(.sortKey(key.isFinite ? "\(key)" : "Infinity"))
        }
        let note = cell.note.map { [HTML(.small, HTML(text: $0))] } ?? []
        return HTML(column.isHeading ? .th : .td, attributes, [cell.content] + note)
    }
}

/// What the text of a cell is sorted by.
enum SortKey {
    /// The number that `text` begins with, infinity for `> 5 s`, `nil` for none, such as `–`.
    static func number(of text: String) -> Double? {
        if text.hasPrefix("> ") { return .infinity }
        let head = text.drop { $0 == "+" }.prefix { "0123456789.-−eE".contains($0) }
        return Double(head.map { $0 == "−" ? "-" : String($0) }.joined())
    }
}
