import Foundation
import Servers
import Testing

/// The rounds without an answer from one resolver, in reports on a store.
@Suite struct AvailabilityCommandTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) async throws -> String {
        let run = try await Command.run(arguments, environment: ["TZ": "UTC"], in: folder.path)
        #expect(run.code == 0 && run.errors == "", "\(arguments): \(run.errors)")
        return run.output
    }

    private static let window = [
        "--origin", "import", "--since", "2026-03-16", "--until", "2026-03-30", "--format",
    ]

    private func report(_ format: String, _ arguments: String...) async throws -> String {
        let all = ["report", "a.sqlite"] + Self.window + [format] + arguments
        let run = try await Command.run(all, environment: ["TZ": "UTC"], in: folder.path)
        #expect(run.code == 0 && run.errors == "", "\(arguments): \(run.errors)")
        return run.output
    }

    /// Stores two weeks of rounds, ten minutes apart. harbour is silent on the fifth day for half an hour, and
    /// brook for a single round. On the tenth day, harbour is silent for three hours.
    private func store() async throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 14 * 144, interval: 600)
        let text = try rounds.file { query in
            let isSilent =
                switch query.resolver {
                case 1: (584..<587).contains(query.round) || (1300..<1318).contains(query.round)
                case 2: query.round == 600
                default: false
                }
            return isSilent ? .timeout : .answer(10 + query.noise)
        }
        try folder.write(text, to: "a.csv")
        _ = try await run("store", "import", "a.csv", "--store", "a.sqlite")
    }

    @Test func `pruning keeps the availability, and the outages of whole hours`() async throws {
        try await store()
        func figures() async throws -> [String] {
            var found: [String] = []
            for grouping in ["resolver", "day", "vantage", "transport"] {
                let table = Table(try await report("csv", "--by", grouping))
                found += table.column("rounds") + table.column("rounds_without_answer")
            }
            return found
        }
        let before = try await figures()
        #expect(before.prefix(6).sorted() == ["0", "1", "2016", "2016", "2016", "21"])
        let sentence =
            "By resolver: harbour 99.0 % (21 of 2016 rounds without an answer), brook 99.95 %"
        #expect(try await report("markdown").contains(sentence))
        let changes = try await report("json", "--changes")
        for moment in ["20T01:20", "20T01:50", "25T00:40", "25T03:40"] {
            #expect(changes.contains("\"2026-03-\(moment):00"), "\(moment): \(changes)")
        }
        _ = try await run("store", "prune", "--older-than", "1d", "--store", "a.sqlite")
        #expect(try await figures() == before)
        _ = try await run("store", "check", "--store", "a.sqlite")
        let left = try await report("json", "--changes")
        #expect(left.contains("\"2026-03-25T01:00:00") && !left.contains("\"2026-03-20T01"))
        let hours = try await run("export", "a.sqlite", "--rollups")
        let rounds = Table(hours).column("rounds_without_answer").compactMap { Int($0) }
        #expect(rounds.reduce(0, +) == 22)
    }

    @Test func `charts show the outages of one resolver, also those of half an hour`() async throws
    {
        try await store()
        let arguments = ["chart", "a.sqlite"] + Self.window.dropLast()
        let text = try await Command.run(arguments, environment: ["TZ": "UTC"], in: folder.path)
        #expect(text.output.contains("harbour: no answer from 2026-03-20 01:20 to 01:50"))
        #expect(text.output.contains("harbour: no answer from 2026-03-25 00:40 to 03:40"))
        #expect(!text.output.contains("brook: no answer"))
        let picture = ["-o", "a.svg"]
        _ = try await Command.run(arguments + picture, environment: ["TZ": "UTC"], in: folder.path)
        #expect(folder.text("a.svg").contains("Crossed: no answer"))
    }
}
