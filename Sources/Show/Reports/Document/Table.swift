import Charts
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
        /// Columns of a terminal that a text gives it in any case.
        package var least = 0
        /// Columns of a terminal that its cells may come to, whether they do or not: tables of one
        /// kind have as many columns beside each other.
        var usual = 0
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
    /// Whether a text has it at its margin, with every cell whole and a header even without rows.
    var standsAlone = false
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

    /// A table for a text by itself: a column of words for each name of `header`, all as long as
    /// the `rows`.
    package init(_ header: [String], _ rows: [[String]]) {
        self.init(header.indices.map { index in Column(header[index], rows.map { $0[index] }) })
        standsAlone = true
    }

    /// Facts, one a row, for a text by itself.
    package init(facts: [(String, String)]) {
        self.init(["", ""], facts.map { [$0, $1] })
    }

    var rowCount: Int { columns.map(\.cells.count).max() ?? 0 }

    func columns(in medium: Medium) -> [Column] { columns.filter { $0.media.contains(medium) } }
}

enum TableBars: Sendable {
    case latencies([LatencySummary])
    /// Parts of first answers, whose key is a sentence.
    case openings([ChartSubject])
}
