/// Charts below each other under a title that states the finding.
public struct Sheet: Hashable, Sendable {
    private static let width = 960.0
    private static let margin = 36.0
    private static let room = width - 2 * margin

    public var title: String
    public var subtitle: String
    /// Charts over time, above the others.
    public var history: [HistoryChart]
    public var panels: [Chart]
    /// What the figures rest on: number of queries, span, vantage, date.
    public var footer: String
    /// Begins the ids inside the SVG; to be different for each chart of one page.
    public var identifier: String

    public init(
        title: String,
        subtitle: String = "",
        history: [HistoryChart] = [],
        panels: [Chart],
        footer: String = "",
        identifier: String = "dnstempo"
    ) {
        self.title = title
        self.subtitle = subtitle
        self.history = history
        self.panels = panels
        self.footer = footer
        self.identifier = identifier
    }

    /// A sheet with a chart of every kind of the same resolvers.
    public init(
        title: String,
        subtitle: String = "",
        of subjects: [ChartSubject],
        footer: String = ""
    ) {
        self.init(
            title: title,
            subtitle: subtitle,
            panels: ChartKind.allCases.map { Chart($0, of: subjects) },
            footer: footer
        )
    }

    /// The sheet as a standalone SVG document: no script, no outside font, light and dark.
    public func svg() -> String {
        var marks: [Mark] = []
        var y = Self.margin
        place(title, .title, leading: 28, from: &y, in: &marks)
        place(subtitle, .subtitle, leading: 20, from: &y, in: &marks)
        for panel in history.map(\.panel) + panels.map(\.panel) {
            y += 22
            place(panel.heading, .heading, leading: 20, from: &y, in: &marks)
            for note in panel.notes {
                place(note, .small, leading: 15, from: &y, in: &marks)
            }
            y += 8
            let height = panel.height(width: Self.room)
            marks += panel.marks(
                in: Rect(x: Self.margin, y: y, width: Self.room, height: height)
            )
            y += height
        }
        y += 14
        place(footer, .small, leading: 15, from: &y, in: &marks)
        var canvas = Canvas(width: Self.width, height: (y + Self.margin - 12).rounded(.up))
        canvas.draw(marks)
        return canvas.svg(
            title: title,
            description: description,
            identifier: identifier,
            style: history.isEmpty ? StyleSheet.text : HistoryStyleSheet.text
        )
    }

    /// Sets `text` in lines below `y`, and moves `y` below them.
    private func place(
        _ text: String,
        _ style: TextStyle,
        leading: Double,
        from y: inout Double,
        in marks: inout [Mark]
    ) {
        for line in TextMetrics.wrapped(text, to: Self.room, size: style.size, bold: style.isBold) {
            let base = y + leading * 0.72
            marks.append(.text(line, at: Point(x: Self.margin, y: base), style))
            y += leading
        }
    }

    /// The figures in words, for those who cannot see the marks.
    private var description: String {
        let compared = panels.flatMap(\.subjects).map { subject in
            let note = subject.role.note.map { " (\($0))" } ?? ""
            return "\(subject.label)\(note): \(FigureText.sentence(subject.summary))."
        }
        var seen: Set<String> = []
        let figures = (history.flatMap(\.descriptions) + compared).filter {
            seen.insert($0).inserted
        }
        return ([subtitle] + figures).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
