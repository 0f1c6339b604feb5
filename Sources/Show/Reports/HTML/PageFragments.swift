import Analysis
package import Charts
import Samples

/// Parts that several pages share.
package enum PageFragments {
    /// The answer in plain words. The finding is a heading, which is highlighted if `isBad`. The
    /// amount of data and the facts follow.
    package static func answer(
        _ headline: String,
        scope: String = "",
        details: [String] = [],
        isFirst: Bool = true,
        isBad: Bool = false
    ) -> HTML {
        let amount = scope.isEmpty ? .nothing : HTML(.p, [.class("scope")], HTML(text: scope))
        return HTML(
            .div,
            [.class("answer")],
            [
                HTML(
                    isFirst ? .h1 : .h2,
                    isBad ? [.class("warning")] : [],
                    HTML(text: headline)
                ), amount, list(details),
            ]
        )
    }

    /// A section of the page with a heading; empty without content.
    package static func section(_ heading: String, id: String, _ content: [HTML]) -> HTML {
        guard content.contains(where: { !$0.markup.isEmpty }) else { return .nothing }
        return HTML(.section, [.id(id)], [HTML(.h2, HTML(text: heading))] + content)
    }

    /// A bulleted list of facts.
    package static func list(_ sentences: [String]) -> HTML {
        sentences.isEmpty
            ? .nothing : HTML(.ul, [], sentences.map { HTML(.li, HTML(text: $0)) })
    }

    static func encryption(_ sentences: [String]) -> HTML {
        section(
            "What encryption costs here",
            id: "encryption",
            sentences.map { HTML(.p, HTML(text: $0)) }
        )
    }

    static func changes(
        _ incidents: [IncidentFinding],
        clock: LocalClock,
        first: [String] = []
    ) -> HTML {
        section("Incidents", id: "changes", [list(first + incidents.sentences(clock: clock))])
    }

    package static func terms(_ pairs: [(name: String, text: String)]) -> HTML {
        HTML(
            .dl,
            [],
            pairs.flatMap { name, text in
                [HTML(.dt, HTML(text: name)), HTML(.dd, HTML(text: text))]
            }
        )
    }

    static func passage(_ passage: Document.Passage) -> HTML {
        switch passage {
        case .paragraph(let text): HTML(.p, HTML(text: text))
        case .list(let sentences): list(sentences)
        case .terms(let pairs): terms(pairs)
        }
    }

    static func examination(_ examination: Document.Examination) -> HTML {
        let items = examination.findings.map { finding in
            let judgement = HTML(
                .span,
                [.class(finding.judgement.style.pageClass ?? "")],
                HTML(text: finding.judgement.text)
            )
            let evidence =
                finding.evidence.isEmpty
                ? [] : [HTML(.br), HTML(.small, HTML(text: finding.evidence))]
            return HTML(
                .li,
                [],
                [
                    HTML(.strong, HTML(text: finding.question)), ", ", judgement,
                    HTML(text: ": \(finding.conclusion)."),
                ] + evidence
            )
        }
        let silence = examination.silence.map { HTML(.p, HTML(text: $0)) }
        return folded(examination.subject, [silence ?? HTML(.ul, [], items)])
    }

    package static func folded(_ summary: String, _ content: [HTML]) -> HTML {
        HTML(.details, [], [HTML(.summary, HTML(text: summary))] + content)
    }

    /// Lines that a user copies, such as a command.
    package static func lines(_ lines: [String]) -> HTML {
        HTML(.pre, [.focusable], HTML(.code, HTML(lines: lines)))
    }
}

extension PageFragments {
    /// A chart that is as wide as the page, with a second drawing for phones. Its title, subtitle
    /// and footer are text of the page.
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
    /// The maximum number of rows in a page's table of all figures. A file contains the other rows.
    private static let mostRows = 250

    /// The table for spreadsheets, folded. Every column can be sorted.
    static func allFigures(_ figures: FigureTable) -> HTML {
        guard figures.count > 0 else { return .nothing }
        let header = figures.header
        let rows = figures.rows(atMost: mostRows)
        // Two columns contain the label. A page shows one of them.
        let labels = header.map(\.csvText)
        let isTwice = labels.contains("resolver")
        let shown = header.enumerated().filter { !(isTwice && $0.element.csvText == "name") }
        let columns = shown.map { index, header in
            let texts = rows.map { index < $0.count ? $0[index].csvText : "" }
            let figures = texts.filter { !$0.isEmpty }
            let isNumeric = !figures.isEmpty && figures.allSatisfy { Double($0) != nil }
            let isHeading = ["resolver", "name", "group"].contains(header.csvText)
            return Table.Column(
                header.csvText,
                texts,
                isHeading ? .heading : isNumeric ? .figures : .words
            )
        }
        let remedy = "Write all with -o FILE.csv."
        let part = ManyPlaces.part(rows.count, of: figures.count, "rows", remedy)
        let caption = ["Times in milliseconds; an empty cell where there is no figure."] + part
        let table = Table(columns, caption: caption.joined(separator: " "))
        let count = figures.count.of("row", "rows")
        return HTML(
            .div,
            [.class("raw")],
            folded("\(count) of \(columns.count) columns", [table.html])
        )
    }
}
