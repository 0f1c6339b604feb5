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
