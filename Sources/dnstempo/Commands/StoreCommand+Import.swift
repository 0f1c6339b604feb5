import ArgumentParser
import Catalogue
import Reports
import Samples
import Store

extension StoreCommand {
    /// Samples files into a store.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the samples of files.",
            discussion: """
                Files are as --samples and export write them, of any size. What is there already is \
                left out, so that a file may be imported again.

                Examples:
                  dnstempo store import samples.csv
                  dnstempo store import 2025.csv 2026.jsonl --store home.sqlite
                """
        )

        @Argument(help: ArgumentHelp("Samples files, .csv or .jsonl.", valueName: "file"))
        var files: [String]

        @OptionGroup var storing: StoreOptions

        @Flag(name: [.short, .long], help: "Print nothing but errors.")
        var quiet = false

        func run() async throws {
            let durability = try storing.kind()
            // All are looked at before anything is stored.
            let sources = try files.map { path in
                (path, try SamplesFormat(ofFile: path), try InputChunks(path))
            }
            let path = try storing.path(UserConfiguration.current().options)
            let store = try Store(path: path, durability: durability)
            for (file, format, chunks) in sources {
                var stream = SamplesStream(format, file: file) { try chunks.next() }
                var intake = Intake()
                do {
                    try store.importSamples(&stream, counting: &intake)
                } catch {
                    throw Self.failure(error, file, after: intake)
                }
                guard !quiet else { continue }
                let counts = "\(intake.counts) imported; \(intake.knownText)"
                try Terminal.output.write("\(EscapedText.terminal(file)): \(counts)\n")
            }
        }

        /// The error, and what of its file is stored all the same.
        private static func failure(
            _ error: any Error,
            _ file: String,
            after intake: Intake
        ) -> Failure {
            var failure = Failure(describing: error)
            failure.description +=
                intake.samples == 0
                ? "; nothing of '\(file)' was imported"
                : "; of '\(file)' \(intake.counts) were imported: import it again once that is mended"
            return failure
        }
    }
}

extension Intake {
    /// Such as `12 rounds, 480 samples`: what is new.
    var counts: String { "\(rounds.counted("round")), \(samples.counted("sample"))" }

    /// Such as `3 rounds were there already`.
    var knownText: String {
        "\(knownRounds.counted("round")) \(knownRounds == 1 ? "was" : "were") there already"
    }
}

extension Int {
    /// Such as `1 round` or `2 rounds`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
