import Charts

/// The document as one self-contained page, the answer first.
package struct HTMLFormat: DocumentFormat {
    /// Whether the page is a part of a mail, without scripts and without the table of all figures.
    private let isMailed: Bool

    package init(isMailed: Bool = false) { self.isMailed = isMailed }

    package func render(_ document: Document) -> String { page(document).text }

    private func page(_ document: Document) -> HTMLPage {
        let warnings = document.warnings.map(\.pageText)
        let untested = document.untested.map { ["\($0.fact)\($0.advice)."] } ?? []
        let method =
            document.method.map(PageFragments.passage)
            + document.instruments.filter { !$0.pairs.isEmpty }.flatMap { heading, pairs in
                [HTML(.h3, HTML(text: heading)), PageFragments.terms(pairs)]
            }
        let command = document.command.map { [PageFragments.lines([$0])] }
        let notes = [PageFragments.list(warnings + untested)]
        let parts: [(heading: String, id: String, content: [HTML])] = [
            ("What was found", "findings", document.examinations.map(PageFragments.examination)),
            (document.advice?.title ?? "", "advice", document.advice?.html ?? []),
            ("Charts", "charts", figures(document.charts())),
            ("Notes", "caveats", notes),
            (document.methodHeading, "method", method),
            (
                "All figures", "figures",
                isMailed ? [] : [PageFragments.allFigures(document.figures())]
            ),
            (document.commandHeading, "command", command ?? []),
        ]
        let sections = parts.map { PageFragments.section($0.heading, id: $0.id, $0.content) }
        var page = HTMLPage(
            title: document.sections.first?.headline ?? "",
            content: [
                HTML(.main, [], document.answers + sections),
                HTML(
                    .footer,
                    [],
                    ([document.provenance] + [document.redaction].compactMap(\.self)).map {
                        HTML(.p, HTML(text: $0))
                    }
                ),
            ]
        )
        if isMailed { page.scripts = [] }
        return page
    }

    private func figures(_ charts: [Sheet]) -> [HTML] {
        charts.enumerated().map { index, sheet in
            var sheet = sheet
            sheet.identifier = "chart\(index + 1)"
            return PageFragments.figure(sheet)
        }
    }
}

extension Document {
    var answers: [HTML] {
        var answers: [HTML] = []
        for (index, section) in sections.enumerated() {
            answers.append(
                PageFragments.answer(
                    section.headline,
                    scope: section.scope,
                    details: section.details,
                    isFirst: index == 0
                )
            )
            if index == 0, let link = advice?.link { answers.append(link) }
            answers += section.tables.filter { !$0.columns(in: .page).isEmpty }.map(\.html)
        }
        answers.append(PageFragments.encryption(encryption))
        return answers
    }

    package var fragments: [HTML] {
        answers + [
            PageFragments.section(advice?.title ?? "", id: "advice", advice?.html ?? []),
            PageFragments.list(warnings.filter { !$0.isDetail }.map(\.pageText)),
        ]
    }
}

extension Warning {
    /// The text on a page. The tables of pages show only p95. A star for p99 would have no target,
    /// and is omitted.
    var pageText: String { (isStarred && !isDetail ? "* " : "") + text }
}

extension Advice {
    var title: String { "How to use \(first.said)" }

    /// A link from the answer to the advice.
    fileprivate var link: HTML {
        isSwitch ? HTML(.p, HTML(.a, [.href("#advice")], HTML(text: title))) : .nothing
    }

    /// The advice; empty unless a switch is recommended.
    var html: [HTML] {
        guard isSwitch else { return [] }
        let places = places.flatMap { place in
            [HTML(.h3, HTML(text: place.name)), PageFragments.lines(place.lines)]
        }
        return (differences + [opening]).map { HTML(.p, HTML(text: $0)) } + places
            + [HTML(.p, HTML(text: silence))]
    }
}
