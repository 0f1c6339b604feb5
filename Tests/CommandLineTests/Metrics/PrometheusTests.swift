import Foundation
import Servers
import Testing

/// Figures of a store that Prometheus reads from a textfile.
@Suite struct PrometheusTests {
    private let folder = TemporaryFolder()

    private func sample(_ folder: TemporaryFolder, _ more: String...) async throws -> CommandOutput
    {
        try await Binary.run(
            ["sample", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"] + more,
            in: folder.path
        )
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `a p95 in Prometheus differs from the report by at most one bucket`() async throws {
        try await Monitoring.run { monitoring, folder in
            let store = folder.file("s.sqlite")
            try await Binary.succeedSilently(
                ["watch", "--lab", "--rounds", "6", "--interval", "0s", "--store", store]
                    + ["--textfile", folder.file("dnstempo.prom")]
            )
            let report = try await Binary.run(["report", "--store", store, "--format", "json"])
            let rows = try JSON(report.output)["rows"]
            let resolvers = try #require(rows as? [[String: Any]])
            try #require(resolvers.count > 3)
            // All resolvers have the same number of queries. The test waits for this number, because
            // Prometheus may have scraped an earlier round.
            let sent = try #require(resolvers[0]["sent"] as? Int)
            _ = try await monitoring.query(
                "sum by (resolver) (dnstempo_queries_total) == \(sent)",
                count: resolvers.count
            )
            let quantiles = try await monitoring.query(
                "histogram_quantile(0.95, sum by (le, resolver) "
                    + "(dnstempo_query_duration_seconds_bucket)) * 1000",
                count: resolvers.count
            )
            for resolver in resolvers {
                let name = try #require(resolver["name"] as? String)
                // If the percentile is a timeout, the report has no p95. Prometheus then returns the largest
                // bound.
                let reported = resolver["p95_ms"] as? Double ?? 10_000
                let quantile = try #require(quantiles[name])
                // A bucket is at most 28 % wide, and the counts at its bounds are exact to 1 %.
                #expect(quantile < reported * 1.293 && quantile > reported / 1.293, "\(name)")
            }
            for expression in try Self.dashboardExpressions() {
                try await monitoring.expectValid(expression)
            }
        }
    }

    /// The queries of the panels of the Grafana dashboard, for all resolvers.
    private static func dashboardExpressions() throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../data/grafana/dnstempo.json")
        let dashboard = try JSON(String(decoding: Data(contentsOf: file), as: UTF8.self))
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        let targets = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }
        #expect(panels.count > 5 && targets.count >= panels.count)
        return targets.compactMap { $0["expr"] as? String }.map { expression in
            ["resolver", "transport", "series"].reduce(expression) {
                $0.replacingOccurrences(of: "$\($1)", with: ".*")
            }
            .replacingOccurrences(of: "$window", with: "1h")
        }
    }

    @Test func `promtool accepts the textfile`() async throws {
        let run = try await sample(folder, "--textfile", "m.prom", "--objective", "p95 < 50ms")
        #expect(run.code == 0)
        let text = folder.text("m.prom")
        #expect(text.contains("dnstempo_build_info{version="))
        #expect(text.contains("dnstempo_objective_target_ratio{objective=\"p95 < 50 ms\"} 0.95\n"))
        #expect(text.contains("\ndnstempo_objective_ratio{resolver=\"meadow\","))
        // The textfile also contains an objective from the configuration.
        try folder.write("objective = \"p99 < 80ms\"\n", to: "dnstempo/config.toml")
        try await Binary.succeed(
            ["sample", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"]
                + ["--textfile", "c.prom"],
            environment: ["XDG_CONFIG_HOME": folder.path],
            in: folder.path
        )
        #expect(folder.text("c.prom").contains("{objective=\"p99 < 80 ms\"} 0.99\n"))
        let check = try await Program("promtool", package: "prometheus")
            .run(["check", "metrics"], input: text)
        #expect(check.code == 0)
        #expect(check.output == "" && check.errors == "")
    }

    @Test func `every user may read the textfile, even if it replaces another`() async throws {
        let file = try folder.write("old", to: "m.prom")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try await sample(folder, "--textfile", "m.prom").code == 0)
        #expect(try mode(file) == 0o644)
        #expect(folder.text("m.prom").contains("outcome=\"answered\"} 1\n"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.hasPrefix(".") || $0.hasSuffix(".tmp") } == [])
    }

    @Test(arguments: [(path: "gone/m.prom", code: Int32(73)), ("-", 64), (".", 73)])
    func `an impossible file fails before any query`(path: String, code: Int32) async throws {
        let run = try await sample(folder, "--textfile", path)
        #expect(run.code == code)
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("'\(path)'"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("s.sqlite")))
    }

    @Test func `a textfile without a store is rejected`() async throws {
        let run = try await Binary.run(["watch", "--lab", "--rounds", "1", "--textfile", "m.prom"])
        #expect(run.code == 64)
        #expect(run.errors.contains("--textfile: ") && run.errors.contains("--store"))
    }

    @Test func `a schedule keeps the path of the textfile`() async throws {
        let run = try await Binary.succeed(
            ["schedule", "print", "--every", "5m"]
                + ["127.0.0.1:5399", "--textfile", "m.prom"],
            in: folder.path
        )
        #expect(run.output.contains("--textfile \(folder.path)/m.prom"))
    }

    /// Returns the errors of a watch about its textfile. The folder of the textfile is removed during the
    /// watch.
    private func troubleOfWatch() async throws -> [String] {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let place = folder.file("metrics")
            try FileManager.default.createDirectory(
                atPath: place,
                withIntermediateDirectories: false
            )
            return try await Binary.withWatch(
                ["\(responder.endpoint)", "--store", "s.sqlite", "--textfile", "\(place)/m.prom"]
            ) { watch in
                try await watch.wait { _ in
                    FileManager.default.fileExists(atPath: "\(place)/m.prom")
                }
                // A rename removes the folder in one step, even during a write.
                try FileManager.default.moveItem(atPath: place, toPath: "\(place).gone")
                try await watch.wait { !$0.errors.isEmpty }
                let count = watch.stored.count
                try await watch.wait { $0.stored.count > count + 2 }
                return watch.errors.filter { $0.contains("\(place)/m.prom") }
            }
        }
    }

    @Test func `a watch continues if the folder of the textfile is gone`() async throws {
        var trouble: [String] = []
        // If the folder is removed during a write, that write reports another error before the lasting error.
        for _ in 0..<5 where trouble.count != 1 { trouble = try await troubleOfWatch() }
        #expect(trouble.count == 1, "\(trouble)")
    }
}
