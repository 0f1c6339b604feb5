import Foundation
import Servers
import Testing

/// Comparisons of the idle and the busy line.
@Suite struct UnderLoadTests {
    private static let run = [
        "compare", "--lab", "harbour", "brook", "--rate", "500", "--total-rate", "1500",
        "--no-check",
        "-d", "a.example", "-d", "b.example", "--under-load",
    ]

    @Test func `a run, its file and its store report the states of the line`() async throws {
        let folder = TemporaryFolder()
        try await withServer(LoadResponder(rate: 2_000_000)) { server in
            let run = try await Command.succeed(
                Self.run + [
                    "--rounds", "2", "--load", "http://\(server.endpoint)/", "--dscp", "nqb",
                ]
                    + ["--store", "s.sqlite", "--samples", "s.csv", "-o", "r.json", "-o", "r.svg"]
                    + ["-o", "r.html"],
                in: folder.path
            )
            #expect(
                run.errors.contains(
                    "--under-load transfers at most 200 MB, from \(server.endpoint); --load-limit "
                        + "changes it\n"
                )
            )
            #expect(run.output.hasPrefix("Too few rounds to say what a busy line adds.\n"))
        }
        let told = try JSON(folder.text("r.json"))
        let load = try #require(told["under_load"] as? NSDictionary)
        #expect(load["rounds"] as? Int == 2 && load["dscp"] as? Int == 45)
        let facts = try #require(load["load"] as? NSDictionary)
        #expect(facts["limit_reached"] as? Bool == false && facts["failure"] is NSNull)
        let bytes = try #require(facts["bytes"] as? Int)
        #expect(bytes > 0 && bytes < 200_000_000)
        let samples = folder.text("s.csv")
        for series in ["cached", "loaded", "loaded-marked"] {
            let count = samples.split(separator: "\n").count { $0.contains(",\(series),") }
            #expect(count == 2 * 2 * 2, "\(series)")
        }
        for source in [["s.csv"], ["last", "--store", "s.sqlite"]] {
            let report = try await Command.run(
                ["report"] + source + ["--baseline", "harbour", "--format", "json"],
                in: folder.path
            )
            let found = try #require(try JSON(report.output)["under_load"] as? NSDictionary)
            #expect(found["load"] is NSNull && found["rounds"] as? Int == 2, "\(source)")
            #expect((found["rows"] as? [NSDictionary])?.count == 2, "\(source)")
        }
        let check = try await Command.run(
            ["store", "check", "--store", "s.sqlite"],
            in: folder.path
        )
        #expect(check.code == 0, "\(check.output)\(check.errors)")
    }

    @Test func `the limit ends a run with the rounds so far`() async throws {
        let folder = TemporaryFolder()
        // On a busy machine, the throughput may become stable after 20 s only, and 44 MB.
        try await withServer(LoadResponder(rate: 2_000_000)) { server in
            let run = try await Command.succeed(
                Self.run + ["--load", "http://\(server.endpoint)/", "--load-limit", "60MB"]
                    + ["--rounds", "100", "--no-store", "-o", "r.json"],
                in: folder.path
            )
            #expect(run.output.contains("The limit of bytes ended the run after "))
        }
        let told = try JSON(folder.text("r.json"))
        let load = try #require(told["under_load"] as? NSDictionary)
        let facts = try #require(load["load"] as? NSDictionary)
        #expect(facts["limit_reached"] as? Bool == true)
        #expect(try #require(facts["bytes"] as? Int) < 60_000_000)
    }

    @Test func `a load that transfers nothing ends a run with the reason`() async throws {
        try await withServer(LoadResponder(rate: 2_000_000)) { server in
            let run = try await Command.run(
                Self.run + ["--load", "http://\(server.endpoint)/missing", "--no-store"]
            )
            #expect(run.code == 69)
            #expect(
                run.errors.contains(
                    "--load http://\(server.endpoint)/missing: no download at \(server.endpoint) "
                        + "(HTTP 404): see whether the server runs, and give the URL of a large file or "
                        + "an upload\n"
                )
            )
        }
    }
}
