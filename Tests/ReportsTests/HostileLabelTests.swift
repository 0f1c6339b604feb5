import Foundation
import Samples
import Testing

@testable import Reports

struct HostileLabelTests {
    private static let labels = [
        "\u{1B}]0;owned\u{7}\u{1B}[2J", "a\r\nb\n| c |", "=cmd|' /C calc'!A0", "\u{202E}gnp.exe",
        "<script>alert(1)</script>", "\",\"x\":\"", "|\\|",
        "東京" + String(repeating: "長", count: 90),
        "", String(repeating: "x", count: 5000),
    ]

    private func fixture(_ label: String) throws -> Fixture {
        var fixture = try Fixture(rounds: 2)
        fixture.context.baseline = label
        fixture.context.isBaselineInUse = true
        fixture.context.vantage = label
        fixture.context.command = label
        fixture.context.chartCommand = label
        fixture.context.toolVersion = label
        fixture.context.plan.names = [label]
        fixture.context.plan.types = [label]
        fixture.add(label, endpoint: label, transport: .init(label)) { _ in .answer(4) }
        fixture.add(label, endpoint: label + "2", transport: .init(label)) { _ in .none(.timeout) }
        return fixture
    }

    @Test(arguments: labels, OutputFormat.allCases)
    func `no output has control characters`(label: String, format: OutputFormat) throws {
        let text = format.writer.render(try fixture(label).report)
        for line in text.split(separator: "\n") {
            #expect(EscapedText.terminal(String(line)) == line)
        }
    }

    /// Users paste the recommended address into a shell.
    @Test(arguments: [
        ("127.0.0.9:53", true), ("\u{1B}]0;x\u{7}:53", false), ("$(id):53", false),
        ("127.0.0.9#$(id):53", false), ("127.0.0.9/$(id):53", false), ("[::1]$(id):53", false),
    ])
    func `only IP addresses are recommended`(endpoint: String, isAdvised: Bool) throws {
        var fixture = try Fixture(rounds: 40)
        fixture.context.baseline = "home"
        fixture.context.isBaselineInUse = true
        fixture.add("home", endpoint: "127.0.0.8:53", outcome: Fixture.noise(30, 1, seed: 1))
        fixture.add("fast", endpoint: endpoint, outcome: Fixture.noise(10, 1, seed: 2))
        for format in [OutputFormat.text, .markdown, .html] {
            let text = format.writer.render(fixture.report)
            #expect(text.contains("DNS server 1: 127.0.0.9") == isAdvised)
            #expect(!text.contains("\u{1B}") && !text.contains("dns \"$(id)"))
        }
    }

    @Test(arguments: labels, [20, 30, 80])
    func `no line of the table is wider than the terminal`(label: String, width: Int) throws {
        let report = try fixture(label).report
        let rows = report.rows(of: .cached)
        let lines = report.table(of: .cached).lines(width: width, colour: true)
        #expect(lines.allSatisfy { $0.displayWidth <= width })
        #expect(lines.count >= rows.count + 1)
    }

    @Test(arguments: labels, [30, 80])
    func `no line of the statistics is wider than the terminal`(label: String, width: Int) throws {
        let tables = try fixture(label).report.document.sections.flatMap(\.tables)
            .filter(\.isDetail)
        let lines = tables.flatMap { $0.lines(width: width, colour: true) }
        #expect(!lines.isEmpty && lines.allSatisfy { $0.displayWidth <= width })
    }

    @Test(arguments: labels)
    func `every CSV row keeps its columns`(label: String) throws {
        let lines = CSVFormat().render(try fixture(label).report).split(separator: "\n")
        #expect(lines.count == 3)
        for line in lines {
            // Only commas outside quotation marks separate fields.
            let fields = line.split(separator: "\"", omittingEmptySubsequences: false)
                .enumerated().filter { $0.offset % 2 == 0 }
                .reduce(1) { $0 + $1.element.count { $0 == "," } }
            #expect(fields == 32)
            #expect(!"=+-@".contains(line.drop { $0 == "\"" }.first ?? " "))
        }
    }

    @Test(arguments: labels)
    func `JSON returns the label unchanged`(label: String) throws {
        let data = Data(JSONFormat().render(try fixture(label).report).utf8)
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let resolvers = try #require(document?["resolvers"] as? [[String: Any]])
        #expect(resolvers.map { $0["name"] as? String } == [label, label])
    }

    @Test(arguments: labels)
    func `a Markdown table keeps its cells`(label: String) throws {
        let text = MarkdownFormat().render(try fixture(label).report)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows.count == 4)
        for row in rows {
            // A backslash escapes the next character, which can be another backslash.
            let bare = row.replacingOccurrences(of: "\\\\", with: "")
                .replacingOccurrences(of: "\\|", with: "")
            #expect(bare.count { $0 == "|" } == 7)
        }
    }

    @Test(arguments: labels)
    func `SVG has no foreign element`(label: String) throws {
        let text = SVGFormat().render(try fixture(label).report)
        #expect(!text.contains("<script"))
        #expect(text.hasSuffix("</svg>\n"))
    }
}
