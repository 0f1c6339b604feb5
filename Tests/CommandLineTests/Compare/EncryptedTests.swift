import Foundation
import Servers
import Testing

/// `compare` over TLS. The certificates of the servers are signed only by the authority of the test.
@Suite struct EncryptedTests {
    /// Runs `body` with unbound over UDP, and over TLS at another port under the name `dot.test`.
    private func withUnbound(
        _ body: (_ plain: SocketAddress, _ encrypted: String, _ folder: TemporaryFolder)
            async throws
            -> Void
    ) async throws {
        let (folder, _, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let settings = [
            "interface: 127.0.0.1@\(port)", "tls-port: \(port)",
            "tls-service-key: \"\(certificate.key)\"", "tls-service-pem: \"\(certificate.file)\"",
        ]
        try await withServer(.unbound(settings: settings)) { server in
            try await body(server.endpoint, "tls://127.0.0.1:\(port)", folder)
        }
    }

    private func rows(_ report: JSON, _ name: String) throws -> [String: [String: Any]] {
        let rows = try report.resolvers.filter { $0["name"] as? String == name }
        return Dictionary(
            rows.map { ($0["series"] as? String ?? "", $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func `by default, first queries and a kept connection are measured`() async throws {
        try await withUnbound { plain, encrypted, folder in
            let run = try await Command.succeedSilently(
                ["compare", "plain=\(plain)", "dot=\(encrypted)#dot.test", "-d", "a.example.com"]
                    + ["-d", "b.example.com", "--rounds", "4", "--rate", "50", "--no-store"]
                    + ["--ca", folder.file("root.pem"), "--format", "json"]
                    + ["--samples", folder.file("s.csv"), "-o", folder.file("r.txt")]
            )
            let report = try JSON(run.output)
            #expect(try rows(report, "plain").keys.sorted() == ["cached"])
            let dot = try rows(report, "dot")
            #expect(dot.keys.sorted() == ["cached", "first"])
            let first = try #require(dot["first"])
            let parts = ["median_connect_ms", "median_handshake_ms", "median_query_ms"]
                .compactMap { first[$0] as? Double }
            #expect(parts.count == 3 && parts.allSatisfy { $0 > 0 })
            #expect(first["connections"] as? [String: Int] == ["new": 8])
            #expect(dot["cached"]?["connections"] as? [String: Int] == ["reused": 8])
            // The time of a first query contains connection, handshake and round trip.
            let samples = Table(folder.text("s.csv"))
            let opened = samples.rows.filter { samples[$0, "series"] == "first" }
            #expect(opened.count == 8)
            let times = opened.map { row in
                ["connect_ms", "handshake_ms", "rtt_ms"].compactMap { Double(samples[row, $0]) }
                    .reduce(0, +)
            }.sorted()
            #expect(abs(try #require(first["median_ms"] as? Double) - times[3]) < 0.001)
            let kept = samples.rows.filter {
                samples[$0, "series"] == "cached" && samples[$0, "transport"] == "tls"
            }
            #expect(kept.allSatisfy { samples[$0, "connect_ms"].isEmpty })
            #expect(folder.text("r.txt").contains("First queries of a connection: "))
        }
    }

    @Test(arguments: [
        ("fresh", "first", "new"), ("reuse", "cached", "reused"), ("resume", "first", "resumed"),
    ])
    func `connections follow the policy`(policy: String, series: String, use: String) async throws {
        try await withUnbound { _, encrypted, folder in
            var uses: [String: Int]?
            // On a busy machine, a ticket may arrive after the query that could have used it.
            for _ in 0..<5 where uses != [use: 4] {
                let run = try await Command.succeed(
                    ["compare", "dot=\(encrypted)#dot.test", "-d", "a.example.com"]
                        + ["--rounds", "4", "--interval", "300ms", "--no-store"]
                        + ["--ca", folder.file("root.pem")]
                        + ["--connections", policy, "--format", "json"]
                )
                let rows = try rows(JSON(run.output), "dot")
                #expect(Array(rows.keys) == [series])
                uses = rows.values.first?["connections"] as? [String: Int]
            }
            // The warm-up gets the first ticket. At most one query is in flight at a time.
            #expect(uses == [use: 4])
        }
    }

    @Test func `a store keeps first queries, and reports them unchanged`() async throws {
        try await withUnbound { _, encrypted, folder in
            let store = folder.file("s.sqlite")
            for _ in 0..<2 {
                try await Command.succeed(
                    ["sample", "dot=\(encrypted)#dot.test", "-d", "a.example.com", "--rate", "50"]
                        + ["--store", store, "--ca", folder.file("root.pem")]
                )
            }
            var medians: [[String]] = []
            for exact in [[], ["--exact"]] {
                let run = try await Command.run(
                    ["report", "--store", store, "--format", "csv"] + exact
                )
                let table = Table(run.output)
                #expect(table.column("series") == ["cached", "first"])
                medians.append(table.column("median_ms"))
                #expect(table.column("median_handshake_ms")[1] != "")
            }
            #expect(medians[0] == medians[1])
            let check = try await Command.run(["store", "check", "--store", store])
            #expect(check.code == 0, "\(check.output)")
        }
    }

    @Test func `unverified resolvers are marked in every output`() async throws {
        try await withUnbound { _, encrypted, folder in
            let run = try await Command.succeed(
                ["compare", "dot=\(encrypted)#other.test", "-d", "a.example.com", "--rounds", "2"]
                    + ["--rate", "50", "--no-store", "--insecure", "--connections", "reuse"]
                    + ["-o", folder.file("r.csv"), "-o", folder.file("r.json")]
                    + ["--samples", folder.file("s.csv")]
            )
            #expect(
                run.errors == "dnstempo: --insecure: certificates are NOT verified; any server "
                    + "may answer\n"
            )
            #expect(run.output.contains("\n  dot: not verified"), "\(run.output)")
            let samples = Table(folder.text("s.csv"))
            #expect(samples.column("flags") == ["unverified", "unverified"])
            #expect(folder.text("r.csv").contains(",unverified"))
            let report = try JSON(folder.text("r.json"))
            #expect(try report.resolver("dot")["unverified"] as? Int == 2)
            let caveats = report["caveats"] as? [[String: String]]
            #expect(caveats?.contains { $0["code"] == "unverified" } == true)
        }
    }

    @Test func `uncached names cannot be combined with fresh connections`() async throws {
        let run = try await Command.run(
            [
                "compare", "dot=tls://127.0.0.1:1#dot.test", "--series", "uncached", "--zone",
                "a.test",
            ]
                + ["--connections", "fresh", "--no-store"]
        )
        #expect(run.code == 64)
        #expect(run.errors.contains("--connections fresh: uncached names are asked on connections"))
    }
}
