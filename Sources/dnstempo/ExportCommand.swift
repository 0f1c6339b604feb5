import ArgumentParser
import Catalogue
import Measurement
import Reports

/// Samples for other programs.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write samples in another layout.",
        discussion: """
            The matrix is the layout of the experiment of 2009: a file a name, a row a round, a \
            column a resolver, milliseconds, an empty cell for no answer.

            Examples:
              dnstempo export samples.csv --layout matrix -o tables
              dnstempo export samples.jsonl -o samples.csv
            """
    )

    @Argument(help: "A samples file, .csv or .jsonl.")
    var samples: String

    @Option(help: "long (a row a query) or matrix (a row a round).")
    var layout = "long"

    @Option(
        name: [.short, .long],
        help: "A .csv or .jsonl file, for the matrix a folder; - is standard output."
    )
    var output = OutputFiles.standardOutput

    func run() async throws {
        let recording = try SamplesReader.read(file: samples)
        switch layout {
        case "matrix": try writeMatrix(of: recording)
        case "long": try writeLong(recording)
        default: throw Failure(.usage, "--layout: '\(layout)' is none; write long or matrix")
        }
    }

    private func writeMatrix(of recording: Recording) throws {
        guard output != OutputFiles.standardOutput else {
            throw Failure(.usage, "--layout matrix writes a file a name; add -o FOLDER")
        }
        try Folder.create(output)
        let tables = MatrixTables(targets: recording.targets, questions: recording.questions)
        let files = try StagedFiles(tables.fileNames.map { "\(output)/\($0)" })
        for (index, lines) in tables.lines(of: recording).enumerated() {
            try files.append(tables.header + lines, to: index)
        }
        try files.commit()
    }

    private func writeLong(_ recording: Recording) throws {
        var format = SamplesFormat.csv
        if output != OutputFiles.standardOutput {
            guard let chosen = SamplesFormat(path: output) else {
                throw Failure(.usage, "-o '\(output)': end its name in .csv or .jsonl")
            }
            format = chosen
        }
        var bytes: [UInt8] = []
        try SamplesWriter.write(recording, as: format) { bytes += $0 }
        if output == OutputFiles.standardOutput {
            try Terminal.output.write(String(decoding: bytes, as: UTF8.self))
        } else {
            try OutputFiles.write([OutputFiles.Content(path: output, bytes: bytes)])
        }
    }
}
