import Analysis
import Catalogue
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// The report on queries while the line is busy.
struct LoadReportTests {
    /// Two resolvers, of which the load slows the queries. The queue of a round has 380 to 402 ms.
    private func fixture(
        rounds: Int = 12,
        marked: Bool = true,
        queue: (Int) -> Double = { 380 + 2 * Double($0) }
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "home"
        fixture.context.mark = marked ? try DSCP(parsing: "45") : nil
        fixture.context.load = LoadSummary(
            places: ["files.example"],
            limit: 200_000_000,
            bytes: 84_300_000,
            streams: 8,
            download: 9_580_000,
            upload: nil,
            idleRoundTrip: 12,
            loadedRoundTrip: 399
        )
        for (label, own) in [("home", 22.0), ("far", 31.0)] {
            func time(_ number: Int) -> Double { own + Double(number % 7) / 10 }
            fixture.add(label) { .answer(time($0)) }
            fixture.add(label, series: .loaded) { number in
                label == "far" && number % 10 == 9
                    ? .none(.timeout) : .answer(time(number) + queue(number / 10))
            }
            if marked { fixture.add(label, series: .loadedMarked) { .answer(time($0) + 1.5) } }
        }
        return fixture
    }

    private func section(_ fixture: Fixture) throws -> Document.Section {
        try #require(fixture.report.document.sections.first)
    }

    @Test func `the answer names the time, the queue and the effect of marking`() throws {
        let section = try section(fixture())
        #expect(
            section.headline
                == "While the line is busy, a query takes 413 ms, and 22.3 ms on the idle line."
        )
        #expect(
            section.details == [
                "The busy line adds 391 ms (99.2 % confidence interval: 382.0 to 400.0 ms). Nearly all "
                    + "of it is the queue in front of your line: a packet to a resolver and back takes "
                    + "399 ms, and 12.0 ms on the idle line.",
                "Marking with DSCP 45 helps by 390 ms (99.2 % confidence interval: 380.5 to 398.5 ms).",
                "The load reached 9.58 Mbit/s down, with 8 streams in each direction, and transferred "
                    + "about 84.3 MB of at most 200 MB.",
            ]
        )
        #expect(section.scope == "12 rounds of blocks in random order, cached names.")
        let table = try #require(section.tables.first)
        #expect(table.columns[0].cells.map(\.text) == ["home", "far"])
        let columns = Dictionary(table.columns.map { ($0.header, $0.cells) }) { first, _ in first }
        #expect(columns["verdict"]?.map(\.text) == ["slower", "slower"])
        #expect(columns["added"]?[0].text == "391.0 ms (382.0 to 400.0)")
        #expect(columns["failed, loaded"]?[1].text == "10.0 %")
    }

    @Test func `a line that is not slower is said to be so`() throws {
        let section = try section(fixture(marked: false) { Double($0 % 2) * 4 - 2 })
        #expect(
            section.headline
                == "A busy line adds no time to queries to home, as far as this run shows."
        )
        #expect(!section.details.contains { $0.hasPrefix("Marking") })
    }

    @Test func `too few rounds give no interval`() throws {
        let section = try section(fixture(rounds: 5))
        #expect(section.headline == "Too few rounds to say what a busy line adds.")
    }

    @Test func `a run that the limit ended says so`() throws {
        var fixture = try fixture(rounds: 9)
        fixture.context.plan.rounds = 12
        fixture.context.load?.isLimitReached = true
        #expect(
            try section(fixture).details.last
                == "The limit of bytes ended the run after 9 rounds: raise --load-limit for a narrower "
                + "interval."
        )
        fixture.context.load?.failure = "--load x: no download"
        #expect(
            try section(fixture).details.last == "The load ended the run: --load x: no download."
        )
    }

    @Test func `programs get the differences and the load`() throws {
        let data = Data(JSONFormat().render(try fixture().report).utf8)
        let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let load = try #require(members["under_load"] as? [String: Any])
        #expect(load["rounds"] as? Int == 12 && load["dscp"] as? Int == 45)
        let facts = try #require(load["load"] as? [String: Any])
        #expect(facts["download_bps"] as? Double == 9_580_000 && facts["upload_bps"] is NSNull)
        let rows = try #require(load["rows"] as? [[String: Any]])
        #expect(rows.map { $0["resolver"] as? String } == ["home", "far"])
        let added = try #require(rows[0]["added"] as? [String: Any])
        #expect(added["median_ms"] as? Double == 391 && added["verdict"] as? String == "longer")
        #expect((added["median_ci_ms"] as? [Double]) == [382, 400])
        let saved = try #require(rows[0]["saved"] as? [String: Any])
        #expect(saved["median_ms"] as? Double == 389.5)
    }

    @Test func `the states are beside each other in the charts`() throws {
        let sheets = try fixture().report.document.charts()
        #expect(sheets.count == 5)
        let csv = CSVFormat().render(try fixture().report)
        #expect(csv.contains(",loaded-marked,"))
    }

    @Test func `a report without loaded queries has no such section`() throws {
        var fixture = try Fixture(rounds: 12)
        fixture.add("home") { _ in .answer(20) }
        #expect(!JSONFormat().render(fixture.report).contains("under_load"))
    }
}
