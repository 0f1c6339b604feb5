import Fixtures
import Reports
import Testing

struct GoldenFileTests {
    @Test(arguments: [30, 40, 60, 80, 120, 200])
    func `the table fits every terminal width`(width: Int) throws {
        let text = TextFormat(width: width).render(try Fixture.lab().report)
        try Golden.expect(text, in: "table-\(width).txt")
    }

    @Test(arguments: [30, 40, 60, 80, 120, 200])
    func `all faults are shown at every terminal width`(width: Int) throws {
        let text = TextFormat(width: width).render(try Fixture.troubled().report)
        try Golden.expect(text, in: "troubled-\(width).txt")
    }

    @Test func `colour marks cells of the table`() throws {
        let text = TextFormat(width: 80, colour: true).render(try Fixture.lab().report)
        try Golden.expect(text, in: "table-colour.txt")
    }

    @Test func `the verbose table has every statistic`() throws {
        let text = TextFormat(width: 80, isVerbose: true).render(try Fixture.troubled().report)
        try Golden.expect(text, in: "verbose-80.txt")
    }

    @Test func `plain text has no columns and bars`() throws {
        let text = TextFormat(width: 80, isPlain: true).render(try Fixture.troubled().report)
        #expect(!text.contains { "━─┣┫●▁▂▃▄▅▆▇█".contains($0) })
        try Golden.expect(text, in: "plain-80.txt")
    }

    @Test(arguments: ["lab", "troubled"])
    func `a card has the answer and at most five rows`(fixture: String) throws {
        let report = try (fixture == "lab" ? Fixture.lab() : Fixture.troubled()).report
        try Golden.expect(CardFormat().render(report.document), in: "card-\(fixture).svg")
    }

    @Test(arguments: [
        ("card.png", true), ("a/Card.SVG", true), ("card", false), ("discard.png", false),
        ("card.png/a.png", false),
    ])
    func `the name of a picture chooses the card`(path: String, isCard: Bool) {
        #expect(CardFormat.isName(path) == isCard)
    }

    @Test(arguments: [OutputFormat.text, .csv, .json, .markdown])
    func `a file has the format of its suffix`(format: OutputFormat) throws {
        let text = format.writer.render(try Fixture.lab().report)
        try Golden.expect(text, in: "lab.\(format.rawValue)")
    }

    @Test(arguments: [OutputFormat.csv, .json, .markdown])
    func `a file shows all faults`(format: OutputFormat) throws {
        let text = format.writer.render(try Fixture.troubled().report)
        try Golden.expect(text, in: "troubled.\(format.rawValue)")
    }
}
