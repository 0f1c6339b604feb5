/// Charts below each other under a title that states the finding.
package struct Sheet: Hashable, Sendable {
    /// What a sheet is drawn for.
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

        var margin: Double {
            switch self {
            case .document: 36
            case .wide, .narrow: 14
            }
        }

        var room: Double { width - 2 * margin }
    }

    /// The style of charts that are drawn for a page.
    package static let inlineStyle = HistoryStyleSheet.text

    package var title: String
    package var subtitle: String
    /// Charts over time, above the others.
    package var history: [HistoryChart]
    package var panels: [Chart]
    /// What the figures rest on: number of queries, span, vantage, date.
    package var footer: String
    /// Begins the ids inside the SVG; to be different for each chart of one page.
    package var identifier: String

    package init(
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

    /// A sheet with a chart of every kind of the same resolvers' queries.
    package init(
        title: String,
        subtitle: String = "",
        of subjects: [ChartSubject],
        footer: String = ""
    ) {
        self.init(
            title: title,
            subtitle: subtitle,
            panels: ChartKind.ofQueries.map { Chart($0, of: subjects) },
            footer: footer
        )
    }

    /// The sheet as an SVG document without script and outside font, light and dark; standalone but
    /// for a page's forms.
    package func svg(_ form: Form = .document) -> String {
        var marks: [Mark] = []
        var y = form.margin
        place(title, .title, leading: 28, in: form, from: &y, &marks)
        place(subtitle, .subtitle, leading: 20, in: form, from: &y, &marks)
        for (heading, panel) in drawn {
            if !marks.isEmpty { y += 22 }
            place(heading, .heading, leading: 20, in: form, from: &y, &marks)
            for note in panel.notes {
                place(note, .small, leading: 15, in: form, from: &y, &marks)
            }
            y += 8
            let height = panel.height(width: form.room)
            marks += panel.marks(
                in: Rect(x: form.margin, y: y, width: form.room, height: height)
            )
            y += height
        }
        if form == .document || !footer.isEmpty { y += 14 }
        place(footer, .small, leading: 15, in: form, from: &y, &marks)
        let height = y + form.margin - (form == .document ? 12 : 0)
        var canvas = Canvas(width: form.width, height: height.rounded(.up))
        canvas.draw(marks)
        return canvas.svg(
            title: title.isEmpty ? heading : title,
            description: description,
            identifier: form == .narrow ? identifier + "-narrow" : identifier,
            style: style(for: form)
        )
    }

    private func style(for form: Form) -> String? {
        guard form == .document else { return nil }
        return history.isEmpty ? StyleSheet.text : HistoryStyleSheet.text
    }

    private var drawn: [(heading: String, panel: any Panel)] {
        history.map { ($0.panel.heading, $0.panel) } + panels.map { ($0.heading, $0.panel) }
    }

    /// What names it where it has no title.
    private var heading: String { drawn.map(\.heading).joined(separator: ", ") }

    /// Sets `text` in lines below `y`, and moves `y` below them.
    private func place(
        _ text: String,
        _ style: TextStyle,
        leading: Double,
        in form: Form,
        from y: inout Double,
        _ marks: inout [Mark]
    ) {
        for line in TextMetrics.wrapped(text, to: form.room, size: style.size, bold: style.isBold) {
            let base = y + leading * 0.72
            marks.append(.text(line, at: Point(x: form.margin, y: base), style))
            y += leading
        }
    }

    /// The figures in words, for those who cannot see the marks.
    private var description: String {
        let compared = panels.flatMap(\.sentences)
        var seen: Set<String> = []
        let figures = (history.flatMap(\.descriptions) + compared).filter {
            seen.insert($0).inserted
        }
        return ([subtitle] + figures).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
