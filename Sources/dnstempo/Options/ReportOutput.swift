import ArgumentParser
import Reports

/// Where a report over a window goes, and how it looks.
struct ReportOutput: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What standard output gets: table, csv, json or markdown.",
            valueName: "format"
        )
    )
    var format = "table"

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write the report to a file too; .txt .csv .json .md or .html; repeatable.",
            valueName: "file"
        )
    )
    var output: [String] = []

    @Flag(help: "No colour, as with NO_COLOR.")
    var noColor = false
}

/// The outputs of a report over a window, checked before anything is read.
struct ReportDestinations {
    private let standard: OutputFormat
    private let allowsColour: Bool
    private let files: [(path: String, format: OutputFormat)]

    init(_ options: ReportOutput) throws {
        let formats: [String: OutputFormat] = [
            "table": .text, "csv": .csv, "json": .json, "markdown": .markdown,
        ]
        guard let standard = formats[options.format] else {
            throw Failure(
                .usage,
                "--format: '\(options.format)' is none; write table, csv, json or markdown"
            )
        }
        self.standard = standard
        allowsColour = !options.noColor && Terminal.output.allowsColour
        files = try options.output.map { ($0, try Self.format($0)) }
        try OutputFiles.check(options.output)
    }

    /// Standard output first: it is there even where a file then cannot be written, and the files
    /// where it is not. `extras` are read where there is a page to put them into.
    func write(_ report: any PagedReport, extras: () throws -> PageExtras) throws {
        let width = Terminal.output.size.columns
        let text = report.render(as: standard, width: width, colour: allowsColour)
        try Terminal.output.write(text ?? "") { try writeFiles(report, extras) }
    }

    private func writeFiles(_ report: any PagedReport, _ extras: () throws -> PageExtras) throws {
        let hasPage = files.contains { $0.format == .html }
        let page = hasPage ? report.page(try extras()).text : ""
        try OutputFiles.write(
            files.map { file in
                let text =
                    file.format == .html
                    ? page : report.render(as: file.format, width: 100, colour: false)
                return OutputFiles.Content(path: file.path, text: text ?? "")
            }
        )
    }

    private static func format(_ path: String) throws -> OutputFormat {
        let format = try? OutputFormat(path: path)
        if let format, format != .svg { return format }
        let advice = "end its name in .txt, .csv, .json, .md or .html"
        throw Failure(
            .usage,
            format == nil
                ? "cannot tell the format of '\(path)': \(advice)"
                : "-o '\(path)': a picture is drawn by 'dnstempo chart'; here \(advice)"
        )
    }
}
