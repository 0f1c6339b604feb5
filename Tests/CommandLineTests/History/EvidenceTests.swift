import Foundation
import Servers
import Testing

struct EvidenceTests {
    private func comparisons(_ text: String) throws -> [[String: String]] {
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let all = try #require(json?["comparisons"] as? [[String: Any]])
        return all.map { $0.mapValues { "\($0)" } }
            .sorted { ($0["candidate"] ?? "") < ($1["candidate"] ?? "") }
    }

    @Test(arguments: [["--rounds", "9"], ["--until-sure", "--max-rounds", "12"]])
    func `a samples file gives the same evidence as its run`(length: [String]) async throws {
        let folder = TemporaryFolder()
        let live = try await Command.succeed(
            ["compare", "--lab", "--margin", "2ms", "--format", "json"] + length
                + ["--samples", "s.csv"],
            in: folder.path
        )
        let read = try await Command.succeed(
            ["report", "s.csv", "--baseline", "harbour", "--margin", "2ms", "--format", "json"],
            in: folder.path
        )
        let (told, evidence) = (try comparisons(live.output), try comparisons(read.output))
        #expect(!evidence.isEmpty)
        #expect(told == evidence)
    }

    @Test(arguments: [
        (["--baseline", "meadov"], "'meadov' was not measured"),
        (["--margin", "5ms"], "add --baseline"),
        (["--baseline", "meadow", "--by", "name"], "give one"),
        (["--baseline", "meadow", "--margin", "soon"], "--margin"),
    ])
    func `an impossible comparison is rejected`(arguments: [String], reason: String) async throws {
        let folder = TemporaryFolder()
        try await Command.succeed(
            ["compare", "--lab", "-q", "--rounds", "1", "--samples", "s.csv"],
            in: folder.path
        )
        let read = try await Command.run(["report", "s.csv"] + arguments, in: folder.path)
        #expect(read.code == 64)
        #expect(read.errors.contains(reason), "\(read.errors)")
    }
}
