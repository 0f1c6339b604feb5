/// Stacked charts under a title that states the finding.
package struct Sheet: Sendable {
    /// The purpose of a sheet, with its width in user units.
    package enum Form: Double, CaseIterable, Sendable {
        case document = 960
        /// The wide and narrow layouts of an HTML page, which already contains the style.
        case wide = 920
        case narrow = 390

        var width: Double { rawValue }

        var margin: Double { self == .document ? 36 : 14 }
    }

    package static let inlineStyle = StyleSheet.overTime

    package var title: String
    package var subtitle: String
    package var charts: [Chart]
    /// The basis of the figures: number of queries, time span, vantage point, date.
    package var footer: String
    /// The prefix of the ids inside the SVG. It must differ for each chart of a page.
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

    /// The sheet as an SVG 1.1 document without scripts and external fonts, in light and dark. It is
    /// standalone, except in the forms for HTML pages.
    package func svg(_ form: Form = .document) -> String {
        var marks: [Mark] = []
        var edge = Edge(x: form.margin, y: form.margin, width: form.width - 2 * form.margin)
        /// Places `text` in lines below the edge, and moves the edge below them.
        func place(_ text: String, _ style: TextStyle, leading: Double) {
            for line in style.wrapped(text, to: edge.width) {
                marks.append(.text(line, at: Point(edge.x, edge.y + leading * 0.72), style))
                edge.y += leading
            }
        }
        place(title, .title, leading: 28)
        place(subtitle, .subtitle, leading: 20)
        for chart in charts {
            let panel = chart.panel
            if !marks.isEmpty { edge.y += 22 }
            place(chart.heading, .heading, leading: 20)
            for remark in panel.remarks { place(remark, .small, leading: 15) }
            let drawing = panel.drawn(below: edge.below(8))
            marks += drawing.marks
            edge = drawing.end
        }
        if form == .document || !footer.isEmpty { edge.y += 14 }
        place(footer, .small, leading: 15)
        let height = edge.y + form.margin - (form == .document ? 12 : 0)
        return document(marks, height: height.rounded(.up), form)
    }

    private func document(_ marks: [Mark], height: Double, _ form: Form) -> String {
        let width = DecimalText.trimmed(form.width, places: 2)
        let height = DecimalText.trimmed(height, places: 2)
        let title = title.isEmpty ? charts.map(\.heading).joined(separator: ", ") : title
        let id =
            identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            + (form == .narrow ? "-narrow" : "")
        let isPlain = charts.allSatisfy { !(ChartKind.overTime + [.places]).contains($0.kind) }
        let style = isPlain ? StyleSheet.plain : StyleSheet.overTime
        let head = [
            #"<svg xmlns="http://www.w3.org/2000/svg" class="dnstempo" width="\#(width)""#
                + #" height="\#(height)" viewBox="0 0 \#(width) \#(height)" role="img""#
                + #" aria-labelledby="\#(id)-title \#(id)-desc">"#,
            #"<title id="\#(id)-title">\#(XMLText.escaped(title))</title>"#,
            #"<desc id="\#(id)-desc">\#(XMLText.escaped(description))</desc>"#,
            form == .document ? "<style>\n\(style)\n</style>" : nil,
            #"<rect class="ground" width="\#(width)" height="\#(height)"/>"#,
        ].compactMap(\.self)
        return (head + marks.map(\.element) + ["</svg>"]).map { $0 + "\n" }.joined()
    }

    private var description: String {
        ([subtitle] + charts.flatMap(\.sentences).uniqued).filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

/// Text as XML and HTML character data and attribute values.
package enum XMLText {
    /// The entity of a character that has a meaning in markup. `nil` for other characters.
    package static func entity(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }

    /// `text` with its markup characters escaped; a line break or tab becomes a space. Three kinds of
    /// characters are removed:
    ///
    /// - characters that XML 1.0 §2.2 forbids;
    /// - invisible characters, and characters that reorder the text (controls, bidirectional overrides, zero
    ///   widths);
    /// - characters that would combine with the preceding markup character.
    static func escaped(_ text: String) -> String {
        var result = ""
        var before: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": result += " "
            case _ where refuses(scalar, after: before): continue
            default: result += entity(scalar) ?? String(scalar)
            }
            before = scalar
        }
        return result
    }

    private static func refuses(_ next: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
        let properties = next.properties
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse,
            .unassigned:
            return true
        case .nonspacingMark, .enclosingMark, .spacingMark:
            return last.map { $0.isASCII && !$0.properties.isAlphabetic } ?? true
        default: return false
        }
    }
}
