import ArgumentParser
import Catalogue
import Failures
import Files
import Runs
import Samples
import Store

extension StoreCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the samples of files.",
            discussion: """
                Reads files that --samples or export wrote, or results of DNS measurements of RIPE \
                Atlas, of any size. Rounds that the store has are left out, so a file may be \
                imported again.

                Examples:
                  dnstempo store import samples.csv
                  dnstempo store import 2025.csv 2026.jsonl --store home.sqlite
                  dnstempo store import RIPE-Atlas-measurement-1001.json --store atlas.sqlite
                """
        )

        @Argument(
            help: "Samples files, .csv or .jsonl, or results of RIPE Atlas.".naming("file"),
            completion: .file(extensions: ["csv", "jsonl", "json"])
        )
        var files: [String]

        @Option(
            help: "Format of the files: csv, jsonl or atlas. (default: by content and name)"
                .naming("format"),
            completion: .list(["csv", "jsonl", "atlas"])
        )
        var format: String?

        @OptionGroup var storing: StoreOptions

        @Flag(name: [.short, .long], help: "Print errors only.")
        var quiet = false

        mutating func validate() { JoinedWords.split(&files) }

        func run() async throws {
            let durability = try storing.kind()
            // All files are checked before anything is stored.
            let sources = try files.map { path in
                let chunks = try InputChunks(path)
                return (path, try SamplesFormat(of: chunks, named: format), chunks)
            }
            let path = try storing.path(UserConfiguration.current().options)
            let store = try Store(path: path, durability: durability)
            for (file, format, chunks) in sources {
                var stream = SamplesStream(format, file: file) { try chunks.next() }
                var intake = ImportResult()
                do {
                    try store.importSamples(&stream, counting: &intake)
                } catch {
                    throw Self.failure(error, file, after: intake)
                }
                guard !quiet else { continue }
                let counts = "\(intake.counts) imported; \(intake.knownText)"
                let remarks = stream.atlasRemarks?.words.map { "; \($0)" } ?? ""
                try Terminal.output.write("\(EscapedText.terminal(file)): \(counts)\(remarks)\n")
            }
        }

        private static func failure(
            _ error: any Error,
            _ file: String,
            after intake: ImportResult
        ) -> Failure {
            var failure = Failure(describing: error)
            failure.description +=
                intake.samples == 0
                ? "; nothing of '\(file)' was imported"
                : "; of '\(file)' \(intake.counts) were imported: import it again "
                    + "once that is fixed"
            return failure
        }
    }

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add rounds of other stores that this one lacks.",
            discussion: """
                The other stores stay unchanged. A round that both have is stored once, so a merge \
                may be repeated. To report on several stores without a merge, name them all in the \
                report.

                Examples:
                  dnstempo store merge laptop.sqlite
                  dnstempo store merge home.sqlite office.sqlite --store all.sqlite
                """
        )

        @Argument(
            help: "Stores to read.".naming("other"),
            completion: .file(extensions: ["sqlite"])
        )
        var others: [String]

        @OptionGroup var storing: StoreOptions

        @Flag(name: [.short, .long], help: "Print errors only.")
        var quiet = false

        mutating func validate() { JoinedWords.split(&others) }

        func run() async throws {
            let durability = try storing.kind()
            let path = try storing.path(UserConfiguration.current().options)
            // All stores are checked before anything is stored.
            let readers = try others.map { other in
                let file = FileIdentity(other)
                guard file == nil || file != FileIdentity(path) else {
                    throw Failure.usage("'\(other)' is the store itself; name another")
                }
                return try Self.reader(other)
            }
            let store = try Store(path: path, durability: durability)
            for other in readers {
                let intake = try store.merge(from: other)
                guard !quiet else { continue }
                let counts = "\(intake.counts) added; \(intake.knownText)\(intake.lackingText)"
                try Terminal.output.write("\(EscapedText.terminal(other.path)): \(counts)\n")
            }
        }

        private static func reader(_ path: String) throws -> Store {
            do { return try Store(path: path, access: .readOnly) } catch {
                guard error.status == .noInput else { throw error }
                throw Failure(.noInput, "there is no store '\(path)' to merge; check the path")
            }
        }
    }
}

extension ImportResult {
    /// The new data as text, such as `12 rounds, 480 samples`.
    var counts: String { "\(rounds.counted("round")), \(samples.counted("sample"))" }

    var knownText: String {
        "\(knownRounds.counted("round")) \(knownRounds == 1 ? "was" : "were") there already"
    }

    /// Names the rounds that were left out; empty without such rounds.
    var lackingText: String {
        guard lackingRounds > 0 else { return "" }
        let rounds = lackingRounds.counted("pruned round")
        return "; \(rounds) left out, because hourly sums are missing"
    }
}
