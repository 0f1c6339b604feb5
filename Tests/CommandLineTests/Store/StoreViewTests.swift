import Foundation
import Servers
import Testing

/// The views of a store, read by SQLite's shell without the program.
struct StoreViewTests {
    @Test func `the views of a store have the content of its exports and reports`() async throws {
        let folder = TemporaryFolder()
        let file = StoredFile(folder.file("s.sqlite"))
        let run = try await Command.run(
            ["compare", "--lab", "hostile", "--rounds", "3", "--timeout", "500ms", "--nsid", "-q"]
                + ["--store", "s.sqlite"],
            in: folder.path
        )
        #expect(run.errors == "")
        try await Command.succeed(["export", "s.sqlite", "-o", "samples.csv"], in: folder.path)
        let lines = folder.text("samples.csv").split(separator: "\n")
        let titles = try await file.query("SELECT name FROM pragma_table_info('samples')")
        #expect(titles.split(separator: "\n") == lines[0].split(separator: ","))

        let cells = try await file.query(
            """
            SELECT run || ',' || round || ',' || scheduled || ',' || coalesce(sent, '') || ','
                || vantage || ',' || resolver || ',' || endpoint || ',' || transport || ','
                || series || ',' || name || ',' || type || ',' || outcome || ','
                || coalesce(rcode, '') || ',' FROM samples
            """
        )
        let found = cells.split(separator: "\n").map(String.init)
        #expect(found.count == lines.count - 1)
        let starts = lines.dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).prefix(13)
                .joined(separator: ",") + ","
        }
        #expect(found.sorted() == starts.sorted())

        let report = try await Command.run(
            ["report", "s.sqlite", "--origin", "compare", "--format", "json"],
            in: folder.path
        )
        let resolvers = try #require(try JSON(report.output)["rows"] as? [[String: Any]])
        #expect(resolvers.count > 5)
        for resolver in resolvers {
            let label = try #require(resolver["name"] as? String)
            let sums = try await file.query(
                """
                SELECT sum(answered), sum(timeouts), sum(queries * mean_ms) / sum(queries) FROM (
                    SELECT *, answered + timeouts + unreachable + malformed + failed AS queries
                    FROM hours) WHERE resolver = '\(label)'
                """
            )
            let values = sums.dropLast().split(separator: "|", omittingEmptySubsequences: false)
            #expect(Int(values[0]) == resolver["answered"] as? Int, "\(label)")
            #expect(Int(values[1]) == resolver["timeouts"] as? Int, "\(label)")
            let mean = resolver["mean_ms"] as? Double
            #expect(abs((Double(values[2]) ?? 0) - (mean ?? 0)) < 0.001, "\(label)")
        }
    }
}
