import Analysis
import Reports
import Samples
import Testing

/// Formats and columns, of which each is one definition.
struct DocumentFormatTests {
    /// A format that the program does not have, of every report: its words, then its figures.
    private struct TabFormat: DocumentFormat {
        func render(_ document: Document) -> String {
            let tables = document.sections.flatMap(\.tables).flatMap(\.columns).map(\.header)
            let figures = document.figures().map { row in
                row.map { $0.text() }.joined(separator: "\t")
            }
            return
                ([document.sections.map(\.headline).joined(separator: " ")]
                + [tables.joined(separator: "\t")] + figures).joined(separator: "\n") + "\n"
        }
    }

    @Test func `a new format writes every report`() throws {
        var tally = WindowTally(by: .hour, clock: HistoryFixture.berlin)
        tally.add(whole: try HistoryFixture.week())
        let context = HistoryFixture.context(rounds: 336..<672, clock: HistoryFixture.berlin)
        let reports: [any Report] = [
            try Fixture.lab().report, WindowReport(of: tally, context: context),
        ]
        for report in reports {
            let lines = TabFormat().render(report.document).split(separator: "\n")
            #expect(String(lines[0]) == report.document.sections.first?.headline)
            #expect(lines[1].contains("median\t"))
            #expect(lines[2].contains("\"median_ms\""))
            #expect(lines.count > 5)
        }
    }

    @Test func `a new column is in every format`() throws {
        var document = try Fixture.lab().report.document
        let rows = document.sections[0].tables[0].columns[0].cells.count
        let column = Table.Column(
            "colour",
            (0..<rows).map { "shade \($0)" }
        )
        document.sections[0].tables[0].columns.insert(column, at: 2)
        let formats: [any DocumentFormat] = [
            TextFormat(width: 120), MarkdownFormat(), HTMLFormat(),
        ]
        for format in formats {
            let text = format.render(document)
            #expect(text.contains("colour"))
            #expect((0..<rows).allSatisfy { text.contains("shade \($0)") })
        }
    }
}
