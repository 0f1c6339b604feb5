import Foundation
import Servers
import Testing

/// The lab's configured delays, compared with the measured times.
@Suite(.serialized) struct InstrumentTests {
    private let folder = TemporaryFolder()

    /// Medians in milliseconds, and the lines of a lab profile that produce them: base + jitter.
    private static let resolvers: [(name: String, median: Double, lines: String)] = [
        ("two", 2, "base = \"2ms\""), ("five", 5, "base = \"5ms\""),
        ("ten", 10, "base = \"10ms\""), ("twenty", 20, "base = \"20ms\""),
        ("forty", 40, "base = \"40ms\""),
        ("uneven", 15, "base = \"14.5ms\"\njitter = \"0.5ms\"\nsigma = 0.5"),
    ]

    /// The run has the highest priority if this is permitted, since a busy machine delays the lab and the
    /// program. An answer is never early, so the smallest error of several runs counts.
    @Test func `configured medians are measured to a fifth of a millisecond`() async throws {
        let profile = Self.resolvers.map { "[[resolver]]\nname = \"\($0.name)\"\n\($0.lines)\n" }
        try folder.write(profile.joined(), to: "lab.toml")
        var errors: [String: Double] = [:]
        for _ in 0..<5 where errors.isEmpty || errors.values.contains(where: { $0 > 0.2 }) {
            let run = try await Program("nice", package: "coreutils").run(
                ["-n", "-20", Program.dnstempo().path, "compare", "--lab", "lab.toml"]
                    + ["-d", "a.test", "-d", "b.test", "--rounds", "40", "--format", "json"],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(run.code == 0)
            let report = try JSON(run.output)
            for resolver in Self.resolvers {
                let row = try report.resolver(resolver.name)
                let median = try #require(row["median_ms"] as? Double)
                errors[resolver.name] = min(
                    errors[resolver.name] ?? .infinity,
                    abs(median - resolver.median)
                )
            }
        }
        for (name, error) in errors { #expect(error <= 0.2, "\(name) is off by \(error) ms") }
    }

    @Test func `the faults of a hostile lab are recognised`() async throws {
        let faults = [
            "cut": "truncate = 1.0", "forged": "wrong-id = 1.0", "twice": "duplicate = 1.0",
            "silent": "silent = true", "refusing": "refuse = true", "broken": "servfail = 1.0",
        ]
        let profile = faults.sorted { $0.key < $1.key }.map { name, fault in
            "[[resolver]]\nname = \"\(name)\"\nbase = \"2ms\"\n\(fault)\n"
        }
        try folder.write(profile.joined(), to: "lab.toml")
        let run = try await Command.succeed(
            ["compare", "--lab", "lab.toml", "-d", "example.com", "--rounds", "5"]
                + ["--timeout", "2s", "--format", "json", "--samples", "s.csv"],
            in: folder.path
        )
        let report = try JSON(run.output)
        for name in ["cut", "forged", "twice"] {
            #expect(try report.resolver(name)["answered"] as? Int == 5)
        }
        let silent = try report.resolver("silent")
        #expect(silent["timeouts"] as? Int == 5)
        #expect(silent["median_ms"] is NSNull)
        let refused = try report.resolver("refusing")["failures"] as? [String: Int]
        #expect(refused?["REFUSED"] == 5)
        let broken = try report.resolver("broken")["failures"] as? [String: Int]
        #expect(broken?["SERVFAIL"] == 5)
        let samples = Table(folder.text("s.csv"))
        let cut = samples.rows.filter { samples[$0, "resolver"] == "cut" }
        #expect(
            cut.allSatisfy { row in
                let parts = ["udp_ms", "rtt_ms"].compactMap { Double(samples[row, $0]) }
                return parts.count == 2 && parts[0] < parts[1]
            }
        )
        let forged = samples.rows.filter { samples[$0, "resolver"] == "forged" }
        #expect(forged.allSatisfy { samples[$0, "detail"].contains("wrong ID") })
    }

    @Test func `the instrument is checked before and during a run`() async throws {
        let run = try await Command.succeed(
            ["compare", "--lab", "-d", "example.com", "--rounds", "10", "--interval", "700ms"]
                + ["-v", "-o", "r.json"],
            in: folder.path
        )
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        let block = lines.drop { $0 != "The instrument:" }.dropFirst().prefix { !$0.isEmpty }
        let names = block.filter { $0.dropFirst(2).first != " " }.map { line in
            line.dropFirst(2).prefix { $0 != " " }
        }
        #expect(
            names == ["loopback", "error", "timers", "sending", "clock", "own", "cores", "machine"]
        )
        let instrument = try #require(
            try JSON(folder.text("r.json"))["instrument"] as? [String: Any]
        )
        for (moment, least) in [("before", 50), ("during", 10)] {
            let check = try #require(instrument[moment] as? [String: Any])
            #expect(check["queries"] as? Int ?? 0 >= least)
            #expect(check["clock"] as? String == "kernel")
            let median = try #require(check["median_ms"] as? Double)
            #expect(median > 0 && median < 100)
        }
        #expect(instrument["most_per_second_to_one"] as? Int ?? 0 >= 1)
        #expect(instrument["most_per_second"] as? Int ?? 0 >= 6)
    }

    @Test func `the instrument check sends nothing if loopback is not allowed`() async throws {
        let run = try await Command.run(
            ["compare", "::1", "--allow-net", "::1/128", "-d", "example.com", "--rounds", "1"]
                + ["--timeout", "200ms", "--no-store", "--format", "json"]
        )
        let instrument = try #require(try JSON(run.output)["instrument"] as? [String: Any])
        #expect(instrument["before"] is NSNull && instrument["during"] is NSNull)
    }
}
