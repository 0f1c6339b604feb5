public import Charts

/// A report as a page: the answer first, then the figures, the charts, what to know about them, how
/// they came about, all of them, and the command that makes them anew.
public struct ReportPage: Sendable {
    /// For the window's title bar, and for what the page is saved as.
    public var title: String
    /// The answers, each with the table that it rests on.
    public var answer: [HTML]
    /// What the answer rests on, one by one, under its heading.
    public var findings: [HTML] = []
    /// What to do about it.
    public var advice: [HTML] = []
    public var charts: [Sheet] = []
    /// Sentences, each with its remedy.
    public var caveats: [String] = []
    /// How it was done, with its heading.
    public var method: [HTML] = []
    public var methodHeading = "How it was measured"
    /// Every figure.
    public var details: [HTML] = []
    /// What to type to do it again, with its heading.
    public var command: String?
    public var commandHeading = "Measure it again"
    /// Where, when and with what it was measured.
    public var provenance: String

    public init(title: String, answer: [HTML], provenance: String) {
        self.title = title
        self.answer = answer
        self.provenance = provenance
    }

    public var page: HTMLPage {
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
public struct PageExtras: Sendable {
    /// What to type to make it anew, and its heading.
    public var command: String?
    public var commandHeading: String
    /// Where the report has none of its own.
    public var charts: [Sheet]

    public init(
        command: String? = nil,
        commandHeading: String = "Measure it again",
        charts: [Sheet] = []
    ) {
        self.command = command
        self.commandHeading = commandHeading
        self.charts = charts
    }
}
