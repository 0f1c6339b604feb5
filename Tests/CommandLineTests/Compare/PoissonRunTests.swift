import Foundation
import Servers
import Testing

/// Poisson sampling on the wire, and reports with the registered performance metrics of RFC 8912.
@Suite(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
struct PoissonRunTests {
    private static let words = [
        "-d", "example.com", "--sampling", "poisson", "--rate", "100", "--total-rate", "100",
        "--i-run-these-resolvers", "--no-store", "--no-check", "--quiet",
    ]

    /// Whether `packet` is a query for `example.com` to `server`.
    private static func isQuery(_ packet: CapturedPacket, to server: SocketAddress) -> Bool {
        packet.transport == .udp && packet.destination == server && !packet.isResponse
            && Data(packet.payload).range(of: Data("example".utf8)) != nil
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a registered metric describes the packets of its run`(address: String) async throws {
        let folder = TemporaryFolder()
        try await withResponder(address: address) { query in
            // Every tenth query gets no answer.
            query.ordinal % 10 == 9
                ? [] : [.reply(query.answer(rcode: query.ordinal % 10 == 4 ? 2 : 0))]
        } _: { responder in
            try await withPacketCapture(ports: [responder.endpoint.port]) { capture in
                try await Command.succeedSilently(
                    ["compare", "\(responder.endpoint)", "--rounds", "40", "--seed", "5"]
                        + Self.words + ["-o", "r.json", "--samples", "s.csv"],
                    in: folder.path
                )
                let all = try await capture.packets()
                    .filter { Self.isQuery($0, to: responder.endpoint) }
                #expect(all.count == 41, "a warm-up, and forty that count")
                #expect(all.allSatisfy { $0.hopLimit == 255 && $0.flowLabel == 0 })
                // RFC 1035 §4.1.1: only RD is set, and there is only one question.
                #expect(all.allSatisfy { $0.payload[2..<12] == [1, 0, 0, 1, 0, 0, 0, 0, 0, 0] })
                let queries = all.dropFirst()
                let metric = try metric(in: folder, port: responder.endpoint.port)
                let parameters = try #require(metric["runtime_parameters"] as? [String: Any])
                #expect(parameters["ID"] as? [Int] == queries.map { Int($0.id ?? 0) })
                #expect(parameters["Src"] as? String == address)
                #expect(parameters["Dst"] as? String == address)
                #expect(parameters["QNAME"] as? String == "example.com")
                #expect(parameters["QTYPE"] as? Int == 1)
                let results = try #require(metric["results"] as? [[String: Any]])
                #expect(results.count == 40)
                let lost = results.indices.filter { results[$0]["Logical"] as? Int == 1 }
                #expect(lost == [8, 18, 28, 38])
                #expect(lost.allSatisfy { results[$0]["dT"] is NSNull })
                let failed = results.indices.filter { results[$0]["RCODE"] as? Int == 2 }
                #expect(failed == [3, 13, 23, 33], "a failure is a response too")
                #expect(failed.allSatisfy { results[$0]["dT"] is Double })
                let samples = Table(folder.text("s.csv"))
                #expect(
                    Set(results.compactMap { $0["T"] as? String }) == Set(samples.column("sent"))
                )
            }
        }
    }

    private func metric(in folder: TemporaryFolder, port: UInt16) throws -> [String: Any] {
        let json = try JSON(folder.text("r.json"))
        let metrics = try #require(json["registered_metrics"] as? [[String: Any]])
        #expect(metrics.count == 1)
        let metric = try #require(metrics.first)
        #expect(
            metric["metrics"] as? [String] == [
                "RTDNS_Active_IP-UDP-Poisson_RFC8912sec6_Seconds_Raw",
                "RLDNS_Active_IP-UDP-Poisson_RFC8912sec6_Logical_Raw",
            ]
        )
        #expect(
            metric["departures"] as? [String] == [
                "Source port: random for each query, not 53 (RFC 5452)",
                "Destination port: \(port), not 53",
            ]
        )
        return metric
    }

    @Test(arguments: [
        ["--sampling", "periodic"], ["--timeout", "4s"], ["-d", "example.org"], ["-t", "TXT"],
        ["--nsid"], ["--cookie"], ["--no-recurse"], ["--transport", "udp,tcp"],
    ])
    func `a run with other parameters matches no registered metric`(words: [String]) async throws {
        let folder = TemporaryFolder()
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let usual =
                words[0] == "--sampling"
                ? Self.words.filter { !["--sampling", "poisson"].contains($0) } : Self.words
            try await Command.succeedSilently(
                ["compare", "\(responder.endpoint)", "--rounds", "2"] + usual + words
                    + ["-o", "r.json"],
                in: folder.path
            )
        }
        let json = try JSON(folder.text("r.json"))
        #expect(json["registered_metrics"] == nil)
        let plan = try #require(json["plan"] as? [String: Any])
        #expect(plan["sampling"] as? String == (words[0] == "--sampling" ? "periodic" : "poisson"))
    }

    /// The seconds since midnight at a moment such as `2026-11-24T08:58:32.041227523Z`.
    private static func seconds(_ moment: String) throws -> Double {
        let parts = moment.split { "T:Z".contains($0) }.dropFirst().compactMap { Double($0) }
        try #require(parts.count == 3)
        return parts.reduce(0) { $0 * 60 + $1 }
    }

    /// The maximum distance between the distribution of the gaps and the exponential distribution with mean
    /// `mean` seconds (Kolmogorov 1933). The gaps are the times between successive moments.
    private static func statistic(of moments: [Double], mean: Double) -> Double {
        let sorted = moments.sorted()
        let gaps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.sorted()
        let count = Double(gaps.count)
        return gaps.enumerated().map { rank, gap in
            let share = 1 - exp(-gap / mean)
            return max(share - Double(rank) / count, Double(rank + 1) / count - share)
        }.max() ?? 1
    }

    /// The samples of a comparison of two simulated resolvers, and the report on their file.
    private func labRun() async throws -> (samples: Table, report: String) {
        let folder = TemporaryFolder()
        let words = ["--lab", "harbour", "brook", "--sampling", "poisson", "--seed", "11"]
        try await Command.succeedSilently(
            ["compare"] + words + ["--rounds", "20", "-q", "--samples", "s.csv"],
            in: folder.path
        )
        let report = try await Command.succeed(["report", "s.csv"], in: folder.path)
        return (Table(folder.text("s.csv")), report.output)
    }

    @Test func `each resolver of a lab gets a Poisson stream of queries`() async throws {
        let (samples, report) = try await labRun()
        // The critical value, from SciPy, for 200 gaps and p = 0.001.
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../MeasurementTests/Reference/poisson.tsv").standardized
        let reference = try String(contentsOf: file, encoding: .utf8)
        let row = try #require(
            reference.split(separator: "\n").first {
                $0.hasPrefix("critical\t200\t0.001")
            }
        )
        let critical = try #require(row.split(separator: "\t").last.flatMap { Double($0) })
        for resolver in ["harbour", "brook"] {
            let rows = samples.rows.filter { samples[$0, "resolver"] == resolver }
            #expect(rows.count == 200)
            // On a busy machine queries are late. The delay is recorded, and subtracted from the time stamp.
            let stamps = try rows.map { row in
                try Self.seconds(samples[row, "sent"]) - (Double(samples[row, "late_ms"]) ?? 0)
                    / 1e3
            }
            let distance = Self.statistic(of: stamps, mean: 0.02)
            #expect(distance < critical, "\(resolver)")
        }
        // Queries to different resolvers have different send times.
        let times = Dictionary(grouping: samples.rows) { samples[$0, "resolver"] }
            .mapValues { rows in rows.map { samples[$0, "scheduled"] } }
        #expect(times.values.allSatisfy { Set($0).count == 200 })
        #expect(Set(times["harbour"] ?? []).isDisjoint(with: times["brook"] ?? []), "no volleys")
        #expect(!report.contains("Not measured"), "long gaps are no rounds that are missing")
    }

    @Test(arguments: [
        ["compare", "--lab", "--sampling", "gauss"],
        ["compare", "--lab", "--sampling", "poisson", "--series", "as-found"],
        ["compare", "--lab", "--sampling", "poisson", "-t", "browser"],
        ["compare", "--lab", "--sampling", "poisson", "--strategies"],
    ])
    func `impossible sampling parameters are rejected with one line`(words: [String]) async throws {
        let run = try await Command.run(words)
        #expect(run.code == 64 && run.output == "")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("sampling"))
    }

    @Test func `a campaign can choose the sampling`() async throws {
        let folder = TemporaryFolder()
        try folder.write("sampling = \"poisson\"\nrounds = 2\n", to: "c.toml")
        try await Command.succeedSilently(
            ["compare", "--lab", "--campaign", "c.toml", "-q", "-o", "r.json"],
            in: folder.path
        )
        let plan = try #require(try JSON(folder.text("r.json"))["plan"] as? [String: Any])
        #expect(plan["sampling"] as? String == "poisson")
    }
}
