import Foundation
import Servers
import Testing

/// Strategies in the report of a run, and in later reports on the same samples.
@Suite struct StrategyTests {
    private static let run = [
        "compare", "--lab", "harbour", "brook", "marsh", "--seed", "3", "--rate", "500",
        "--total-rate", "1500", "--strategies",
    ]

    @Test func `a run, its file and its store report the same strategies`() async throws {
        let folder = TemporaryFolder()
        let run = try await Command.succeedSilently(
            Self.run + ["--store", "s.sqlite", "--samples", "s.csv", "-o", "run.json"],
            in: folder.path
        )
        #expect(run.output.contains("\n  race with brook "))
        let told = try JSON(folder.text("run.json"))
        let strategies = try #require(told["strategies"] as? NSDictionary)
        // Runs with strategies have 60 rounds by default. Strategies use each name in every second round.
        #expect(strategies["rounds"] as? Int == 60 && strategies["lookups"] as? Int == 300)
        #expect(strategies["at_once"] as? Bool == true)
        for source in [["s.csv"], ["last", "--store", "s.sqlite"]] {
            let report = try await Command.run(
                ["report"] + source
                    + ["--baseline", "harbour", "--strategies", "--format", "json"],
                in: folder.path
            )
            let found = try #require(try JSON(report.output)["strategies"] as? NSDictionary)
            #expect(try rows(of: found) == rows(of: strategies), "\(source)")
        }
    }

    /// The rows of pairs, sorted by strategy and resolvers. A file does not contain the order of the
    /// resolvers.
    private func rows(of strategies: NSDictionary) throws -> [NSDictionary] {
        let rows = try #require(strategies["rows"] as? [NSDictionary])
        let pairs = rows.filter {
            ($0["resolvers"] as? [String])?.count == 2 && $0["strategy"] as? String != "winners"
        }
        return pairs.sorted {
            "\($0["strategy"] ?? "")\($0["resolvers"] ?? "")"
                < "\($1["strategy"] ?? "")\($1["resolvers"] ?? "")"
        }
    }

    @Test func `strategies use the requested number of rounds`() async throws {
        let run = try await Command.run(Self.run + ["--rounds", "8", "--format", "json"])
        let strategies = try #require(try JSON(run.output)["strategies"] as? NSDictionary)
        #expect(strategies["rounds"] as? Int == 8 && strategies["lookups"] as? Int == 40)
    }

    @Test func `a report of strategies requires a baseline`() async throws {
        let run = try await Command.run(["report", "samples.csv", "--strategies"])
        #expect(run.code == 64)
        #expect(
            run.errors
                == "dnstempo: --strategies compares with one resolver: add --baseline LABEL\n"
        )
    }
}
