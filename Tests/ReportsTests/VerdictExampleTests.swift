import Analysis
import Catalogue
import Fixtures
import Reports
import Samples
import Statistics
import Testing

struct VerdictExampleTests {
    @Test(arguments: VerdictExample.allCases, [80, 100])
    func `every verdict reads as plain English`(example: VerdictExample, width: Int) throws {
        let text = TextFormat(width: width).render(try example.fixture().report)
        try Golden.expect(text, in: "verdict-\(example.rawValue)-\(width).txt")
    }

    @Test(arguments: VerdictExample.allCases)
    func `a headline has at most twelve words`(example: VerdictExample) throws {
        let report = try example.fixture().report
        for section in report.document.sections where report.series.count == 1 {
            // A number and its unit count as one word.
            let words = section.headline.replacing(/(\d) (ms|s|%)/) { "\($0.1)\($0.2)" }
                .split(separator: " ")
            #expect(words.count <= 12, "\(section.headline)")
        }
    }

    @Test(arguments: VerdictExample.allCases)
    func `every verdict is written as JSON`(example: VerdictExample) throws {
        let text = JSONFormat().render(try example.fixture().report)
        try Golden.expect(text, in: "verdict-\(example.rawValue).json")
    }

    @Test(arguments: VerdictExample.allCases)
    func `an example has the verdict of its name`(example: VerdictExample) throws {
        let evidence = try #require(try example.fixture().report.evidence.first)
        let found = evidence.candidates.map { "\($0.comparison.verdict)-\($0.comparison.reason)" }
        let expected = [
            "switch-one": "switch-faster", "switch-not-in-use": "switch-faster",
            "keep-several": "keep-withinMargin", "keep-within-margin": "keep-withinMargin",
            "too-close": "tooClose-budget", "undecided-few-rounds": "undecided-budget",
            "undecided-connecting": "undecided-edge",
            "switch-baseline-silent": "switch-baselineSilent", "two-series": "switch-faster",
        ]
        #expect(found.contains(expected[example.rawValue] ?? example.rawValue), "\(found)")
    }

    @Test(arguments: VerdictExample.allCases)
    func `only the name of the recommended resolver is green`(example: VerdictExample) throws {
        let report = try example.fixture().report
        let text = TextFormat(width: 100, colour: true).render(report)
        let green = text.split(separator: "\n").filter { $0.contains("\u{1B}[32m") }
        guard let name = text.firstMatch(of: /Yes, (?:switch to )?(\w+)/)?.1 else {
            #expect(green.isEmpty, "\(text)")
            return
        }
        #expect(green.count == report.series.count, "\(text)")
        #expect(green.allSatisfy { $0.contains(" \(name) ") }, "\(text)")
    }

    @Test(arguments: VerdictExample.allCases)
    func `the table of a page agrees with the answer`(example: VerdictExample) throws {
        let report = try example.fixture().report
        let page = HTMLFormat().render(report)
        let rows = page.split(separator: "<tr>")
        for detail in report.findings.flatMap(\.finding.details)
        where detail.hasSuffix("not recommended.") && report.series.count == 1 {
            let name = detail.prefix { $0 != ":" }
            let row = rows.filter { $0.contains("scope=\"row\">\(name)<") }.joined()
            #expect(row.contains(">not recommended</td>"), "\(row)")
            #expect(!row.contains(">undecided</td>"), "\(row)")
        }
        #expect(page.ranges(of: ">recommended<").count <= 1)
    }

    @Test func `each address is listed under its IP version`() throws {
        var fixture = try VerdictExample.switchOne.fixture()
        fixture.targets[1].endpoint = "[2001:db8::1]:53"
        fixture.context.resolverSetup = ResolverSetup(
            vantage: fixture.context.vantage,
            mechanism: .networkManager
        )
        let text = TextFormat(width: 100).render(fixture.report)
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let start = try #require(lines.firstIndex { $0.hasPrefix("NetworkManager") })
        #expect(
            lines[start...].dropFirst().prefix(2).elementsEqual([
                #"ipv4.dns "192.0.2.1" ipv4.ignore-auto-dns yes \"#,
                #"ipv6.dns "2001:db8::1" ipv6.ignore-auto-dns yes"#,
            ])
        )
    }

    @Test func `the drawing states the verdict`() throws {
        let drawing = SVGFormat().render(try VerdictExample.switchOne.fixture().report)
        #expect(drawing.contains("Yes, switch to meadow: 11 ms faster"))
    }
}
