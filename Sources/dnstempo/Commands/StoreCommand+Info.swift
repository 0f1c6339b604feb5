import ArgumentParser
import Samples
import Store

extension StoreCommand {
    /// How much there is, and from when to when.
    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how much a store holds, and from when to when.",
            discussion: """
                Examples:
                  dnstempo store info
                  dnstempo store info --store home.sqlite --format json
                """
        )

        @OptionGroup var named: NamedStore

        @Option(help: "table or json.")
        var format = "table"

        func run() async throws {
            let info = try Store(path: named.path(), access: .readOnly).info()
            switch format {
            case "table": try Terminal.output.write(Self.table(info))
            case "json": try Terminal.output.write(Self.json(info))
            default:
                throw Failure(.usage, "--format: '\(format)' is none; write table or json")
            }
        }

        private static func table(_ info: StoreInfo) -> String {
            var table = PlainTable(nil)
            table.add(["store", info.path])
            table.add(["rounds", "\(info.rounds)"])
            table.add(["samples", "\(info.samples)"])
            table.add(["first", info.first?.description ?? "none"])
            table.add(["last", info.last?.description ?? "none"])
            table.add(["bytes", "\(info.bytes)"])
            table.add(["runs", "\(info.runs)"])
            table.add(["hourly sums", "\(info.rollups)"])
            if let limit = info.prunedBefore {
                table.add([
                    "pruned", "\(info.prunedSamples) samples, from before \(limit.hourText)",
                ])
            }
            return table.text
        }

        private static func json(_ info: StoreInfo) -> String {
            func quoted(_ moment: Timestamp?) -> String { moment.map { "\"\($0)\"" } ?? "null" }
            return """
                {
                  "rounds": \(info.rounds),
                  "samples": \(info.samples),
                  "first": \(quoted(info.first)),
                  "last": \(quoted(info.last)),
                  "bytes": \(info.bytes),
                  "runs": \(info.runs),
                  "hourly_sums": \(info.rollups),
                  "pruned_samples": \(info.prunedSamples),
                  "pruned_before": \(quoted(info.prunedBefore))
                }

                """
        }
    }
}
