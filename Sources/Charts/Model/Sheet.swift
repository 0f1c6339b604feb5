/// Charts below each other under a title that states the finding.
package struct Sheet: Hashable, Sendable {
    /// The place that a sheet is drawn for.
    package enum Form: Hashable, Sendable, CaseIterable {
        /// A file of its own.
        case document
        /// A page on a screen or on paper, and one on a phone, which have the style already.
        case wide, narrow

        var width: Double {
            switch self {
            case .document: 960
            case .wide: 920
            case .narrow: 390
            }
        }

        var margin: Double { self == .document ? 36 : 14 }

        var room: Double { width - 2 * margin }
    }

    /// The style of charts that are drawn for a page.
    package static let inlineStyle = StyleSheet.overTime

    package var title: String
    package var subtitle: String
    package var charts: [Chart]
    /// What the figures rest on: number of queries, span, vantage, date.
    package var footer: String
    /// Begins the ids inside the SVG; to be different for each chart of one page.
    package var identifier: String

    package init(
        title: String = "",
        subtitle: String = "",
        charts: [Chart],
        footer: String = "",
        identifier: String = "dnstempo"
    ) {
        self.title = title
        self.subtitle = subtitle
        self.charts = charts
        self.footer = footer
        self.identifier = identifier
    }

    /// The sheet as an SVG document without script and outside font, light and dark; standalone but
    /// for a page's forms.
    package func svg(_ form: Form = .document) -> String {
        var marks: [Mark] = []
        var y = form.margin
        /// Sets `text` in lines below `y`, and moves `y` below them.
        func place(_ text: String, _ style: TextStyle, leading: Double) {
            for line in style.wrapped(text, to: form.room) {
                marks.append(.text(line, at: Point(form.margin, y + leading * 0.72), style))
                y += leading
            }
        }
        place(title, .title, leading: 28)
        place(subtitle, .subtitle, leading: 20)
        for chart in charts {
            let panel = chart.panel
            if !marks.isEmpty { y += 22 }
            place(chart.heading, .heading, leading: 20)
            for note in panel.remarks { place(note, .small, leading: 15) }
            y += 8
            let frame = Rect(
                x: form.margin,
                y: y,
                width: form.room,
                height: panel.room(width: form.room)
            )
            if frame.height > 0 { marks += panel.marks(in: frame) }
            y = frame.bottom
        }
        if form == .document || !footer.isEmpty { y += 14 }
        place(footer, .small, leading: 15)
        let height = y + form.margin - (form == .document ? 12 : 0)
        let canvas = Canvas(width: form.width, height: height.rounded(.up), marks: marks)
        return canvas.svg(
            title: title.isEmpty ? charts.map(\.heading).joined(separator: ", ") : title,
            description: description,
            identifier: form == .narrow ? identifier + "-narrow" : identifier,
            style: form == .document ? style : nil
        )
    }

    private var style: String {
        let isOverTime = charts.contains { ChartKind.overTime.contains($0.kind) }
        return isOverTime ? StyleSheet.overTime : StyleSheet.plain
    }

    /// The figures in words, for those who cannot see the marks.
    private var description: String {
        var seen: Set<String> = []
        let figures = charts.flatMap(\.sentences).filter { seen.insert($0).inserted }
        return ([subtitle] + figures).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
