import Charts
import Statistics

/// A table of a document: columns of cells, which each output format renders.
package struct Table: Sendable {
    package struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// The raw text; each output format escapes it.
        package var text: String
        package var style = StyledText.Style.plain
        /// The number by which a page sorts the cell; `nil` if it is the number at the start of the
        /// text.
        package var key: Double?
        /// A second line on a page, such as an interval.
        package var note: String?
        /// Whether the figure has too few queries; a star marks it.
        package var isFlagged = false
        /// An address on the page's own site.
        package var link: String?

        init(
            _ text: String,
            key: Double? = nil,
            note: String? = nil,
            style: StyledText.Style = .plain,
            link: String? = nil
        ) {
            (self.text, self.key, self.note) = (text, key, note)
            (self.style, self.link) = (style, link)
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    enum Medium { case text, markdown, page }

    /// The cells that a card shows first. The raw value is the class in the style sheet of pages.
    enum Lead: String { case verdict, difference }

    package struct Column: Sendable {
        package enum Kind: Sendable {
            /// Names that head the rows.
            case heading
            case words
            /// Sentences. A page wraps them. A text shows them below the table if there is no room.
            case remarks
            /// Numbers, which are aligned at their right end.
            case figures
        }

        package var header: String
        package var cells: [Cell]
        package var kind = Kind.words
        /// The order in which a text omits columns that do not fit: the highest number first.
        /// Columns with 0 are always shown.
        package var drop = 0
        /// The minimum width in a text, in terminal columns.
        package var least = 0
        /// The largest width that the cells can have, in terminal columns. The layout assumes it,
        /// so that tables of one kind are split at the same columns.
        var usual = 0
        var media: Set<Medium> = [.text, .markdown, .page]
        /// Whether a row continues the row above. The cells of such a row stay empty where the
        /// table cannot be sorted.
        var continued: [Bool] = []
        /// Whether a text leaves a cell empty if it repeats the cell above.
        var isGrouping = false
        /// Whether a text joins the column with the heading column, without its own header.
        var joinsHeading = false
        /// Whether the column is one part of a time, which is meaningless without the other parts.
        var isPart = false
        /// The part of a card that the cell forms, after the heading.
        var lead: Lead?
        /// The times that a text draws as bars.
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

        func atLeast(_ width: Int) -> Column {
            var column = self
            column.least = width
            return column
        }

        func shown(in media: Set<Medium>) -> Column {
            var column = self
            column.media = media
            return column
        }

        /// The cells for a medium in which the table cannot be sorted.
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
    /// A sentence above the table on a page.
    package var caption: String?
    package var isSortable = true
    /// Whether a text omits the table unless it shows all details.
    var isDetail = false
    /// Whether columns that do not fit form further tables below, which repeat the heading.
    var isStacked = false
    /// Whether a text shows the table without an indentation, with uncut cells, and with its header
    /// even without rows.
    var standsAlone = false
    /// Whether each row is highlighted, such as the row of the resolver in use.
    package var current: [Bool] = []
    /// Whether a narrow page shows each row as a card, so that the user need not scroll sideways.
    var isOfCards = false
    /// Whether a text shows the ``current`` rows in colour.
    var tellsCurrent = false
    /// Sentences below the table, for formats that do not show the caption. The argument is the
    /// number of omitted columns.
    var footnotes: (@Sendable (_ leftOut: Int) -> [String])?

    package init(_ columns: [Column], caption: String? = nil) {
        self.columns = columns
        self.caption = caption
    }

    /// A table that is a text of its own. Each name of `header` is a column of words. Each of the
    /// `rows` has as many cells as `header`.
    package init(_ header: [String], _ rows: [[String]]) {
        self.init(header.indices.map { index in Column(header[index], rows.map { $0[index] }) })
        standsAlone = true
    }

    /// A table of facts that is a text of its own, one fact per row.
    package init(facts: [(String, String)]) {
        self.init(["", ""], facts.map { [$0, $1] })
    }

    var rowCount: Int { columns.map(\.cells.count).max() ?? 0 }

    func columns(in medium: Medium) -> [Column] { columns.filter { $0.media.contains(medium) } }
}

enum TableBars: Sendable {
    case latencies([LatencySummary])
    /// The parts of first answers. The key is a sentence.
    case openings([ChartSubject])
}
