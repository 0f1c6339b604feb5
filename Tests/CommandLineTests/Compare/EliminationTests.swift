import Foundation
import Servers
import Testing

/// Lab runs that stop querying a resolver when it cannot win any more.
@Suite struct EliminationTests {
    private let folder = TemporaryFolder()

    /// The current resolver, four fast resolvers, one of medium latency, and one with a high latency.
    init() throws {
        let medians = [
            ("home", 34), ("a", 5), ("b", 6), ("c", 7), ("d", 8), ("mid", 24), ("far", 70),
        ]
        let tables = medians.map { name, base in
            "[[resolver]]\nname = \"\(name)\"\nbase = \"\(base)ms\"\njitter = \"1ms\"\nsigma = 0.4\n"
        }
        try folder.write("baseline = \"home\"\n" + tables.joined(separator: "\n"), to: "lab.toml")
    }

    private func run(_ words: String) async throws -> CommandOutput {
        let arguments = words.split(separator: " ").map(String.init)
        let run = try await Command.run(
            ["compare", "--lab", "lab.toml", "--seed", "7"] + arguments,
            in: folder.path
        )
        #expect(run.code == 0 && run.errors == "", "\(run)")
        return run
    }

    /// The conclusions without confidence levels. Holm's test may place equally certain candidates in either
    /// order.
    private func conclusions(_ report: JSON) throws -> [String] {
        let comparisons = try #require(report["comparisons"] as? [[String: Any]])
        let keys = ["candidate", "verdict", "reason", "rounds", "pairs", "median_difference_ms"]
        return comparisons.map { one in "\(keys.map { one[$0] ?? "" })" }.sorted()
    }

    private func queries(_ file: String) throws -> [String: Int] {
        let pairs = try JSON(folder.text(file)).resolvers.map { one in
            (one["name"] as? String ?? "", one["sent"] as? Int ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func `a resolver that cannot win is no longer queried`() async throws {
        let (setAside, slower) = (
            "- mid: set aside early: three others are faster, or at most",
            "- far: slower than home."
        )
        var output = ""
        var sent: [String: Int] = [:]
        var isEarly = false
        // Other load on the machine may delay the evidence about a resolver.
        for _ in 0..<3 where !isEarly {
            output = try await run("-o live.json --samples s.csv").output
            sent = try queries("live.json")
            let most = sent["home", default: 0]
            isEarly =
                sent["a"] == most && sent["far", default: most] < most
                && sent["mid", default: most] < most && output.hasPrefix("Yes, switch to ")
                && output.contains(setAside) && output.contains(slower)
        }
        let most = try #require(sent["home"])
        #expect(sent["a"] == most && most >= 149)
        #expect(try #require(sent["far"]) < most && #require(sent["mid"]) < most)
        #expect(output.hasPrefix("Yes, switch to "))
        #expect(output.contains(setAside))
        #expect(output.contains(slower))
        try await Command.succeed(
            ["report", "s.csv", "--baseline", "home", "-o", "read.json"],
            in: folder.path
        )
        let (told, found) = try (JSON(folder.text("live.json")), JSON(folder.text("read.json")))
        #expect(try conclusions(told) == conclusions(found))
        let mid = try #require(found.resolvers.first { $0["name"] as? String == "mid" })
        #expect((mid["no_faster_than"] as? [String])?.count == 3)
        #expect(mid["queried_rounds"] is Int && mid["rank"] is NSNull)
    }

    @Test(arguments: ["--keep-all", "--fail-if loss>90%", "--rounds 3"])
    func `without elimination every resolver is queried to the end`(option: String) async throws {
        _ = try await run("\(option) -o all.json")
        #expect(Set(try queries("all.json").values).count == 1)
    }
}
