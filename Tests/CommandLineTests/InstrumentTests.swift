import Foundation
import Servers
import Testing

/// The lab's known delays in, the measured ones out.
@Suite(.serialized) struct InstrumentTests {
    @Test func `configured medians are measured to a fifth of a millisecond`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let delays = ["a": 3, "b": 9, "c": 24]
        let profile = delays.sorted { $0.key < $1.key }.map { name, delay in
            "[[resolver]]\nname = \"\(name)\"\nbase = \"\(delay)ms\"\n"
        }
        try folder.write(profile.joined(), to: "lab.toml")
        let run = try await Binary.run(
            ["compare", "--lab", "lab.toml", "-d", "example.com", "--rounds", "100"]
                + ["--format", "json"],
            in: folder.path
        )
        #expect(run.code == 0)
        let report = try JSON(run.output)
        for (name, delay) in delays {
            let median = try #require(try report.resolver(name)["median_ms"] as? Double)
            #expect(abs(median - Double(delay)) <= 0.2, "\(name): \(median) for \(delay) ms")
        }
    }

    @Test func `what a hostile lab does is seen for what it is`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let faults = [
            "cut": "truncate = 1.0", "forged": "wrong-id = 1.0", "twice": "duplicate = 1.0",
            "silent": "silent = true", "refusing": "refuse = true", "broken": "servfail = 1.0",
        ]
        let profile = faults.sorted { $0.key < $1.key }.map { name, fault in
            "[[resolver]]\nname = \"\(name)\"\nbase = \"2ms\"\n\(fault)\n"
        }
        try folder.write(profile.joined(), to: "lab.toml")
        let run = try await Binary.run(
            ["compare", "--lab", "lab.toml", "-d", "example.com", "--rounds", "5"]
                + ["--timeout", "300ms", "--format", "json", "--samples", "s.csv"],
            in: folder.path
        )
        #expect(run.code == 0)
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
}
