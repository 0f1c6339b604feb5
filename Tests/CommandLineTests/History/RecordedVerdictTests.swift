import Foundation
import Servers
import Testing

/// What later runs and scripts make of a run.
@Suite struct RecordedVerdictTests {
    private static let lab = ["compare", "--lab", "harbour", "meadow", "brook"]

    /// By candidate: a file of samples does not tell the order in which resolvers were named.
    private func comparisons(_ text: String) throws -> [NSDictionary] {
        let all = try #require(try JSON(text)["comparisons"] as? [NSDictionary])
        return all.sorted { "\($0["candidate"] ?? "")" < "\($1["candidate"] ?? "")" }
    }

    @Test func `a run goes on from its first round`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let stored = Self.lab + ["--store", folder.file("s.sqlite"), "--format", "json"]
        let first = try await Binary.run(stored + ["--rounds", "3"])
        #expect(first.code == 0 && first.errors == "")
        let second = try await Binary.run(stored + ["--rounds", "4", "--resume"])
        #expect(second.code == 0)
        #expect(
            second.errors.contains(/^dnstempo: resuming run [0-9TZ]+-[0-9a-f]{8} \(3 rounds\)\n$/)
        )
        let rounds = try comparisons(second.output).compactMap { $0["rounds"] as? Int }
        #expect(rounds == [7, 7])
        let other = try await Binary.run(
            stored + ["--rounds", "1", "--resume", "--margin", "1ms"]
        )
        #expect(other.errors.contains("has no such run to resume; starting a new one"))
        let third = try await Binary.run(stored + ["--rounds", "1", "--resume"])
        #expect(third.errors.contains(" (7 rounds)\n"))
    }

    @Test func `a run is resumed from a store alone`() async throws {
        let run = try await Binary.run(Self.lab + ["--resume", "--rounds", "1"])
        #expect(run.code == 64)
        #expect(
            run.errors
                == "dnstempo: --resume continues a run of a store: name one with --store\n"
        )
    }

    @Test func `what holds of a run is one line and exit code 1`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await Binary.run(
            Self.lab + ["--rounds", "40", "--baseline", "meadow", "-q", "--samples", "s.csv"]
                + ["--fail-if", "harbour:p50 > 5ms", "--fail-if", "loss > 99%"]
                + ["--fail-if", "slower-than-baseline"],
            in: folder.path
        )
        #expect(run.code == 1)
        #expect(
            run.errors.contains(
                /^dnstempo: --fail-if 'harbour:p50 > 5ms' holds: harbour has p50 2[0-9.]+ ms; 'slower-than-baseline' holds: harbour is slower\n$/
            )
        )
        let report = try await Binary.run(
            ["report", "s.csv", "--baseline", "meadow", "--fail-if", "slower-than-baseline"],
            in: folder.path
        )
        #expect(report.code == 1)
        #expect(report.errors.contains("'slower-than-baseline' holds: harbour is slower"))
        #expect(report.output.contains("meadow"))
        let calm = try await Binary.run(
            ["report", "s.csv", "--fail-if", "p50 > 10s"],
            in: folder.path
        )
        #expect(calm.code == 0 && calm.errors == "")
    }

    @Test func `two saved runs are held against each other`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (base, name) in [("4ms", "before"), ("25ms", "now")] {
            try folder.write("[[resolver]]\nname = \"one\"\nbase = \"\(base)\"\n", to: "lab.toml")
            let run = try await Binary.run(
                ["compare", "--lab", "lab.toml", "--rounds", "10", "-q"]
                    + ["--samples", "\(name).csv"],
                in: folder.path
            )
            #expect(run.code == 0)
        }
        let slower = try await Binary.run(
            ["report", "now.csv", "--against", "before.csv", "--fail-if", "slower-than-baseline"],
            in: folder.path
        )
        #expect(slower.code == 1)
        #expect(slower.output.contains("one: slower than before, median 2"))
        #expect(
            slower.errors == "dnstempo: --fail-if 'slower-than-baseline' holds: one is slower\n"
        )
        let faster = try await Binary.run(
            ["report", "before.csv", "--against", "now.csv", "--fail-if", "slower-than-baseline"]
                + ["--format", "json"],
            in: folder.path
        )
        #expect(faster.code == 0 && faster.errors == "")
        let rows = try JSON(faster.output)["rows"] as? [[String: Any]]
        #expect(rows?.first?["verdict"] as? String == "switch")
        #expect(rows?.first?["rounds"] as? Int == 10)
    }
}
