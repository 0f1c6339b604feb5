import Foundation
import Servers
import Testing

/// `--connect`: a resolver with faster answers but more distant addresses is not recommended.
@Suite(.enabled("a network of its own needs permission") { await EdgeNetwork.isPermitted })
struct EdgeTests {
    private let folder = TemporaryFolder()
    /// Two of the three resolvers are 5 ms faster than the current resolver.
    private let network = EdgeNetwork(home: 20, lure: 15, same: 15)

    private func compare(
        _ words: String,
        _ resolvers: [String]
    ) async throws -> (report: JSON, run: CommandOutput) {
        let names = ["a", "b", "c", "d"].flatMap { ["-d", "\($0).example.com"] }
        let run = try await network.run(
            Program.dnstempo(),
            ["compare"] + resolvers + names
                + ["--margin", "2ms", "--rate", "50", "--total-rate", "150", "--seed", "1"]
                + ["--no-check", "--no-floor", "--no-store", "-o", "x.json", "--samples", "x.csv"]
                + words.split(separator: " ").map(String.init),
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.code == 0, "\(run)")
        return (try JSON(folder.text("x.json")), run)
    }

    private func comparison(of name: String, in report: JSON) throws -> [String: Any] {
        let comparisons = try #require(report["comparisons"] as? [[String: Any]])
        return try #require(comparisons.first { $0["candidate"] as? String == name })
    }

    private func conclusion(_ comparison: [String: Any]) -> String {
        "\(comparison["verdict"] ?? "") \(comparison["reason"] ?? "")"
    }

    /// The comparison of connection times to the addresses in the answers. Empty if there is no result.
    private func contentPart(of comparison: [String: Any]) -> [String: Any] {
        comparison["content"] as? [String: Any] ?? [:]
    }

    @Test func `a resolver whose addresses are far away is not recommended`() async throws {
        let both = [EdgeNetwork.home, EdgeNetwork.lure]
        var blind: [String: Any] = [:]
        // Other load on the machine may delay a decision.
        for _ in 0..<3 where conclusion(blind) != "switch faster" {
            blind = try comparison(of: "lure", in: await compare("", both).report)
        }
        #expect(conclusion(blind) == "switch faster", "\(blind)")

        var (report, run) = try await compare("--connect", both)
        var lure = try comparison(of: "lure", in: report)
        var content = contentPart(of: lure)
        for _ in 0..<2
        where conclusion(lure) != "undecided edge" || conclusion(content) != "keep slower" {
            (report, run) = try await compare("--connect", both)
            lure = try comparison(of: "lure", in: report)
            content = contentPart(of: lure)
        }
        #expect(run.errors.contains("connecting to TCP port 443 of the addresses that the"))
        #expect(run.output.hasPrefix("No clear gain: lure is faster, but its addresses"))
        #expect(conclusion(lure) == "undecided edge", "\(lure)")
        #expect(conclusion(content) == "keep slower", "\(lure)")
        #expect(report["advice"] is NSNull)

        // A report on the samples file repeats the result of the run.
        try await Command.succeed(
            ["report", "x.csv", "--baseline", "home", "--margin", "2ms", "-o", "y.json"],
            in: folder.path
        )
        let again = try comparison(of: "lure", in: JSON(folder.text("y.json")))
        #expect(conclusion(again) == "undecided edge")
        let told = try #require(again["content"] as? [String: Any])
        #expect(conclusion(told) == conclusion(content))
        for key in ["rounds", "difference_ms", "connect_difference_ms", "log_e_slower"] {
            let (own, other) = (content[key] as? Double, told[key] as? Double)
            #expect(try #require(own) == #require(other), "\(key)")
        }
    }

    @Test func `an equally fast resolver with nearer addresses is recommended`() async throws {
        let all = [EdgeNetwork.home, EdgeNetwork.lure, EdgeNetwork.same]
        var same: [String: Any] = [:]
        var lure: [String: Any] = [:]
        // Other load on the machine may delay a decision.
        for _ in 0..<3
        where conclusion(same) != "switch faster" || conclusion(lure) != "undecided edge" {
            let report = try await compare("--connect", all).report
            lure = try comparison(of: "lure", in: report)
            same = try comparison(of: "same", in: report)
        }
        #expect(conclusion(lure) == "undecided edge", "\(lure)")
        #expect(conclusion(same) == "switch faster", "\(same)")
        let content = try #require(same["content"] as? [String: Any])
        #expect(content["connect_difference_ms"] as? Double == 0)
        let columns = folder.text("x.csv").split(separator: "\n")
        #expect(columns[0].contains(",edge_ms,"))
    }
}
