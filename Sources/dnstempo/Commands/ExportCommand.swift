import ArgumentParser
import Catalogue
import DNSWire
import Failures
import Files
import History
import Reports
import Samples

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write samples, or their hourly sums, for other programs.",
        discussion: """
            Exports everything, of any size, unless --since or --until sets a limit. The matrix \
            has one file per name, one row per round and one column per resolver. Its cells are \
            milliseconds; a query without an answer has an empty cell.

            Examples:
              dnstempo export -o samples.csv
              dnstempo export --since 30d --resolver quad9 -o quad9.jsonl
              dnstempo export --rollups home.sqlite -o hours.csv
              dnstempo export samples.csv --layout matrix -o tables
              dnstempo export --format atlas -o results.json
            """
    )

    @OptionGroup var window: WindowOptions

    @Option(
        help: "long (one row per query) or matrix (one row per round).",
        completion: .list(["long", "matrix"])
    )
    var layout = "long"

    @Flag(help: "Export hourly sums instead of samples.")
    var rollups = false

    @Option(
        help: """
            csv, jsonl, or atlas (results of RIPE Atlas, one per line). (default: by the name of the \
            file, or csv)
            """.naming("format"),
        completion: .list(["csv", "jsonl", "atlas"])
    )
    var format: String?

    @Option(
        name: [.short, .long],
        help: "A .csv or .jsonl file, for the matrix a folder; - is standard output."
            .naming("file"),
        completion: .file()
    )
    var output = OutputFiles.standardOutput

    @OptionGroup var redacting: RedactOptions

    func run() async throws {
        let redaction = try redacting.redaction()
        let window = try self.window.openWindow()
        let isMatrix = try layout.choice(of: "--layout", among: ["long": false, "matrix": true])
        try Failure.refuse([
            "--layout matrix has one row per round: leave out --rollups": isMatrix && rollups,
            "--layout matrix writes one file per name; add -o FOLDER":
                isMatrix && output == OutputFiles.standardOutput,
            "--layout matrix has a format of its own: leave out --format":
                isMatrix && format != nil,
            "--rollups are csv or jsonl: leave out --format atlas":
                rollups && format == SamplesFormat.atlas.rawValue,
        ])
        let format = isMatrix ? .csv : try rowFormat()
        try InputFile.keep(self.window.inputs, from: [output])
        let source = try HistorySource(self.window, origins: nil)
        // Places can be excluded only before the first rows are written.
        try source.prepare(window)
        let history = try ReportedHistory(source, redaction)
        let (isEmpty, gone) =
            if isMatrix {
                try writeMatrix(of: history.reported, window)
            } else {
                try writeRows(of: history, window, as: format)
            }
        self.window.without.mentionUnread(isRedacted: redacting.redact)
        if let gone {
            Terminal.mention(
                "samples before \(gone.upperBound.minuteText) were pruned; their hourly sums are kept "
                    + "(--rollups)"
            )
        } else if isEmpty {
            Terminal.mention("nothing to export. \(try source.advice(window))")
        }
    }

    /// Whether nothing was written, and the hours whose samples were pruned.
    private typealias Outcome = (isEmpty: Bool, gone: Range<Timestamp>?)

    private func rowFormat() throws(Failure) -> SamplesFormat {
        if let format {
            return try format.choice(
                of: "--format",
                among: ["csv": .csv, "jsonl": .jsonLines, "atlas": .atlas]
            )
        }
        if output == OutputFiles.standardOutput { return .csv }
        guard let format = SamplesFormat(path: output) else {
            throw Failure.usage(
                "-o '\(output)': end its name in .csv or .jsonl, or choose with --format"
            )
        }
        return format
    }

    /// Writes the rows. The header is written even without rows.
    private func writeRows(
        of history: ReportedHistory,
        _ window: Range<Timestamp>,
        as format: SamplesFormat
    ) throws -> Outcome {
        let source = history.source
        let store = rollups ? try source.storeOfSums() : nil
        let file = try ExportFile(output)
        var outcome: Outcome = (isEmpty: true, gone: nil)
        if let store {
            let table = HourlySumsTable(format)
            try file.append(Array(table.header.utf8))
            try source.readSums(of: store, window) { sum in
                outcome.isEmpty = false
                let sum = history.redaction?.applied(to: sum) ?? sum
                try file.append(Array(table.row(sum).utf8))
            }
        } else {
            let nothing = Recording(runs: [], targets: [], questions: [])
            try SamplesWriter.write(nothing, as: format, to: file.append)
            outcome.gone = try history.reported.readSamples(window) { piece in
                outcome.isEmpty = outcome.isEmpty && piece.samples.isEmpty
                try SamplesWriter.write(piece, as: format, continues: true, to: file.append)
            }
        }
        try file.commit()
        return outcome
    }

    private func writeMatrix(
        of source: any SampleSource,
        _ window: Range<Timestamp>
    ) throws -> Outcome {
        var targets: [Recording.Target] = []
        var questions: [Question] = []
        var unverified: Set<Recording.Target> = []
        let gone = try source.readSamples(window) { piece in
            targets = (targets + piece.targets).uniqued
            questions = (questions + piece.questions).uniqued
            unverified.formUnion(piece.unverifiedTargets)
        }
        let tables = MatrixTables(targets: targets, questions: questions, unverified: unverified)
        try Folder.create(output)
        // Each open file requires a descriptor, and a process has few descriptors.
        for first in stride(from: 0, to: tables.fileNames.count, by: 200) {
            let part = first..<min(first + 200, tables.fileNames.count)
            let files = try StagedFiles(tables.fileNames[part].map { "\(output)/\($0)" })
            for index in 0..<part.count { try files.append(tables.header, to: index) }
            try source.readSamples(window) { piece in
                let lines = tables.lines(of: piece)
                for (index, table) in part.enumerated() {
                    try files.append(lines[table], to: index)
                }
            }
            try files.commit()
        }
        return (targets.isEmpty, gone)
    }
}

/// Standard output, or a file that appears when it is complete.
private struct ExportFile {
    private let staged: StagedFiles?

    init(_ path: String) throws(Failure) {
        staged = path == OutputFiles.standardOutput ? nil : try StagedFiles([path])
    }

    func append(_ bytes: [UInt8]) throws {
        if let staged {
            try staged.append(bytes, to: 0)
        } else if try !Terminal.output.reach(bytes) {
            // A reader that closed the pipe (`| head`) has all it wanted.
            throw ExitCode.success
        }
    }

    func commit() throws(Failure) {
        try staged?.commit()
    }
}
