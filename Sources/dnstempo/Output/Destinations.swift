import ArgumentParser
import Charts
import Failures
import Files
import Reports
import Samples

/// The outputs of a report. All are checked before any query or read, so that a wrong path cannot waste a
/// long run. Files are written completely or not at all.
struct Destinations {
    private var standard: (any DocumentFormat)?
    private let files: [(path: String, writer: any DocumentFormat)]
    private var samples: (path: String, format: SamplesFormat)?
    /// The redaction of the reports, for the line in their documents.
    var redaction: Redaction?

    var hasChart: Bool {
        files.contains { $0.writer is SVGFormat || $0.writer is HTMLFormat }
    }

    init(_ options: OutputOptions) async throws {
        let chart = try Self.kind(options.chart, among: ChartKind.ofRun, of: options.files.output)
        files = try options.files.output.map { path in
            let format = try OutputFormat(path: path)
            return (path, format.isPicture ? Self.picture(path, only: chart) : format.writer)
        }
        samples = try options.samples.map { path in
            guard let format = SamplesFormat(path: path) else {
                throw Failure.usage("--samples '\(path)': end its name in .csv or .jsonl")
            }
            return (path, format)
        }
        try await Self.check(files.map(\.path) + [samples?.path].compactMap(\.self))
        let format = try OutputFormat(named: options.format ?? "table")
        try Failure.refuse([
            "--format and --quiet cannot be combined: leave one out":
                options.quiet && options.format != nil,
            "--verbose and --quiet cannot be combined: leave one out":
                options.quiet && options.verbose,
            "--verbose is of the table: leave out --format": options.verbose && format != .text,
        ])
        if options.quiet { return }
        standard = Self.standard(format, colour: !options.style.noColor, isVerbose: options.verbose)
    }

    /// Outputs of a report with `charts` of these kinds.
    init(_ options: ReportOutput, charts: [ChartKind]) async throws {
        let format = try OutputFormat(named: options.format)
        let chart = try Self.kind(options.chart, among: charts, of: options.files.output)
        try await self.init(
            format,
            colour: !options.style.noColor,
            options.files.output,
            in: OutputFormat.allCases,
            only: chart
        )
    }

    /// A card, if the file has its name; otherwise charts.
    private static func picture(_ path: String, only chart: ChartKind?) -> any DocumentFormat {
        CardFormat.isName(path) ? CardFormat() : SVGFormat(only: chart)
    }

    /// The kind of chart named by --chart, for a picture among `paths`.
    private static func kind(
        _ word: String?,
        among kinds: [ChartKind],
        of paths: [String]
    ) throws -> ChartKind? {
        guard let word else { return nil }
        let kind = try ChartKind(named: word, by: "--chart", among: kinds)
        guard paths.contains(where: { (try? OutputFormat(path: $0))?.isPicture == true }) else {
            throw Failure.usage(
                "--chart chooses what an .svg or .png file shows; add -o FILE.svg or FILE.png"
            )
        }
        return kind
    }

    init(_ options: DigestOutput) async throws {
        try await self.init(
            OutputFormat(named: options.format ?? "table"),
            colour: !options.style.noColor,
            options.files.output,
            in: OutputFormat.allCases
        )
    }

    init(_ options: CheckOptions) async throws {
        let format = try OutputFormat(tableOrJSON: options.format)
        try await self.init(format, options.output, in: [.text, .json, .html])
    }

    init(_ command: ConnectionsCommand) async throws {
        let formats: [OutputFormat] = [.text, .csv, .json, .markdown, .html]
        try await self.init(OutputFormat(named: command.format), command.output, in: formats)
    }

    init(_ command: InstrumentCommand) async throws {
        let format = try OutputFormat(tableOrJSON: command.format)
        try await self.init(format, command.output, in: [.text, .json, .markdown, .html])
    }

    /// Files must have one of `formats`. Others are rejected.
    private init(
        _ format: OutputFormat,
        colour: Bool = false,
        _ paths: [String],
        in formats: [OutputFormat],
        only chart: ChartKind? = nil
    ) async throws {
        standard = Self.standard(format, colour: colour)
        files = try paths.map { path in
            let format = try? OutputFormat(path: path)
            guard let format, formats.contains(format) else {
                let isOfAny = formats == OutputFormat.allCases
                let subject = isOfAny ? "cannot tell the format of '\(path)'" : "-o '\(path)'"
                let suffixes = formats.map { ".\($0.rawValue)" }.alternatives
                throw Failure.usage("\(subject): end its name in \(suffixes)")
            }
            switch format {
            case .text: return (path, TextFormat(width: 100))
            case .svg, .png: return (path, Self.picture(path, only: chart))
            default: return (path, format.writer)
            }
        }
        try await Self.check(paths)
    }

    /// Prints nothing. Files are still written.
    mutating func silence() { standard = nil }

    /// Rejects an output that would replace one of the `inputs`.
    func keep(_ inputs: @autoclosure () throws -> [String]) throws {
        let outputs = files.map(\.path) + [samples?.path].compactMap(\.self)
        try InputFile.keep(inputs(), from: outputs)
    }

    private static func check(_ paths: [String]) async throws {
        try OutputFiles.check(paths)
        try await PNGPicture.check(paths)
    }

    private static func standard(
        _ format: OutputFormat,
        colour: Bool,
        isVerbose: Bool = false
    ) -> any DocumentFormat {
        format != .text
            ? format.writer : TextFormat.ofTerminal(colour: colour, isVerbose: isVerbose)
    }

    /// Writes standard output first, and the files after it. A failure of either does not prevent the other.
    /// `completing` adds the content that only pages and pictures contain. `recording` supplies the content
    /// of a samples file.
    func write(
        _ report: any Report,
        of recording: Recording = Recording(),
        completing: (inout Document) throws -> Void = { _ in }
    ) async throws {
        var document = report.document
        document.redaction = redaction?.sentence
        let completed = Result {
            var document = document
            if hasChart { try completing(&document) }
            return document
        }
        // The report is computed again before any part is written.
        if case .failure(let error as SourceChanged) = completed { throw error }
        let text = standard?.render(document) ?? ""
        let isProse = standard is TextFormat
        let written = Result {
            try isProse ? Terminal.output.write(text) : Terminal.output.write(data: text)
        }
        document = try completed.get()
        var contents: [(path: String, bytes: [UInt8])] = []
        var undrawn: (any Error)?
        for (path, writer) in files {
            var text = writer.render(document)
            if writer is TextFormat, Terminal.wantsASCII {
                text = ASCIIText.spelled(text, keepsData: true)
            }
            do {
                contents.append((path, try await PNGPicture.bytes(of: text, for: path)))
            } catch {
                // A failed picture does not discard the measurements.
                undrawn = error
            }
        }
        let staged = try StagedFiles(contents.map(\.path) + [samples?.path].compactMap(\.self))
        for index in staged.order {
            if contents.indices.contains(index) {
                try staged.append(contents[index].bytes, to: index)
            } else if let samples {
                try SamplesWriter.write(recording, as: samples.format) {
                    try staged.append($0, to: index)
                }
            }
        }
        try staged.commit()
        try written.get()
        if let undrawn { throw undrawn }
    }
}

extension RawRepresentable where RawValue == String, Self: CaseIterable {
    /// The case named by `word`, the value of `option`.
    init(named word: String, by option: String, among choices: [Self] = Array(allCases)) throws {
        guard let choice = choices.first(where: { $0.rawValue == word }) else {
            let known = choices.map(\.rawValue)
            let list = "choose \(known.joined(separator: ", "))"
            throw Failure.unknown(word, of: option, among: known, else: list)
        }
        self = choice
    }
}

extension String {
    /// The element of `choices` named by this word, the value of `option`.
    func choice<Value>(
        of option: String,
        among choices: KeyValuePairs<String, Value>
    ) throws(Failure) -> Value {
        if let choice = choices.first(where: { $0.key == self }) { return choice.value }
        let words = choices.map(\.key)
        let advice = "choose \(words.alternatives)"
        throw Failure.unknown(self, of: option, among: words, else: advice)
    }

    /// The elements of `choices` in this list separated by commas, the value of `option`. `advice` in an
    /// error states valid input.
    func list<Value: NamedCase>(
        of option: String,
        among choices: [Value],
        advice: String
    ) throws(Failure) -> Set<Value> {
        let words = split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let known = Set(choices.map(\.description))
        if let word = words.first(where: { !known.contains($0) }) {
            throw Failure.unknown(word, of: option, among: known, else: "choose \(advice)")
        }
        return Set(choices.filter { words.contains($0.description) })
    }
}

extension [String] {
    /// Text such as `a, b or c`.
    fileprivate var alternatives: String {
        dropLast().joined(separator: ", ") + " or \(last ?? "")"
    }
}

extension OutputFormat {
    init(named word: String) throws(Failure) {
        self = try word.choice(
            of: "--format",
            among: ["table": .text, "csv": .csv, "json": .json, "markdown": .markdown]
        )
    }

    init(tableOrJSON word: String) throws(Failure) {
        self = try word.choice(of: "--format", among: ["table": .text, "json": .json])
    }
}

struct OutputFileOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: "Write a file too: .txt .csv .json .md .svg .png or .html; repeatable."
            .naming("file"),
        completion: .file()
    )
    var output: [String] = []
}

struct OutputOptions: ParsableArguments {
    @OptionGroup var files: OutputFileOptions

    @Option(
        help: "Write every sample to a .csv or .jsonl file.".naming("file"),
        completion: .file()
    )
    var samples: String?

    @Option(
        help: """
            Chart of an .svg or .png file: bars, distribution, rounds, percentiles or opening. \
            (default: all but percentiles)
            """.naming("kind"),
        completion: .list(ChartKind.ofRun.map(\.rawValue))
    )
    var chart: String?

    @Option(
        help: "Format of standard output: table, csv, json or markdown. (default: table)"
            .naming("format"),
        completion: .list(["table", "csv", "json", "markdown"])
    )
    var format: String?

    @Flag(name: [.short, .long], help: "No progress and no table; files are written.")
    var quiet = false

    @Flag(name: [.short, .long], help: "More statistics, and the state of the instrument.")
    var verbose = false

    @OptionGroup var style: TextStyleOptions
}

struct ReportOutput: ParsableArguments {
    @Option(
        help: "Format of standard output: table, csv, json or markdown.".naming("format"),
        completion: .list(["table", "csv", "json", "markdown"])
    )
    var format = "table"

    @OptionGroup var files: OutputFileOptions

    @Option(
        help: """
            The chart of an .svg or .png file: timeline, smoke, heatmap, places, distribution, \
            percentiles, bars or opening; of a run or with --baseline bars, distribution, rounds, \
            percentiles or opening. (default: of a run all but percentiles, of a window timeline, \
            heatmap, distribution and opening)
            """.naming("kind"),
        completion: .list((ChartKind.ofWindow + [.rounds]).map(\.rawValue))
    )
    var chart: String?

    @Flag(name: .shortAndLong, help: "Print only if a condition of --fail-if holds.")
    var quiet = false

    @OptionGroup var style: TextStyleOptions
}
