extension Table {
    /// The maximum length of a cell's text, in bytes. Few names of resolvers are longer.
    private static let longestName = 80

    /// The table in a box, which scrolls if there is no room.
    package var html: HTML {
        let columns = columns(in: .page)
        guard rowCount > 0 else { return .nothing }
        let heads = columns.map { column in
            HTML(
                .th,
                [.scope("col")] + (column.pageClass.map { [.class($0)] } ?? []),
                HTML(text: column.header)
            )
        }
        let body = (0..<rowCount).map { row in
            let isCurrent = current.indices.contains(row) && current[row]
            return HTML(
                .tr,
                isCurrent ? [.class("current")] : [],
                columns.map { column in
                    element(of: row < column.cells.count ? column.cells[row] : "", in: column)
                }
            )
        }
        let names = (isSortable ? ["sortable"] : []) + (isOfCards ? ["cards"] : [])
        let table = HTML(
            .table,
            names.isEmpty ? [] : [.class(names.joined(separator: " "))],
            [HTML(.thead, HTML(.tr, [], heads)), HTML(.tbody, [], body)]
        )
        let box = HTML(
            .div,
            [.class("scroll"), .focusable, .role("region"), .aria(.label, caption ?? "Table")],
            table
        )
        // The caption is above the box, so that it does not scroll with the box.
        return HTML(
            (caption.map { [HTML(.p, [.class("caption")], HTML(text: $0))] } ?? []) + [box]
        )
    }

    private func element(of cell: Cell, in column: Column) -> HTML {
        let prose = column.kind == .remarks ? "prose" : nil
        let lead = isOfCards ? column.lead?.rawValue : nil
        let names = [column.pageClass, prose, lead, cell.style.pageClass].compactMap(\.self)
        var attributes: [HTMLAttribute] = column.kind == .heading ? [.scope("row")] : []
        if !names.isEmpty { attributes.append(.class(names.joined(separator: " "))) }
        if isOfCards, column.kind != .heading { attributes.append(.cardLabel(column.header)) }
        // Infinity sorts last; JavaScript reads it by this name.
        if column.kind == .figures, let key = cell.key ?? Self.number(of: cell.text) {
            attributes.append(.sortKey(key.isFinite ? "\(key)" : "Infinity"))
        }
        let isLong = cell.text.utf8.count > Self.longestName
        let name = isLong ? cell.text.truncatedInside(to: Self.longestName) : cell.text
        let text = name + (cell.isFlagged ? "*" : "")
        let content = cell.link.map { HTML(.a, [.href($0)], HTML(text: text)) } ?? HTML(text: text)
        let note = cell.note.map { [HTML(.small, HTML(text: $0))] } ?? []
        return HTML(column.kind == .heading ? .th : .td, attributes, [content] + note)
    }

    /// The number at the start of `text`; infinity for `> 5 s`, `nil` without a number, such as for
    /// `–`.
    private static func number(of text: String) -> Double? {
        if text.hasPrefix("> ") { return .infinity }
        let head = text.drop { $0 == "+" }.prefix { "0123456789,.-−eE".contains($0) }
        return Double(head.filter { $0 != "," }.map { $0 == "−" ? "-" : String($0) }.joined())
    }
}

extension Table.Column {
    /// The class of the column. A narrow page hides ranks.
    fileprivate var pageClass: String? {
        kind == .figures ? joinsHeading ? "number rank" : "number" : nil
    }
}

extension StyledText.Style {
    var pageClass: String? {
        switch self {
        case .good: "good"
        case .warning: "warning"
        case .faint: "quiet"
        case .plain, .strong, .current: nil
        }
    }
}
