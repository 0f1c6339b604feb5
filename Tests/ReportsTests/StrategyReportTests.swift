import Analysis
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// The report on strategies that query several resolvers.
struct StrategyReportTests {
    /// Every tenth answer of the baseline is slow, and every fiftieth answer is lost. The other resolvers are
    /// fast.
    private func fixture(rounds: Int = 60, others: Int = 2) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.started = fixture.context.started.advanced(by: .milliseconds(1))
        fixture.context.baseline = "home"
        fixture.context.wantsStrategies = true
        fixture.add("home") { number in
            number % 50 == 7 ? .none(.timeout) : .answer(number % 10 == 3 ? 250 : 20)
        }
        for other in 0..<others {
            fixture.add("r\(other + 1)", endpoint: "127.0.0.1:\(5312 + other)") { number in
                .answer(30 + Double(number % 7) + Double(other))
            }
        }
        return fixture
    }

    /// Returns the fixture with a separate send time for each query, as in schedules without volleys.
    private func apart(_ fixture: Fixture) -> Fixture {
        var fixture = fixture
        for index in fixture.samples.indices {
            fixture.samples[index].scheduled = fixture.context.started
                .advanced(by: .milliseconds(index))
        }
        return fixture
    }

    private func section(_ fixture: Fixture) throws -> Document.Section {
        try #require(fixture.report.document.sections.last)
    }

    @Test func `one resolver over two transports has two names`() throws {
        var fixture = try fixture(others: 0)
        fixture.add("home", transport: "tls") { _ in .answer(24) }
        let json = JSONFormat().render(fixture.report)
        #expect(json.contains("\"home (udp)\"") && json.contains("\"home (tls)\""))
        let data = Data(json.utf8)
        let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let strategies = try #require(members["strategies"] as? [String: Any])
        let rows = try #require(strategies["rows"] as? [[String: Any]])
        let race = try #require(rows.first { $0["strategy"] as? String == "race" })
        #expect((race["first_answers"] as? [String: Any])?.count == 2)
    }

    @Test func `the strategy with the fewest slow look-ups comes first, with its cost`() throws {
        let section = try section(fixture())
        #expect(section.headline == "Hedge to r1: fewer slow look-ups than home alone.")
        let first = try #require(section.details.first)
        #expect(first.hasPrefix("Hedge to r1: 0.0 % slow vs 12.0 %, 12.0 points fewer ("))
        #expect(first.hasSuffix("for 1.12 queries per look-up."))
        #expect(section.details[1].hasPrefix("Fewer too: "))
        #expect(section.details.contains { $0.contains("0.0 % failed vs 2.0 %, 2.0 points fewer") })
        #expect(section.details.contains { $0.hasPrefix("A race is as truthful and as private") })
        #expect(
            section.scope
                == "600 look-ups in 60 rounds, each sent to all at one moment, cached names."
        )
        let table = try #require(section.tables.first)
        #expect(
            table.columns[0].cells.map(\.text) == [
                "home alone", "race with r1", "race with r2", "hedge to r1", "hedge to r2",
                "failover to r1", "failover to r2", "race of all 3", "equal shares of all 3",
                "winner of a race",
            ]
        )
        let columns = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.header, $0.cells) })
        #expect(columns["verdict"]?[3].text == "fewer slow, fewer failed")
        #expect(columns["median"]?[5].text == "20.0 ms")
        #expect(columns["p95"]?[0].text == "250.0 ms")
        #expect(columns["queries"]?.map(\.text).last == "1.00")
        #expect(columns["verdict"]?.map(\.text).last == "")
        #expect(columns["first answer"]?[3].text == "home 88.0 %, r1 12.0 %")
    }

    @Test func `JSON has the same figures, with null for an open interval`() throws {
        let text = try fixture().report.json.text()
        for part in [
            #""strategies": {"#, #""at_once": true"#, #""strategy": "hedge""#,
            #""resolvers": ["home", "r1"]"#, #""after_ms": 50.000"#, #""verdict": "better""#,
            #""queries_per_lookup": 1.12"#, #""slow_rate": 0.12"#,
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("bracket"))
    }

    @Test func `a race without simultaneous queries has a bracket and no verdict`() throws {
        let fixture = apart(try fixture())
        let section = try section(fixture)
        #expect(
            section.headline
                == "Strategies without a verdict: no name was sent to all at one moment."
        )
        let table = try #require(section.tables.first)
        let columns = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.header, $0.cells) })
        #expect(columns["verdict"] == nil && table.columns[0].cells.count == 9)
        #expect(columns["p95"]?[1].text == "33.0 to 36.0 ms")
        #expect(columns["slow"]?[1].text == "–" && columns["first answer"]?[1].text == "–")
        // The figures of strategies that query one resolver at a time are known.
        #expect(columns["slow"]?[0].text == "12.0 %" && columns["slow"]?[8].text == "4.0 %")
        let text = fixture.report.json.text()
        #expect(text.contains(#""p95_bracket_ms": [33.000, 36.000]"#))
        #expect(text.contains(#""at_once": false"#))
        #expect(section.details.contains { $0.hasPrefix("A race is between what these rows say") })
    }

    @Test func `a report with few slow look-ups says so`() throws {
        var fixture = try Fixture(rounds: 20)
        fixture.context.started = fixture.context.started.advanced(by: .milliseconds(1))
        fixture.context.baseline = "home"
        fixture.context.wantsStrategies = true
        for (index, label) in ["home", "far"].enumerated() {
            fixture.add(label, endpoint: "127.0.0.1:\(5311 + index)") { _ in .answer(20) }
        }
        let section = try section(fixture)
        #expect(section.headline == "Little to save: 0.0 % of look-ups of home alone are slow.")
        #expect(section.details.first?.hasPrefix("4 of 4 undecided: ") == true)
        #expect(section.tables[0].columns[0].cells.map(\.text).contains("equal shares of both"))
    }

    @Test func `strategies need two resolvers that return true answers`() throws {
        let alone = try section(fixture(others: 0))
        #expect(alone.headline.hasPrefix("No strategies: "))
        var lying = try fixture()
        lying.context.tampering = ["r1": "invents addresses"]
        let names = try section(lying).tables[0].columns[0].cells.map(\.text)
        #expect(names.contains("race with r2") && !names.contains { $0.contains("r1") })
        #expect(try section(lying).details.last == "Left out after a failed check of answers: r1.")
        lying.context.tampering["r2"] = "invents addresses"
        #expect(
            try section(lying).details.first
                == "Left out after a failed check of answers: r1, r2."
        )
        let many = try section(fixture(rounds: 8, others: 8))
        #expect(many.details.contains("Over 6 of 9 resolvers, the baseline first."))
    }

    @Test func `strategies are reported only with the option`() throws {
        var fixture = try fixture()
        fixture.context.wantsStrategies = false
        #expect(fixture.report.document.sections.count == 1)
        #expect(!fixture.report.json.text().contains("strategies"))
    }

    @Test func `rows of volleys use simultaneous queries`() throws {
        var fixture = try fixture(rounds: 10)
        // Every second name was sent to r2 separately.
        for index in fixture.samples.indices where fixture.samples[index].target == 2 {
            guard fixture.samples[index].question % 2 == 0 else { continue }
            fixture.samples[index].scheduled = fixture.context.started.advanced(
                by: .milliseconds(9)
            )
        }
        let evidence = try #require(
            StrategyEvidence(of: CountedSamples(of: fixture.recording), baseline: "home")
        )
        let lookups = Dictionary(
            uniqueKeysWithValues: evidence.rows.map { ($0.strategy, $0.figures.lookups) }
        )
        #expect(evidence.isAtOnce && evidence.lookups == 100)
        #expect(lookups[.race([0, 1])] == 100 && lookups[.race([0, 2])] == 50)
        #expect(lookups[.race([0, 1, 2])] == 50)
    }

    @Test func `queries of an imported file with whole seconds are no volleys`() throws {
        var fixture = try fixture()
        for index in fixture.samples.indices {
            let second = 1_795_233_312 + Int64(fixture.samples[index].round)
            fixture.samples[index].scheduled = Timestamp(nanoseconds: second * 1_000_000_000)
        }
        fixture.origin = .imported
        var recording = fixture.recording
        let imported = try #require(
            StrategyEvidence(of: CountedSamples(of: recording), baseline: "home")
        )
        #expect(!imported.isAtOnce && imported.rows.allSatisfy { $0.slow == nil })
        recording.runs[0].origin = .compare
        let own = try #require(
            StrategyEvidence(of: CountedSamples(of: recording), baseline: "home")
        )
        #expect(own.isAtOnce)
    }
}
