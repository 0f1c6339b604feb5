import Fixtures
import Foundation
import Reports
import Testing

struct HTMLReportTests {
    /// Returns the page without the style, the script, their hashes and the drawings. Other tests cover these
    /// parts.
    private static func bare(_ page: String) -> String {
        var text = page
        for (start, end) in [
            ("<style>", "</style>"), ("<script>", "</script>"), ("<svg", "</svg>"),
        ] {
            text = text.components(separatedBy: start).enumerated().map { index, part in
                guard index > 0 else { return part }
                return start + end + part.components(separatedBy: end).dropFirst().joined()
            }.joined()
        }
        return text.replacing(/sha256-[^&]*&#39;/, with: "sha256-…&#39;")
    }

    @Test func `a page matches the golden file`() throws {
        let page = HTMLFormat().render(try Fixture.lab().report)
        try Golden.expect(Self.bare(page), in: "page.html")
    }

    @Test func `a page of a run with all faults matches the golden file`() throws {
        let report = try Fixture.troubled().report
        let page = HTMLFormat().render(report)
        try Golden.expect(Self.bare(page), in: "page-troubled.html")
    }

    @Test(arguments: [
        (command: "dnstempo compare --lab", repeated: "dnstempo compare --seed 2009 --lab"),
        (command: "dnstempo compare", repeated: "dnstempo compare --seed 2009"),
        (command: "dnstempo compare --seed 7", repeated: "dnstempo compare --seed 7"),
    ])
    func `the command to repeat a run contains the seed`(command: String, repeated: String) throws {
        var fixture = try Fixture.lab()
        fixture.context.command = command
        let page = HTMLFormat().render(fixture.report)
        #expect(page.contains("<code>\(repeated)</code>"))
    }

    @Test func `a page without measurements has no charts and no command`() throws {
        var fixture = try Fixture(rounds: 1)
        fixture.context.command = nil
        let page = HTMLFormat().render(fixture.report)
        #expect(page.contains("<h1>No resolver was measured.</h1>"))
        #expect(!page.contains("id=\"charts\""))
        #expect(!page.contains("id=\"command\""))
    }
}
