import Foundation
import Servers
import Testing

/// The views of a central store, which other programs read with SQL.
@Suite struct CentralViewTests {
    @Test func `views contain the cells that a place exports`() async throws {
        let places = try CentralPlaces()
        _ = try await places.run(["sample", "--lab", "--store", "home.sqlite"])
        try await withPostgreSQL { server in
            try await places.enrol(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            let export = ["export", "home.sqlite", "--origin", "all", "--since", "2020-01-01"]
            let lines = try await places.run(export).output.split(separator: "\n")
            let titles = lines[0].split(separator: ",").map(String.init)
            let columns = titles.map { title in
                ["scheduled", "sent"].contains(title) ? Self.text(ofTime: title) : "\"\(title)\""
            }
            let query = "SELECT \(columns.joined(separator: ", ")) FROM dnstempo.samples"
            let rows = try await csv("\(query) WHERE source = 1", server)
            #expect(rows.count == lines.count - 1 && rows.count > 2_600)
            let expected = lines.dropFirst().map { Self.cells($0) }
            #expect(Set(rows) == Set(expected))
            #expect(try await csv(query, server, as: "dnstempo_1").count == rows.count)
            #expect(try await csv(query, server, as: "dnstempo_2").count == 2_592)
        }
    }

    @Test func `the hours view equals reports, and all dashboard panels have rows`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            let hour = "WHERE hour = '2026-03-02T05:00Z' AND resolver = 'meadow'"
            let rows = try await csv(
                "SELECT answered, timeouts, mean_ms, median_ms, min_ms FROM dnstempo.hours \(hour)",
                server
            )
            let report = try await places.run([
                "report", "home.sqlite", "--format", "json", "--resolver", "meadow", "--since",
                "2026-03-02T05:00:00Z", "--until", "2026-03-02T06:00:00Z",
            ])
            let json = try JSON(report.output)
            let figures = try #require((json["rows"] as? [[String: Any]])?.first)
            for (cell, name) in zip(
                rows[0],
                ["answered", "timeouts", "mean_ms", "median_ms", "min_ms"]
            ) {
                let own = try #require(figures[name] as? Double, "\(figures.keys)")
                #expect(abs((Double(cell) ?? -1) - own) <= 0.01 * own, "\(name)")
            }
            let sources = try await csv("SELECT round, samples FROM dnstempo.rounds", server)
            #expect(sources.count == 288 && sources.allSatisfy { $0[1] == "9.0" })
            for sql in try Self.panels() {
                #expect(try await csv(sql, server).count > 0, "\(sql)")
            }
        }
    }

    /// The SQL queries of the Grafana dashboard. The time filters of the queries include all times.
    private static func panels() throws -> [String] {
        let file = URL(fileURLWithPath: InstallTests.root)
            .appendingPathComponent("data/grafana/postgresql.json")
        let dashboard = try JSON(String(decoding: Data(contentsOf: file), as: UTF8.self))
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        let targets = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }
        #expect(targets.count == 4)
        return targets.compactMap { $0["rawSql"] as? String }.map { sql in
            var sql = sql
            for name in ["hour", "start"] {
                sql = sql.replacing("$__timeFilter(\(name))", with: "\(name) < now() + '9 years'")
            }
            for name in ["vantage", "resolver", "series"] {
                let all = "SELECT \(name) FROM dnstempo.hours"
                sql = sql.replacing("${\(name):sqlstring}", with: all)
            }
            return sql
        }
    }

    private static func text(ofTime column: String) -> String {
        "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')"
    }

    /// The cells of a query's rows. Numbers are written as Swift writes them.
    private func csv(
        _ sql: String,
        _ server: RunningServer,
        as role: String = "postgres"
    ) async throws -> [[String]] {
        let output = try await server.psql("COPY (\(sql)) TO STDOUT (FORMAT csv)", as: role)
        return output.split(separator: "\n").map { Self.cells($0) }
    }

    /// The cells of a line, without quotes. Times are cut off after microseconds.
    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            let cell = cell.filter { $0 != "\"" }
            if let number = Double(cell) { return "\(number)" }
            guard cell.count > 26, cell.hasSuffix("Z"), cell.hasPrefix("20") else { return cell }
            return String(cell.prefix(26))
        }
    }
}
