import ArgumentParser
import Catalogue
import Charts
import Reports
import Samples

/// Where a report goes. All is checked before the measurement, so that no long run is lost to a
/// wrong path, and files are written whole or not at all.
struct Destinations {
    private let standard: (any ReportFormat)?
    private let files: [(path: String, writer: any ReportFormat)]
    private let samples: (path: String, format: SamplesFormat)?

    /// Whether one of the files has charts.
    let hasChart: Bool

    init(_ options: OutputOptions) throws {
        let chart = try options.chart.map(Self.chart)
        files = try options.output.map { path in
            let format = try OutputFormat(path: path)
            return (path, format == .svg ? SVGReport(only: chart) : format.writer)
        }
        hasChart = files.contains { $0.writer is SVGReport || $0.writer is HTMLReport }
        if chart != nil, !files.contains(where: { $0.writer is SVGReport }) {
            throw Failure(.usage, "--chart chooses what an .svg file shows; add -o FILE.svg")
        }
        samples = try options.samples.map { path in
            guard let format = SamplesFormat(path: path) else {
                throw Failure(.usage, "--samples '\(path)': end its name in .csv or .jsonl")
            }
            return (path, format)
        }
        try OutputFiles.check(files.map(\.path) + [samples?.path].compactMap { $0 })
        let standard = try Self.standard(options)
        self.standard = options.quiet ? nil : standard
    }

    /// Standard output first: it is there even where a file then cannot be written, and the files
    /// where it is not.
    func write(_ report: ComparisonReport) throws {
        let text = standard?.render(report) ?? ""
        let isProse = standard is TextTable
        try Terminal.output.write(isProse ? Terminal.output.legible(text) : text) {
            try writeFiles(report)
        }
    }

    private func writeFiles(_ report: ComparisonReport) throws {
        var contents = files.map {
            OutputFiles.Content(path: $0.path, text: $0.writer.render(report))
        }
        if let samples {
            var bytes: [UInt8] = []
            try SamplesWriter.write(report.recording, as: samples.format) { bytes += $0 }
            contents.append(OutputFiles.Content(path: samples.path, bytes: bytes))
        }
        try OutputFiles.write(contents)
    }

    private static func chart(_ name: String) throws -> ChartKind {
        guard let kind = ChartKind.ofRun.first(where: { $0.rawValue == name }) else {
            let kinds = ChartKind.ofRun.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "--chart: '\(name)' is none; write one of \(kinds)")
        }
        return kind
    }

    private static func standard(_ options: OutputOptions) throws -> any ReportFormat {
        switch options.format {
        case "table":
            TextTable(
                width: Terminal.output.size.columns,
                colour: !options.noColor && Terminal.output.allowsColour,
                isVerbose: options.verbose
            )
        case "csv": CSVSummary()
        case "json": JSONReport()
        case "markdown": MarkdownTable()
        default:
            throw Failure(
                .usage,
                "--format: '\(options.format)' is none; write table, csv, json or markdown"
            )
        }
    }
}

/// Where results go, and how they look.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write the result to a file too; .txt .csv .json .md .svg or .html; repeatable.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: [String] = []

    @Option(
        help: ArgumentHelp("Write every sample to a .csv or .jsonl file.", valueName: "file"),
        completion: .file()
    )
    var samples: String?

    @Option(
        help: ArgumentHelp(
            "The chart of an .svg file: bars, distribution, rounds or opening. (default: all)",
            valueName: "kind"
        ),
        completion: .list(["bars", "distribution", "rounds", "opening"])
    )
    var chart: String?

    @Option(
        help: ArgumentHelp(
            "What standard output gets: table, csv, json or markdown.",
            valueName: "format"
        ),
        completion: .list(["table", "csv", "json", "markdown"])
    )
    var format = "table"

    @Flag(name: [.short, .long], help: "No progress and no table; files are written.")
    var quiet = false

    @Flag(name: [.short, .long], help: "More columns, and what the instrument says of itself.")
    var verbose = false

    @Flag(help: "No colour, as with NO_COLOR.")
    var noColor = false
}

/// The conditions of --fail-if: read before anything is sent, and held against the result.
struct Gate {
    let conditions: [FailCondition]

    init(_ texts: [String]) throws {
        conditions = try texts.map { text in
            do throws(FailConditionError) { return try FailCondition(parsing: text) } catch {
                throw Failure(.usage, "--fail-if \(error.description)")
            }
        }
    }

    /// Checks that there is what the conditions are about.
    func check(_ labels: [String], baseline: String?) throws {
        for condition in conditions {
            if condition.metric == .slower, baseline == nil {
                throw Failure(
                    .usage,
                    "--fail-if '\(condition.text)': there is no baseline; name one with --baseline"
                )
            }
            guard let label = condition.resolver, !labels.contains(label) else { continue }
            throw Failure(
                .usage,
                "--fail-if '\(condition.text)': '\(label)' is not among the resolvers"
                    + NearestName.question(label, among: labels)
            )
        }
    }

    /// Throws where a condition holds of what was measured.
    func pass(_ report: some GatedReport) throws {
        let findings = report.findings(of: conditions)
        guard !findings.isEmpty else { return }
        throw Failure(.condition, "--fail-if " + findings.joined(separator: "; "))
    }
}
