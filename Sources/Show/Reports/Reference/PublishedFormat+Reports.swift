import Analysis
import Catalogue
import Samples
import Statistics

extension PublishedFormat {
    /// The formats of reports.
    package static let reports: [PublishedFormat] = [
        comparison, report, notice, state, plan, instrument, connections, check, verify,
    ]

    private static let comparison = PublishedFormat(
        "comparison",
        title: "Comparison",
        """
        `dnstempo compare -o x.json` and `report --baseline LABEL -o x.json` write a comparison: one \
        JSON object with the schema `dnstempo.comparison/1`. `-o x.csv` writes the figures of the \
        resolvers, one row per resolver, transport and series. Keys and columns may be added and are never changed.
        """,
        [
            Part(
                nil,
                example("lab", "json", "csv"),
                object: ObjectForm("document", ComparisonReport.fields.map(\.declaration)),
                table: ObjectForm("resolvers", ComparisonReport.columns)
            ),
            Part("Verdicts", words(Verdict.self) { $0.meaning }),
            Part("Reasons of verdicts", words(VerdictReason.self) { $0.meaning }),
            Part(
                "Reasons of `stopped_for`",
                words(SeriesEvidence.Departure.Reason.self) { $0.meaning }
            ),
            Part("Kinds of `strategy`", words(Strategy.meanings)),
        ]
    )

    private static func words(_ meanings: [(String, String)]) -> String {
        (["| word | meaning |", "|:--|:--|"] + meanings.map { "| `\($0.0)` | \($0.1) |" })
            .joined(separator: "\n")
    }

    private static func words<Word: CaseIterable & RawRepresentable<String>>(
        _: Word.Type,
        _ meaning: (Word) -> String
    ) -> String {
        words(Word.allCases.map { ($0.rawValue, meaning($0)) })
    }

    /// Links to files that the tests compare byte by byte.
    private static func example(
        _ name: String,
        _ extensions: String...,
        of tests: String = "ReportsTests"
    ) -> String {
        let files = extensions.map { "\(name).\($0)" }
        let links = files.map { "[\($0)](../../../Tests/\(tests)/Golden/\($0))" }
        return "Example: \(links.joined(separator: ", "))."
    }

    /// The words of changes and of traces, in reports and notices.
    private static let changeWords = [
        Part("Kinds of `change`", words(LevelChange.Kind.self) { $0.meaning }),
        Part("Forms of a change and an incident", words(Incident.Kind.self) { $0.meaning }),
        Part("Scopes of an incident", words(IncidentScope.self) { $0.meaning }),
        Part("Causes of a change", words(ChangeCause.self) { $0.meaning }),
        Part("Ends of a trace", words(PathTrace.End.self) { $0.meaning }),
    ]

    private static let report = PublishedFormat(
        "report",
        title: "Report",
        """
        `dnstempo report --format json` writes one JSON object with the schema `dnstempo.report/1`. Its \
        `kind` says which keys it has. `--format csv` writes the rows of the table. `dnstempo digest` does \
        the same. The paths \
        `/api/window`, `/api/changes`, `/api/overview`, `/api/resolver` and `/api/comparison` of \
        `dnstempo serve` return the same objects.
        """,
        [
            part(
                "Window: how fast resolvers were",
                WindowReport.self,
                WindowReport.columns,
                "window-weekday"
            ),
            part("Changes: `--changes`", ChangesReport.self, ChangesReport.columns, "changes"),
            part(
                "Places: `--baseline` over several places",
                PlacesReport.self,
                PlacesReport.columns,
                "places"
            ),
            part(
                "Place groups: `--by label:KEY`",
                PlaceGroupsReport.self,
                PlaceGroupsReport.columns,
                "place-groups"
            ),
            part(
                "Against the window before: `--against`",
                WindowDiffReport.self,
                WindowDiffReport.columns
            ),
            part(
                "Against another run: `--against FILE`",
                RunDiffReport.self,
                RunDiffReport.columns
            ),
            part(
                "Objective: `--objective`",
                ObjectiveReport.self,
                ObjectiveReport.columns,
                "objective"
            ),
            part("Digest: `dnstempo digest`", DigestReport.self, WindowReport.columns),
            part("Overview: the dashboard's first page", OverviewReport.self, nil as [Field<Int>]?),
            part("Course: the dashboard's timeline", TimelineReport.self, nil as [Field<Int>]?),
        ] + changeWords
    )

    private static func part<Kind: HistoryReport, Row>(
        _ heading: String,
        _: Kind.Type,
        _ columns: [Field<Row>]?,
        _ golden: String? = nil
    ) -> Part {
        let table = columns.map { ObjectForm(Kind.kind, $0.map(\.declaration)) }
        let object = ObjectForm(Kind.kind, Kind.document.map(\.declaration))
        return Part(
            heading,
            golden.map { example($0, "json", "csv") } ?? "",
            object: object,
            table: table
        )
    }

    private static let notice = PublishedFormat(
        "notice",
        title: "Notice",
        """
        `dnstempo watch --notify COMMAND` and `sample --notify COMMAND` give the command one JSON object \
        with the schema `dnstempo.notice/1` on standard input.
        """,
        [Part(nil, example("notice", "json"), object: NoticeDocument.shape.form)] + changeWords
    )

    private static let state = PublishedFormat(
        "state",
        title: "State of a resolver",
        """
        `dnstempo watch --mqtt URL`, `sample --mqtt URL` and `serve --mqtt URL` publish one JSON object with \
        the schema `dnstempo.state/1` for each resolver after each round. The topic is \
        `PREFIX/VANTAGE/RESOLVER/TRANSPORT/SERIES`. Characters other than letters, digits and `-` are `_` in it.
        """,
        [
            Part(nil, example("state", "json"), object: ResolverState.shape.form),
            Part("Verdicts", words(ResolverState.Standing.self) { $0.meaning }),
        ]
    )

    private static let plan = PublishedFormat(
        "plan",
        title: "Plan",
        "`dnstempo plan --format json` writes one JSON object with the schema `dnstempo.plan/1`.",
        [
            Part(
                nil,
                example("plan", "json", of: "CommandLineTests"),
                object: PlanReport.shape.form
            )
        ]
    )

    private static let instrument = PublishedFormat(
        "instrument",
        title: "Instrument",
        """
        `dnstempo instrument --format json` writes one JSON object with the schema \
        `dnstempo.instrument/1`.
        """,
        [Part(nil, example("instrument", "json"), object: InstrumentReport.shape.form)]
    )

    private static let connections = PublishedFormat(
        "connections",
        title: "Connections",
        """
        `dnstempo connections --format json` writes one JSON object with the schema \
        `dnstempo.connections/1`. `--format csv` writes one row per resolver, transport and traffic.
        """,
        [
            Part(
                nil,
                example("connections", "json", "csv"),
                object: ConnectionReport.shape.form,
                table: ObjectForm("connections", ConnectionReport.declarations)
            ),
            Part("Signals of `ended_by`", words(ClosingSignal.self) { $0.meaning }),
        ]
    )

    private static let check = PublishedFormat(
        "check",
        title: "Check of resolvers",
        "`dnstempo check --format json` writes one JSON object with the schema `dnstempo.check/1`.",
        [Part(object: ObjectForm("document", CheckReport.fields.map(\.declaration)))]
    )

    private static let verify = PublishedFormat(
        "verify",
        title: "Check of the list of resolvers",
        """
        `dnstempo resolvers verify --format json` writes one JSON object with the schema \
        `dnstempo.verify/1`.
        """,
        [Part(object: ObjectForm("document", VerifyReport.fields.map(\.declaration)))]
    )

    package static let hourlySums = PublishedFormat(
        "hourly-sums",
        title: "Hourly sums",
        """
        `dnstempo export --rollups` writes one row per hour, resolver, type of record and timeout: CSV, \
        or one JSON object per line with `--format jsonl`.
        """,
        [
            Part(
                nil,
                example("hourly-sums", "csv", "jsonl"),
                object: ObjectForm("hour", HourlySumsTable.fields.map(\.declaration)),
                table: ObjectForm("hours", HourlySumsTable.fields.map(\.declaration))
            )
        ]
    )
}
