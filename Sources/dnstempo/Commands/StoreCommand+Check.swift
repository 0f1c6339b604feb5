import ArgumentParser
import Reports
import Store

extension StoreCommand {
    /// Whether everything is as it was stored.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look whether a store is sound: every page, row, sum and checksum of it.",
            discussion: """
                Ends with 0 where it is, and with 65 and a line a finding where it is not. Nothing \
                is changed, but that a store of an older version is brought to this one.

                Examples:
                  dnstempo store check
                  dnstempo store check --store home.sqlite --format json
                """
        )

        @OptionGroup var named: NamedStore

        @Option(help: "table or json.")
        var format = "table"

        @Flag(name: [.short, .long], help: "Print nothing where the store is sound.")
        var quiet = false

        func run() async throws {
            guard ["table", "json"].contains(format) else {
                throw Failure(.usage, "--format: '\(format)' is none; write table or json")
            }
            let path = try named.path()
            let result = try Self.check(path)
            if !result.isSound || !quiet {
                try Terminal.output.write(
                    format == "json" ? Self.json(result, path) : Self.lines(result, path)
                )
            }
            guard !result.isSound else { return }
            throw Failure(
                .badData,
                "the store '\(path)' is not sound: keep a copy; what it still has goes into another "
                    + "with dnstempo store merge \(path.shellQuoted) --store NEW.sqlite"
            )
        }

        /// A store that is too damaged to be opened is a finding too.
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
            guard result.isSound else {
                return result.findings.map { EscapedText.terminal($0) + "\n" }.joined()
            }
            let counts = [
                result.rounds.counted("round"), result.samples.counted("sample"),
                result.rollups.counted("hourly sum"),
            ].joined(separator: ", ")
            return "'\(EscapedText.terminal(path))' is sound: \(counts) agree\n"
        }

        private static func json(_ result: CheckResult, _ path: String) -> String {
            let findings = result.findings.map { "\n    \"\(EscapedText.json($0))\"" }
            return """
                {
                  "store": "\(EscapedText.json(path))",
                  "sound": \(result.isSound),
                  "rounds": \(result.rounds),
                  "samples": \(result.samples),
                  "hourly_sums": \(result.rollups),
                  "findings": [\(findings.joined(separator: ","))\(findings.isEmpty ? "" : "\n  ")]
                }

                """
        }
    }
}
