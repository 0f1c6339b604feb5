import Samples
import Testing

@testable import Reports

/// Tables that list the transports of a resolver below each other.
struct ResolverGroupsTests {
    private func fixture() throws -> Fixture {
        var fixture = try Fixture(rounds: 12)
        fixture.context.baseline = "near"
        let times: [(String, Recording.Transport, Double)] = [
            ("far", "udp", 5), ("far", "tls", 7), ("near", "tls", 3), ("near", "udp", 2),
            ("near", "tcp", 9),
        ]
        for (seed, time) in times.enumerated() {
            fixture.add(
                time.0,
                endpoint: time.0 == "far" ? "127.0.0.1:5311" : "127.0.0.1:5312",
                transport: time.1,
                outcome: Fixture.noise(time.2, 0.001, seed: UInt64(seed + 1))
            )
        }
        return fixture
    }

    @Test func `the best resolver comes first, and UDP before TCP and TLS`() throws {
        let groups = try fixture().report.groups(of: .cached)
        #expect(groups.isGrouped)
        #expect(
            groups.rows.map(\.name) == [
                "near (udp)", "near (tcp)", "near (tls)", "far (udp)", "far (tls)",
            ]
        )
        #expect(names(of: groups) == ["near", "", "", "far", ""])
    }

    private func names(of groups: ResolverGroups) -> [String]? {
        groups.ranking(nil).first { $0.kind == .heading }?.cells(in: .text).map(\.text)
    }

    @Test func `with one transport per resolver, rows are sorted by rank`() throws {
        var fixture = try Fixture(rounds: 12)
        fixture.add("far", outcome: Fixture.noise(5, 0.1, seed: 1))
        fixture.add("near", transport: "tls", outcome: Fixture.noise(2, 0.1, seed: 2))
        let groups = fixture.report.groups(of: .cached)
        #expect(!groups.isGrouped)
        #expect(groups.rows == fixture.report.rows(of: .cached))
        #expect(names(of: groups) == ["near", "far"])
    }

    @Test func `the table shows the name of a resolver once`() throws {
        let lines = TextFormat(width: 90).render(try fixture().report).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("resolver") })
        let rows = lines[(start + 1)...].prefix(5).map { line in
            line.split(separator: " ").prefix(3).map(String.init)
        }
        #expect(
            rows.map { Array($0) } == [
                ["1", "near", "udp"], ["5", "tcp", "9.0"], ["2", "tls", "3.0"],
                ["3", "far", "udp"], ["4", "tls", "7.0"],
            ],
            "\(lines)"
        )
    }

    @Test func `Markdown has a column for the transport`() throws {
        let text = MarkdownFormat().render(try fixture().report)
        #expect(text.contains("| rank | resolver | over | median |"))
        #expect(text.contains("| 1 | near | udp | 2.0 ms |"))
        #expect(text.contains("| 5 |  | tcp | 9.0 ms |"))
    }

    @Test func `a page repeats the name, because its table can be sorted`() throws {
        let page = HTMLFormat().render(try fixture().report)
        #expect(page.contains("By resolver, the fastest first"))
        #expect(!page.contains("Fastest first"))
    }

    @Test func `the series of first queries shows the transport too`() throws {
        var fixture = try fixture()
        fixture.add(
            "far",
            endpoint: "127.0.0.1:5311",
            transport: "tls",
            series: .first,
            outcome: Fixture.noise(30, 0.1, seed: 9)
        )
        #expect(fixture.report.rows(of: .first).map(\.name) == ["far (tls)"])
    }
}
