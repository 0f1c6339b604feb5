import ArgumentParser
import Catalogue
import Central
import Failures
import Processes
import Reports
import Runs
import Samples
import Store

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "See what a store holds, check it, and add to it or prune it.",
        discussion: """
            Examples:
              dnstempo store info
              dnstempo store check
              dnstempo store import samples.csv
              dnstempo store merge laptop.sqlite --store all.sqlite
              dnstempo store prune --older-than 90d
              dnstempo store ship --to postgresql://dnstempo_17@db.example/dns
            """,
        subcommands: [
            Info.self, Check.self, Merge.self, Prune.self, Import.self, Init.self, Enrol.self,
            Ship.self, RemoteWrite.self,
        ]
    )

    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how much a store holds of each resolver, vantage and origin.",
            discussion: """
                Examples:
                  dnstempo store info
                  dnstempo store info --store home.sqlite --format json
                  dnstempo store info --store postgresql://reader@db.example/dns
                """
        )

        @OptionGroup var named: NamedStore

        @Option(help: "table or json.", completion: .list(["table", "json"]))
        var format = "table"

        @Flag(help: .ascii)
        var ascii = false

        func run() async throws {
            let format = try OutputFormat(tableOrJSON: format)
            let path = try named.pathOrURL()
            if let reader = try CentralReader(ofAll: [path]) {
                let places = try reader.places().text(format)
                return try format == .json
                    ? Terminal.output.write(data: places) : Terminal.output.write(places)
            }
            let store = try Store(path: path, access: .readOnly)
            let info = try store.info()
            let holdings = try HoldingsTable(store.holdings())
            let json = Self.shape.members(of: (info, holdings)).text() + "\n"
            let table = Self.table(info) + holdings.text(Terminal.output.size.columns)
            try format == .json ? Terminal.output.write(data: json) : Terminal.output.write(table)
        }

        private static func table(_ info: StoreInfo) -> String {
            let pruned = info.prunedBefore.map { limit in
                ("pruned", "\(info.prunedSamples) samples, from before \(limit.minuteText)")
            }
            let facts = [
                ("store", info.path),
                ("rounds", "\(info.rounds)"),
                ("samples", "\(info.samples)"),
                ("first", info.first?.description ?? "none"),
                ("last", info.last?.description ?? "none"),
                ("bytes", "\(info.bytes)"),
                ("runs", "\(info.runs)"),
                ("hourly sums", "\(info.rollups)"),
            ]
            return Table(facts: facts + [pruned].compactMap(\.self)).text()
        }

        /// The JSON form of a store file.
        static let shape = Shape<(info: StoreInfo, holdings: HoldingsTable)>(
            "store",
            [
                .count("rounds", "Rounds of which samples are kept.") { $0.info.rounds },
                .count("samples", "Samples that are kept.") { $0.info.samples },
                .moment("first", null: "no sample is kept", "Time of the first sample.") {
                    $0.info.first
                },
                .moment("last", null: "no sample is kept", "Time of the last sample.") {
                    $0.info.last
                },
                .count("bytes", "Size of the file, in bytes.") { $0.info.bytes },
                .count("runs", "Runs.") { $0.info.runs },
                .count("hourly_sums", "Hourly sums.") { $0.info.rollups },
                .count("pruned_samples", "Pruned samples, whose hourly sums are left.") {
                    $0.info.prunedSamples
                },
                .moment("pruned_before", null: "nothing was pruned", "Time before which.") {
                    $0.info.prunedBefore
                },
            ] + HoldingsTable.fields.of { $0.holdings }
        )
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that a store is sound: every page, row, sum and checksum.",
            discussion: """
                Exits with 0 if the store is sound, else with 65 and one line per finding. Nothing \
                is changed, except that a store of an older version is upgraded. Each place of a \
                central store is checked like its own store. If a part of it was not checked, the \
                exit code is 75.

                Examples:
                  dnstempo store check
                  dnstempo store check --store home.sqlite --format json
                """
        )

        @OptionGroup var named: NamedStore
        @OptionGroup var without: LeftOutOption

        @Option(help: "table or json.", completion: .list(["table", "json"]))
        var format = "table"

        @Flag(name: [.short, .long], help: "Print nothing if the store is sound.")
        var quiet = false

        func run() async throws {
            let format = try OutputFormat(tableOrJSON: format)
            let path = try named.pathOrURL()
            let reader = try CentralReader(ofAll: [path], without: without.places(of: [path]))
            let result = try reader.map { try $0.check() } ?? Self.check(path)
            if !result.isSound || !quiet {
                try format == .json
                    ? Terminal.output.write(
                        data: Self.shape.members(of: (result, path)).text() + "\n"
                    )
                    : Terminal.output.write(Self.lines(result, path))
            }
            guard !result.isSound else { return }
            guard !result.findings.isEmpty else {
                throw Failure(
                    .busy,
                    "the central store was not checked as a whole: what was checked is sound"
                )
            }
            guard reader == nil else {
                throw Failure(
                    .badData,
                    "the central store is not sound: the stores of the named places "
                        + "have the missing data"
                )
            }
            throw Failure(
                .badData,
                "the store '\(path)' is not sound: keep a copy; merge the intact rounds into "
                    + "another with dnstempo store merge \(path.shellQuoted) --store NEW.sqlite"
            )
        }

        /// Checks the store. A store that is too damaged to open is a finding, not an error.
        private static func check(_ path: String) throws(StoreError) -> CheckResult {
            do {
                return try Store(path: path, access: .readOnly).check()
            } catch {
                if error.isOfOlderVersion { return try Store(path: path).check() }
                guard let damage = error.damage else { throw error }
                return CheckResult(findings: ["the file: \(damage)"])
            }
        }

        private static func lines(_ result: CheckResult, _ path: String) -> String {
            let lines = (result.findings + result.unchecked + result.notes)
                .map { EscapedText.terminal($0) + "\n" }.joined()
            guard result.isSound else { return lines }
            let counts = [
                result.rounds.counted("round"), result.samples.counted("sample"),
                result.rollups.counted("hourly sum"),
            ].joined(separator: ", ")
            return "\(lines)'\(EscapedText.terminal(path))' is sound: \(counts) agree\n"
        }

        /// The JSON form of a check's result.
        static let shape = Shape<(result: CheckResult, path: String)>(
            "store-check",
            [
                .text("store", "Path or URL of the store.") { $0.path },
                .flag("sound", "Whether all that was checked is sound.") { $0.result.isSound },
                .count("rounds", "Rounds that were checked.") { $0.result.rounds },
                .count("samples", "Samples that were checked.") { $0.result.samples },
                .count("hourly_sums", "Hourly sums that were checked.") { $0.result.rollups },
                .texts("findings", "Faults, for a reader.") { $0.result.findings },
                .texts("unchecked", "Parts that were not checked, for a reader.") {
                    $0.result.unchecked
                },
                .texts("notes", "Notes, for a reader.") { $0.result.notes },
            ]
        )
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop samples of a certain age; their hourly sums stay.",
            discussion: """
                Reports over more than eight days use the hourly sums and stay as before. Reports \
                by name or type, and exact reports, begin with the first sample left. The space \
                returns to the disk. A central store, which its owner prunes, uses the space \
                again.

                Examples:
                  dnstempo store prune --older-than 90d --dry-run
                  dnstempo store prune --older-than 90d
                  dnstempo store prune --older-than 90d --store postgresql://owner@db.example/dns
                """
        )

        @Option(help: "Drop samples older than this, in whole hours.".naming("time"))
        var olderThan: String

        @OptionGroup var named: NamedStore

        @Flag(help: "Only print what would be dropped.")
        var dryRun = false

        @Flag(name: [.short, .long], help: "Print errors only.")
        var quiet = false

        func run() async throws {
            let age =
                try Duration.read(olderThan, of: "--older-than") ?? .zero
            guard age > .zero else {
                throw Failure.usage("--older-than 0: give an age above 0, as in 90d")
            }
            let path = try named.pathOrURL()
            let limit = Timestamp.now.advanced(by: .zero - age)
            if let target = try CentralAddress(ofAll: [path]) {
                return try prune(target.connection(), before: limit.startOfHour)
            }
            // The store is opened read-only, because pruning a missing store would create it.
            let reader = try Store(path: path, access: .readOnly)
            let old = try reader.prunable(olderThan: limit)
            let before = try reader.info().bytes
            try drop(old) {
                let store = try Store(path: path)
                _ = try store.prune(olderThan: limit)
                return try "; \(max(0, before - store.info().bytes)) bytes freed"
            }
        }

        private func prune(_ central: CentralConnection, before limit: Timestamp) throws {
            let pruning = try CentralPruning(central, before: limit)
            let (rounds, samples) = try pruning.prunable()
            try drop(Prunable(limit: limit, rounds: rounds, samples: samples)) {
                try pruning.prune()
                return ""
            }
        }

        /// Prints what is dropped. After the removal, it prints the text that `body` returns.
        private func drop(_ old: Prunable, _ body: () throws -> String) throws {
            let limit = old.limit.minuteText
            let what =
                "\(old.samples.counted("sample")) of \(old.rounds.counted("round")) from before \(limit)"
            let rest = "their rounds and hourly sums stay"
            guard old.rounds > 0 else { return try say("nothing is from before \(limit)") }
            guard !dryRun else { return try say("would drop \(what); \(rest)") }
            let result = try body()
            try say("dropped \(what); \(rest)\(result)")
        }

        private func say(_ text: String) throws {
            if !quiet { try Terminal.output.write("\(text)\n") }
        }
    }
}
