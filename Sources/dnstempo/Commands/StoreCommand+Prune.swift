import ArgumentParser
import Catalogue
import Reports
import Samples
import Store

extension StoreCommand {
    /// Old samples dropped.
    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop samples of a certain age; their hourly sums stay.",
            discussion: """
                Reports over more than eight days are made of the hourly sums, and go on as before; \
                by name or type, and exact ones, they begin where samples do. The space goes back \
                to the disk.

                Examples:
                  dnstempo store prune --older-than 90d --dry-run
                  dnstempo store prune --older-than 90d
                """
        )

        @Option(
            help: ArgumentHelp(
                "The age: what was measured before then, in whole hours.",
                valueName: "duration"
            )
        )
        var olderThan: String

        @OptionGroup var named: NamedStore

        @Flag(help: "Only say what would be dropped.")
        var dryRun = false

        @Flag(name: [.short, .long], help: "Print nothing but errors.")
        var quiet = false

        func run() async throws {
            let age =
                try RunOptions.read(olderThan, of: "--older-than", DurationText.parse) ?? .zero
            guard age > .zero else {
                throw Failure(.usage, "--older-than 0: give an age above 0, as in 90d")
            }
            let path = try named.path()
            let limit = Timestamp.now.advanced(by: .zero - age)
            // A reader: to prune what is not there would make a store.
            let reader = try Store(path: path, access: .readOnly)
            let old = try reader.prunable(olderThan: limit)
            let before = try reader.info().bytes
            let what =
                "\(old.samples.counted("sample")) of \(old.rounds.counted("round")) from before "
                + "\(old.limit.hourText)"
            guard old.rounds > 0, !dryRun else {
                return try say(
                    old.rounds == 0
                        ? "nothing is from before \(old.limit.hourText)"
                        : "would drop \(what); their rounds and hourly sums stay"
                )
            }
            let store = try Store(path: path)
            _ = try store.prune(olderThan: limit)
            let freed = try max(0, before - store.info().bytes)
            try say("dropped \(what); their rounds and hourly sums stay; \(freed) bytes freed")
        }

        private func say(_ text: String) throws {
            if !quiet { try Terminal.output.write("\(text)\n") }
        }
    }
}

extension Timestamp {
    /// Such as `2026-11-21T03:00Z`, of the start of an hour.
    var hourText: String { "\(description.prefix(16))Z" }
}
