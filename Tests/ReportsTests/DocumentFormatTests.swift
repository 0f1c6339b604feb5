import Analysis
import Reports
import Samples
import Testing

/// Each format and each column has one definition.
struct DocumentFormatTests {
    /// A format that only this test defines. It writes the headlines and headers of any report, then its
    /// figures.
    private struct TabFormat: DocumentFormat {
        func render(_ document: Document) -> String {
            let tables = document.sections.flatMap(\.tables).flatMap(\.columns).map(\.header)
            let figures = document.figures().cells.map { row in
                row.map { $0.text() }.joined(separator: "\t")
            }
            return
                ([document.sections.map(\.headline).joined(separator: " ")]
                + [tables.joined(separator: "\t")] + figures).joined(separator: "\n") + "\n"
        }
    }

    @Test func `a new format writes every report`() throws {
        var tally = WindowTally(by: .type, clock: HistoryFixture.berlin)
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

    @Test(arguments: [30, 45, 60, 80, 120])
    func `a remark is next to its row or below it, and never cut`(width: Int) throws {
        let document = try Fixture.troubled().report.document
        let text = TextFormat(width: width).render(document)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let notes = document.sections.flatMap { $0.tables[0].columns }
            .filter { $0.header == "note" }.flatMap(\.cells)
        #expect(notes.contains { !$0.text.isEmpty })
        for note in notes { #expect(text.contains(note.text)) }
    }

    @Test func `bars have at least 30 of 80 columns`() throws {
        for report in [try Fixture.lab().report, try Fixture.troubled().report] {
            let lines = TextFormat(width: 80).render(report).split(separator: "\n")
            let header = try #require(lines.first { $0.contains("resolver  ") })
            let median = try #require(header.firstRange(of: "median"))
            let p95 = try #require(header.firstRange(of: "p95"))
            // The space contains the bars, seven columns of figures, and the gaps.
            let room = header[median.upperBound..<p95.upperBound].count
            #expect(room >= 30 + 7 + 4)
        }
    }

    @Test func `a new column is in every format`() throws {
        var document = try Fixture.lab().report.document
        let rows = document.sections[0].tables[0].columns[0].cells.count
        let column = Table.Column("colour", (0..<rows).map { "shade \($0)" })
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
