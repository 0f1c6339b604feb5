import Foundation
import Servers
import Testing

@testable import dnstempo

@Suite struct FormatsCommandTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static let pages = names(in: "data/docs/reference", ".md")
        .filter { !written.contains($0) }

    /// The pages that `formats` does not print.
    private static let written = [
        "README", "command-line", "configuration", "evidence", "ripe-atlas",
    ]

    private static func names(in folder: String, _ suffix: String) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path
        )
        return (files ?? []).filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    @Test(arguments: pages)
    func `the committed page matches the definitions`(name: String) async throws {
        let page = try await Command.succeed(["formats", name, "--format", "markdown"]).output
        #expect(Self.text("data/docs/reference/\(name).md") == page, "write it: Scripts/reference")
    }

    @Test(arguments: names(in: "data/schemas", ".json"))
    func `the committed schema matches the definitions`(name: String) async throws {
        let schema = try await Command.succeed(["formats", name]).output
        #expect(Self.text("data/schemas/\(name).json") == schema, "write it: Scripts/reference")
    }

    @Test func `the committed page of the command line matches the program`() async throws {
        let script = Self.root.appendingPathComponent("Scripts/manual").path
        let page = try await Program("python3", package: "python3")
            .run([script, "--markdown", Program.dnstempo().path])
        #expect(page.code == 0, "\(page.errors)")
        let committed = Self.text("data/docs/reference/command-line.md")
        #expect(committed == page.output, "write it: Scripts/reference")
    }

    @Test func `each listed format has a committed page, and a schema if the list says so`()
        async throws
    {
        let list = try await Command.succeed(["formats"]).output
        let rows = list.split(separator: "\n").dropFirst()
        #expect(rows.count >= 12)
        for row in rows {
            let name = String(row.prefix { $0 != " " })
            #expect(Self.pages.contains(name), "\(name)")
            #expect(
                row.contains(" schema, page ") == (Self.text("data/schemas/\(name).json") != nil)
            )
        }
    }

    @Test(arguments: [
        (["formats", "comparisn"], "unknown format 'comparisn'; did you mean 'comparison'?"),
        (["formats", "sql", "--format", "schema"], "the format 'sql' is not JSON"),
        (["formats", "plan", "--format", "xml"], "--format 'xml': give schema or markdown"),
    ])
    func `the error names the wrong word`(words: [String], error: String) async throws {
        let run = try await Command.run(words)
        #expect(run.code == 64)
        #expect(run.errors.contains(error))
    }
}
