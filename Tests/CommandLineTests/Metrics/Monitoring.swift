import Foundation
import Servers
import Testing

/// A Prometheus server that scrapes a node_exporter. The exporter's textfile collector reads a folder.
struct Monitoring {
    private let prometheus: String

    /// Runs `body` while both programs run. `body` receives the folder of the textfile collector.
    static func run(_ body: (Monitoring, TemporaryFolder) async throws -> Void) async throws {
        let (folder, files) = (TemporaryFolder(), TemporaryFolder())
        let exporter = "127.0.0.1:\(try Loopback.freePort())"
        let listener = "127.0.0.1:\(try Loopback.freePort())"
        let settings = """
            global: {scrape_interval: 500ms}
            scrape_configs:
              - job_name: node
                static_configs: [{targets: ['\(exporter)']}]

            """
        let processes = [
            try start(
                "prometheus-node-exporter",
                [
                    "--collector.disable-defaults", "--collector.textfile",
                    "--collector.textfile.directory", folder.path,
                    "--web.listen-address", exporter,
                ],
                log: files.file("exporter")
            ),
            try start(
                "prometheus",
                [
                    "--config.file", try files.write(settings, to: "prometheus.yml"),
                    "--storage.tsdb.path", files.file("data"),
                    "--web.listen-address", listener,
                ],
                log: files.file("prometheus")
            ),
        ]
        do {
            try await body(Monitoring(prometheus: listener), folder)
        } catch {
            for process in processes { await process.stop() }
            throw error
        }
        for process in processes { await process.stop() }
    }

    /// Runs `body` while a Prometheus server accepts remote writes. `body` receives the URL for remote
    /// writes.
    static func receive(_ body: (Monitoring, String) async throws -> Void) async throws {
        let files = TemporaryFolder()
        let listener = "127.0.0.1:\(try Loopback.freePort())"
        let process = try start(
            "prometheus",
            [
                "--config.file", try files.write("global: {}\n", to: "prometheus.yml"),
                "--storage.tsdb.path", files.file("data"),
                "--web.listen-address", listener, "--web.enable-remote-write-receiver",
                "--enable-feature=native-histograms",
            ],
            log: files.file("prometheus")
        )
        let monitoring = Monitoring(prometheus: listener)
        do {
            _ = try await monitoring.query("vector(1)", count: 1)
            try await body(monitoring, "http://\(listener)/api/v1/write")
        } catch {
            await process.stop()
            throw error
        }
        await process.stop()
    }

    private static func start(
        _ command: String,
        _ arguments: [String],
        log: String
    ) throws -> ChildProcess {
        let program = try Program(command, package: command)
        return try ChildProcess(program, arguments, output: log, errors: log)
    }

    /// Returns the values of a PromQL expression, by the label `resolver`. Waits until there are `count`
    /// values.
    func query(_ expression: String, count: Int) async throws -> [String: Double] {
        let promtool = try Program("promtool", package: "prometheus")
        var last = ""
        let values = try await eventualValue {
            let run = try await promtool.run(
                ["query", "instant", "--format=json", "http://\(prometheus)", expression]
            )
            last = run.output + run.errors
            let values = Self.values(run.output)
            return values.count == count ? values : nil
        }
        return try #require(values, "\(expression) gave no \(count) values: \(last)")
    }

    /// Expects that Prometheus accepts an expression, and has values of all metrics in the expression.
    func expectValid(_ expression: String) async throws {
        let promtool = try Program("promtool", package: "prometheus")
        let run = try await promtool.run(
            ["query", "instant", "http://\(prometheus)", expression]
        )
        #expect(run.code == 0, "\(expression): \(run.errors)")
        for name in Set(expression.matches(of: /dnstempo_[a-z_]+/).map { String($0.output) }) {
            #expect(try await query("count(\(name))", count: 1)[""] ?? 0 > 0, "\(name)")
        }
    }

    /// The values in a text such as `[{"metric":{"resolver":"brook"},"value":[1795255160.28,"0.018"]}]`.
    private static func values(_ text: String) -> [String: Double] {
        let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let vector = parsed as? [[String: Any]] else { return [:] }
        return vector.reduce(into: [:]) { values, element in
            guard let labels = element["metric"] as? [String: String],
                let value = element["value"] as? [Any],
                let number = (value.last as? String).flatMap(Double.init)
            else { return }
            values[labels["resolver"] ?? ""] = number
        }
    }
}
