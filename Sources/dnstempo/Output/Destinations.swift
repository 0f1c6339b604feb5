import ArgumentParser
import Catalogue
import Charts
import Reports
import Samples

/// The outputs of a comparison. All are checked before the measurement, so that no long run is lost
/// to a wrong path, and files are written whole or not at all.
struct Destinations {
    private let standard: (any DocumentFormat)?
    private let files: [(path: String, writer: any DocumentFormat)]
    private let samples: (path: String, format: SamplesFormat)?

    let hasChart: Bool

    init(_ options: OutputOptions) throws {
        let chart = try options.chart.map {
            try ChartKind(named: $0, by: "--chart", among: ChartKind.ofRun)
        }
        files = try options.output.map { path in
            let format = try OutputFormat(path: path)
            return (path, format == .svg ? SVGFormat(only: chart) : format.writer)
        }
        hasChart = files.contains { $0.writer is SVGFormat || $0.writer is HTMLFormat }
        if chart != nil, !files.contains(where: { $0.writer is SVGFormat }) {
            throw Failure.usage("--chart chooses what an .svg file shows; add -o FILE.svg")
        }
        samples = try options.samples.map { path in
            guard let format = SamplesFormat(path: path) else {
                throw Failure.usage("--samples '\(path)': end its name in .csv or .jsonl")
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
        let document = report.document
        let text = standard?.render(document) ?? ""
        let isProse = standard is TextFormat
        try Terminal.output.write(isProse ? Terminal.output.legible(text) : text) {
            try writeFiles(document, of: report.recording)
        }
    }

    private func writeFiles(_ document: Document, of recording: Recording) throws {
        var contents = files.map {
            OutputFiles.Content(path: $0.path, text: $0.writer.render(document))
        }
        if let samples {
            var bytes: [UInt8] = []
            try SamplesWriter.write(recording, as: samples.format) { bytes += $0 }
            contents.append(OutputFiles.Content(path: samples.path, bytes: bytes))
        }
        try OutputFiles.write(contents)
    }

    private static func standard(_ options: OutputOptions) throws -> any DocumentFormat {
        let format = try OutputFormat(named: options.format)
        guard format == .text else { return format.writer }
        return TextFormat(
            width: Terminal.output.size.columns,
            colour: !options.noColor && Terminal.output.allowsColour,
            isVerbose: options.verbose
        )
    }
}

extension RawRepresentable where RawValue == String, Self: CaseIterable {
    /// The one that `word`, the value of `option`, names.
    init(named word: String, by option: String, among choices: [Self] = Array(allCases)) throws {
        guard let choice = choices.first(where: { $0.rawValue == word }) else {
            let known = choices.map(\.rawValue).joined(separator: ", ")
            throw Failure.usage("\(option): '\(word)' is none; write one of \(known)")
        }
        self = choice
    }
}

extension OutputFormat {
    /// The one that the word after --format names.
    init(
        named word: String,
        among choices: KeyValuePairs<String, OutputFormat> = [
            "table": .text, "csv": .csv, "json": .json, "markdown": .markdown,
        ]
    ) throws(Failure) {
        guard let choice = choices.first(where: { $0.key == word }) else {
            let words = choices.map(\.key)
            let known = words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")"
            throw Failure.usage("--format: '\(word)' is none; write \(known)")
        }
        self = choice.value
    }

    /// The format of a command that has these two alone.
    init(tableOrJSON word: String) throws(Failure) {
        try self.init(named: word, among: ["table": .text, "json": .json])
    }
}

struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: "Write the result to a file too; .txt .csv .json .md .svg or .html; repeatable."
            .naming("file"),
        completion: .file()
    )
    var output: [String] = []

    @Option(
        help: "Write every sample to a .csv or .jsonl file.".naming("file"),
        completion: .file()
    )
    var samples: String?

    @Option(
        help: "The chart of an .svg file: bars, distribution, rounds or opening. (default: all)"
            .naming("kind"),
        completion: .list(["bars", "distribution", "rounds", "opening"])
    )
    var chart: String?

    @Option(
        help: "What standard output gets: table, csv, json or markdown.".naming("format"),
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

struct ReportOutput: ParsableArguments {
    @Option(help: "What standard output gets: table, csv, json or markdown.".naming("format"))
    var format = "table"

    @Option(
        name: [.short, .long],
        help: "Write the report to a file too; .txt .csv .json .md or .html; repeatable.".naming(
            "file"
        )
    )
    var output: [String] = []

    @Flag(help: "No colour, as with NO_COLOR.")
    var noColor = false
}

/// The outputs of a report that is a page too, checked before anything is read or asked.
struct ReportDestinations {
    private let standard: OutputFormat
    private let allowsColour: Bool
    private let files: [(path: String, format: OutputFormat)]

    /// Files are in `formats`; any other is refused with what `advice` makes of its name and format.
    init(
        _ standard: OutputFormat,
        colour: Bool = false,
        files paths: [String],
        in formats: [OutputFormat],
        advice: (_ path: String, OutputFormat?) -> String
    ) throws {
        self.standard = standard
        allowsColour = colour && Terminal.output.allowsColour
        files = try paths.map { path in
            let format = try? OutputFormat(path: path)
            guard let format, formats.contains(format) else {
                throw Failure.usage(advice(path, format))
            }
            return (path, format)
        }
        try OutputFiles.check(paths)
    }

    init(_ options: ReportOutput) throws {
        try self.init(
            OutputFormat(named: options.format),
            colour: !options.noColor,
            files: options.output,
            in: [.text, .csv, .json, .markdown, .html]
        ) { path, format in
            let advice = "end its name in .txt, .csv, .json, .md or .html"
            return format == nil
                ? "cannot tell the format of '\(path)': \(advice)"
                : "-o '\(path)': a picture is drawn by 'dnstempo chart'; here \(advice)"
        }
    }

    /// Standard output first: it is there even where a file then cannot be written, and the files
    /// where it is not. What only a page has, `completing` adds where there is one.
    func write(
        _ report: any Report,
        completing: (inout Document) throws -> Void = { _ in }
    ) throws {
        var document = report.document
        let size = Terminal.output.size.columns
        let text = Self.writer(standard, width: size, colour: allowsColour).render(document)
        try Terminal.output.write(text) {
            if files.contains(where: { $0.format == .html }) { try completing(&document) }
            try OutputFiles.write(
                files.map { file in
                    OutputFiles.Content(
                        path: file.path,
                        text: Self.writer(file.format).render(document)
                    )
                }
            )
        }
    }

    private static func writer(
        _ format: OutputFormat,
        width: Int = 100,
        colour: Bool = false
    ) -> any DocumentFormat {
        format == .text ? TextFormat(width: width, colour: colour) : format.writer
    }
}
