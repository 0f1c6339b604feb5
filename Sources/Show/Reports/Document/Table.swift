import Charts
import Samples
import Statistics

/// A table of a document: columns of cells, which each format writes in its way.
package struct Table: Sendable {
    package struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// As it came; each format escapes it.
        package var text: String
        package var style = StyledText.Style.plain
        /// Number that a page sorts it by, where that is not the number that the text begins with.
        package var key: Double?
        /// A second line on a page, such as an interval.
        package var note: String?
        /// Whether the figure rests on too few queries, which a star tells.
        package var isFlagged = false
        /// A place on the page's own site.
        package var link: String?

        package init(_ text: String, key: Double? = nil, style: StyledText.Style = .plain) {
            self.text = text
            self.key = key
            self.style = style
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    enum Medium { case text, markdown, page }

    /// The cells that a card shows first, by the name that the style of pages has for them.
    enum Lead: String { case verdict, difference }

    package struct Column: Sendable {
        package enum Kind: Sendable {
            /// Names that head the rows.
            case heading
            case words
            /// Sentences, which a page breaks into lines and a text puts below where there is no room.
            case remarks
            /// Numbers, which line up at their right end.
            case figures
        }

        package var header: String
        package var cells: [Cell]
        package var kind = Kind.words
        /// Columns of a text go where there is no room for them, the highest number first; 0 stays.
        package var drop = 0
        var media: Set<Medium> = [.text, .markdown, .page]
        /// Rows that go on with the one above: their cells stay empty where nobody sorts the table.
        var continued: [Bool] = []
        /// Whether a cell that repeats the one above stays empty in a text.
        var isGrouping = false
        /// Whether a text has it beside the heading, without a header of its own.
        var joinsHeading = false
        /// Whether it says nothing without the other parts of a time.
        var isPart = false
        /// What a card of the row begins with, behind its heading.
        var lead: Lead?
        /// Times that a text draws bars of.
        var bars: TableBars?

        package init(_ header: String, _ cells: [Cell], _ kind: Kind = .words, drop: Int = 0) {
            self.header = header
            self.cells = cells
            self.kind = kind
            self.drop = drop
        }

        package init(_ header: String, _ texts: [String], _ kind: Kind = .words, drop: Int = 0) {
            self.init(header, texts.map { Cell($0) }, kind, drop: drop)
        }

        /// Ranks go where a page is narrow.
        var pageClass: String? {
            kind == .figures ? joinsHeading ? "number rank" : "number" : nil
        }

        /// The cells where nobody sorts the table.
        func cells(in medium: Medium) -> [Cell] {
            cells.indices.map { row in
                let isContinued = continued.indices.contains(row) && continued[row]
                let isRepeated =
                    isGrouping && medium == .text && row > 0
                    && cells[row].text == cells[row - 1].text
                return isContinued || isRepeated ? "" : cells[row]
            }
        }
    }

    package var columns: [Column]
    /// Sentence above it on a page.
    package var caption: String?
    package var isSortable = true
    /// Whether only those who ask for all see it.
    var isDetail = false
    /// Whether columns without room stand in further tables below, with the heading.
    var isStacked = false
    /// Rows that are looked for first, such as that of what is in use.
    package var current: [Bool] = []
    /// Whether a narrow page shows each row as a card, without a need to scroll sideways.
    var isOfCards = false
    /// Whether a text tells them by colour.
    var tellsCurrent = false
    /// Sentences below it where a page has the caption, for so many columns without room.
    var footnotes: (@Sendable (_ leftOut: Int) -> [String])?

    package init(_ columns: [Column], caption: String? = nil) {
        self.columns = columns
        self.caption = caption
    }

    var rowCount: Int { columns.map(\.cells.count).max() ?? 0 }

    func columns(in medium: Medium) -> [Column] { columns.filter { $0.media.contains(medium) } }
}

enum TableBars: Sendable {
    case latencies([LatencySummary])
    /// Parts of first answers, whose key is a sentence.
    case openings([ChartSubject])

    func drawn(_ width: Int) -> TerminalBars {
        switch self {
        case .latencies(let summaries): TerminalBars(of: summaries, width: width)
        case .openings(let subjects): TerminalBars(openings: subjects, width: width)
        }
    }
}

extension Table {
    /// A table of GitHub Flavored Markdown (§4.10).
    var markdown: String {
        let columns = columns(in: .markdown)
        let cells = columns.map { $0.cells(in: .markdown) }
        let head = [
            columns.map { EscapedText.markdown($0.header) },
            columns.map { $0.kind == .figures ? "--:" : ":--" },
        ]
        let body = (0..<rowCount).map { row in
            zip(columns, cells).map { column, cells in
                guard row < cells.count else { return "" }
                // Figures are of our own.
                let text = cells[row].text
                return column.kind == .figures ? text : EscapedText.markdown(text)
            }
        }
        let notes = (footnotes?(0) ?? []).map { "\n" + EscapedText.markdown($0) }
        return ((head + body).map { "| " + $0.joined(separator: " | ") + " |" } + notes)
            .joined(separator: "\n")
    }
}

extension Table {
    /// Length that names of resolvers seldom have.
    private static let longestName = 80

    /// In a box of its own that scrolls where there is no room.
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
        // Above the box, so that it does not scroll with it.
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

    /// The number that `text` begins with, infinity for `> 5 s`, `nil` for none, such as `–`.
    private static func number(of text: String) -> Double? {
        if text.hasPrefix("> ") { return .infinity }
        let head = text.drop { $0 == "+" }.prefix { "0123456789,.-−eE".contains($0) }
        return Double(head.filter { $0 != "," }.map { $0 == "−" ? "-" : String($0) }.joined())
    }
}

extension StyledText.Style {
    package var pageClass: String? {
        switch self {
        case .good: "good"
        case .warning: "warning"
        case .faint: "quiet"
        case .plain, .strong, .current: nil
        }
    }
}
