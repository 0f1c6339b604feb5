import Analysis
package import Charts

/// A report as a page: the answer first, then the figures, the charts, what to know about them, how
/// they came about, all of them, and the command that makes them anew.
package struct ReportPage: Sendable {
    /// For the window's title bar, and for what the page is saved as.
    package var title: String
    /// The answers, each with the table that it rests on.
    package var answer: [HTML]
    /// What the answer rests on, one by one, under its heading.
    package var findings: [HTML] = []
    /// What to do about it.
    package var advice: [HTML] = []
    package var charts: [Sheet] = []
    /// Sentences, each with its remedy.
    package var caveats: [String] = []
    /// How it was done, with its heading.
    package var method: [HTML] = []
    package var methodHeading = "How it was measured"
    /// Every figure.
    package var details: [HTML] = []
    /// What to type to do it again, with its heading.
    package var command: String?
    package var commandHeading = "Measure it again"
    /// Where, when and with what it was measured.
    package var provenance: String

    package init(title: String, answer: [HTML], provenance: String) {
        self.title = title
        self.answer = answer
        self.provenance = provenance
    }

    package var page: HTMLPage {
        HTMLPage(
            title: title,
            content: [
                HTML(
                    .main,
                    [],
                    answer + [
                        PageFragments.section("What was found", id: "findings", findings),
                        PageFragments.section("What to do", id: "advice", advice),
                        PageFragments.section("Charts", id: "charts", figures),
                        PageFragments.section(
                            "What to know about these figures",
                            id: "caveats",
                            [PageFragments.list(caveats)]
                        ),
                        PageFragments.section(methodHeading, id: "method", method),
                        PageFragments.section("All figures", id: "figures", details),
                        PageFragments.section(
                            commandHeading,
                            id: "command",
                            command.map { [PageFragments.lines([$0])] } ?? []
                        ),
                    ]
                ),
                HTML(.footer, HTML(.p, HTML(text: provenance))),
            ]
        )
    }

    private var figures: [HTML] {
        charts.enumerated().map { index, sheet in
            var sheet = sheet
            sheet.identifier = "chart\(index + 1)"
            return PageFragments.figure(sheet)
        }
    }
}

/// What a page has beside its report.
package struct PageExtras: Sendable {
    /// What to type to make it anew, and its heading.
    package var command: String?
    package var commandHeading: String
    /// Where the report has none of its own.
    package var charts: [Sheet]

    package init(
        command: String? = nil,
        commandHeading: String = "Measure it again",
        charts: [Sheet] = []
    ) {
        self.command = command
        self.commandHeading = commandHeading
        self.charts = charts
    }
}

/// Parts that pages have in common.
package enum PageFragments {
    /// The plain-words answer: the finding as a heading, then how sure it is, then the rest.
    package static func answer(
        _ headline: String,
        scope: String = "",
        details: [String] = [],
        isFirst: Bool = true
    ) -> HTML {
        let paragraphs = [
            scope.isEmpty ? nil : HTML(.p, [.class("scope")], HTML(text: scope)),
            details.isEmpty ? nil : HTML(.p, HTML(text: details.joined(separator: " "))),
        ]
        return HTML(
            .div,
            [.class("answer")],
            [HTML(isFirst ? .h1 : .h2, HTML(text: headline))] + paragraphs.compactMap { $0 }
        )
    }

    /// A part of the page under a heading; nothing where it has no content.
    package static func section(_ heading: String, id: String, _ content: [HTML]) -> HTML {
        guard content.contains(where: { !$0.markup.isEmpty }) else { return .nothing }
        return HTML(.section, [.id(id)], [HTML(.h2, HTML(text: heading))] + content)
    }

    /// Each a paragraph of its own behind a dot.
    package static func list(_ sentences: [String]) -> HTML {
        sentences.isEmpty
            ? .nothing : HTML(.ul, [], sentences.map { HTML(.li, HTML(text: $0)) })
    }

    /// What encryption costs, a sentence each, where that was measured.
    static func encryption(_ sentences: [String]) -> [HTML] {
        [
            section(
                "What encryption costs here",
                id: "encryption",
                sentences.map { HTML(.p, HTML(text: $0)) }
            )
        ]
    }

    /// Each with what is to be said of it.
    package static func terms(_ pairs: [(name: String, text: String)]) -> HTML {
        HTML(
            .dl,
            [],
            pairs.flatMap { name, text in
                [HTML(.dt, HTML(text: name)), HTML(.dd, HTML(text: text))]
            }
        )
    }

    /// What is folded away until somebody asks for it.
    package static func folded(_ summary: String, _ content: [HTML]) -> HTML {
        HTML(.details, [], [HTML(.summary, HTML(text: summary))] + content)
    }

    /// Lines to be copied, such as a command.
    package static func lines(_ lines: [String]) -> HTML {
        HTML(.pre, [.focusable], HTML(.code, HTML(lines: lines)))
    }
}

extension PageFragments {
    /// A chart as large as the page, and drawn anew where that is a phone's; its title, subtitle and
    /// footer are text of the page.
    package static func figure(_ sheet: Sheet) -> HTML {
        var drawn = sheet
        (drawn.title, drawn.subtitle, drawn.footer) = ("", "", "")
        let bare = drawn
        let forms: [(String, Sheet.Form)] = [("wide", .wide), ("narrow", .narrow)]
        let drawings = Concurrently.map(forms) { name, form in
            HTML(.div, [.class(name)], HTML(TrustedMarkup(bare.svg(form))))
        }
        let words = [sheet.title, sheet.subtitle, sheet.footer].filter { !$0.isEmpty }
        let caption =
            words.isEmpty ? [] : [HTML(.figcaption, HTML(text: words.joined(separator: " ")))]
        return HTML(.figure, [], caption + drawings)
    }
}

extension PageFragments {
    /// The table for spreadsheets, folded away, every column of which sorts.
    static func allFigures(_ cells: [[CSVCell]]) -> HTML {
        guard let header = cells.first, cells.count > 1 else { return .nothing }
        let rows = cells.dropFirst()
        let columns = header.indices.map { index in
            let texts = rows.compactMap { index < $0.count ? $0[index].text : nil }
            let figures = texts.filter { !$0.isEmpty }
            return HTMLTable.Column(
                header[index].text,
                isNumeric: !figures.isEmpty && figures.allSatisfy { Double($0) != nil },
                isHeading: ["name", "group"].contains(header[index].text)
            )
        }
        let table = HTMLTable(
            caption: "Times in milliseconds; an empty cell where there is no figure.",
            columns: columns,
            rows: rows.map { row in
                row.enumerated().map { index, cell in
                    let isHeading = index < columns.count && columns[index].isHeading
                    return HTMLTable.Cell(
                        isHeading
                            ? cell.text.truncatedInside(to: HTMLTable.longestName) : cell.text
                    )
                }
            },
            isSortable: true
        )
        let count = rows.count.of("row", "rows")
        return HTML(
            .div,
            [.class("raw")],
            folded("\(count) of \(columns.count) columns", [table.html])
        )
    }
}
