import Charts
import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

struct ComparisonReportTests {
    @Test func `every outcome has its own count`() throws {
        var fixture = try Fixture(rounds: 1, names: Outcome.allCases.count)
        fixture.add("all") { number in
            Outcome.allCases[number] == .answered
                ? .answer(3)
                : Outcome.allCases[number] == .failed
                    ? .failure(.refused) : .none(Outcome.allCases[number])
        }
        let row = try #require(fixture.report.rows.first)
        #expect(row.counts.sent == 7)
        #expect(row.counts.failed == 5)
        #expect(row.counts.measured == 6)
        #expect(row.counts.responseCodes == ["REFUSED": 1])
        #expect(row.counts.failureRate.fraction == 5.0 / 6)
        #expect(row.latency.count == 6)
        #expect(row.latency.answered == 1)
    }

    @Test func `lost queries increase the quantiles and the mean`() throws {
        var fixture = try Fixture(rounds: 1, names: 10)
        fixture.add("lossy") { $0 < 4 ? .none(.timeout) : .answer(Double($0)) }
        let latency = try #require(fixture.report.rows.first?.latency)
        #expect(latency.median == 8)
        #expect(latency.p90 == nil)
        #expect(latency.restrictedMean == 2003.9)
        #expect(latency.maximum == 9)
    }

    @Test func `rows are sorted by median, rows without a median last`() throws {
        var fixture = try Fixture(rounds: 2)
        fixture.add("silent") { _ in .none(.timeout) }
        fixture.add("slow") { _ in .answer(30) }
        fixture.add("half") { $0 % 3 == 0 ? .answer(1) : .none(.timeout) }
        fixture.add("fast") { _ in .answer(10) }
        #expect(fixture.report.rows.map(\.name) == ["fast", "slow", "half", "silent"])
    }

    @Test func `rows with the same label are named by their differences`() throws {
        var fixture = try Fixture(rounds: 1)
        fixture.add("a", endpoint: "127.0.0.1:53") { _ in .answer(1) }
        fixture.add("a", endpoint: "127.0.0.1:853", transport: "tls") { _ in .answer(2) }
        fixture.add("b", endpoint: "127.0.0.1:53") { _ in .answer(3) }
        fixture.add("b", endpoint: "127.0.0.2:53") { _ in .answer(4) }
        fixture.add("c") { _ in .answer(5) }
        fixture.add("c", series: .uncached) { _ in .answer(6) }
        let names = ["a (udp)", "a (tls)", "b (127.0.0.1:53)", "b (127.0.0.2:53)", "c", "c"]
        #expect(fixture.report.rows.map(\.name) == names)
    }

    @Test func `rounds of several runs are drawn at their times`() throws {
        var fixture = try Fixture(rounds: 6, names: 1)
        fixture.add("a") { _ in .answer(10) }
        fixture.add("b") { $0 == 4 ? .none(.timeout) : .answer(20) }
        let numbered = try #require(fixture.report.charts(of: .cached, only: .rounds).first)
        #expect(numbered.scale.window.isEmpty)
        #expect(numbered.subjects[0].rounds[0].points.map(\.round) == [1, 2, 3, 4, 5, 6])
        var recording = fixture.recording
        recording.runs.append(Run(id: "r2", vantage: "desk", timeout: .seconds(5)))
        for index in 0..<6 {
            // The round numbers of the second run begin at 1 again, one day later.
            let run = index / 3
            recording.rounds[index].run = Int32(run)
            recording.rounds[index].number = Int32(index % 3 + 1)
            let second = Int64(1_795_233_312 + 86_400 * run + 60 * (index % 3))
            recording.rounds[index].started = Timestamp(nanoseconds: second * 1_000_000_000)
        }
        let report = ComparisonReport(of: recording, context: fixture.context)
        let chart = try #require(report.charts(of: .cached, only: .rounds).first)
        #expect(chart.scale.window == 1_795_233_312..<1_795_319_833)
        let places = chart.subjects[1].rounds[0].points.map { $0.round - 1_795_233_312 }
        #expect(places == [0, 60, 120, 86_400, 86_460, 86_520])
        let drawing = Sheet(charts: [chart]).svg()
        #expect(drawing.contains("x axis: time") && !drawing.contains("x axis: round"))
        #expect(drawing.contains("Times are local"))
        #expect(chart.scale.ticks.allSatisfy { drawing.contains(">\($0.label)</text>") })
    }

    @Test func `a sample without a reference is excluded`() throws {
        var fixture = try Fixture(rounds: 1, names: 1)
        fixture.add("a") { _ in .answer(1) }
        for target in [-1, 1, Int32.max] {
            var sample = fixture.samples[0]
            sample.target = target
            sample.question = target
            fixture.samples.append(sample)
        }
        #expect(fixture.report.rows.map(\.counts.sent) == [1])
        #expect(SVGFormat().render(fixture.report).hasPrefix("<svg"))
    }

    @Test func `an unknown response code and a missing time are accepted`() throws {
        var fixture = try Fixture(rounds: 1, names: 2)
        fixture.add("a") { number in
            number == 0 ? .none(.failed) : .none(.answered)
        }
        let row = try #require(fixture.report.rows.first)
        #expect(row.counts.responseCodes == ["unknown": 1])
        #expect(row.counts.answered == 1)
        #expect(row.latency.median == nil)
    }

    @Test func `every format has text for a run without resolvers`() throws {
        let report = try Fixture(rounds: 1).report
        for format in OutputFormat.allCases {
            #expect(!format.writer.render(report).isEmpty)
        }
        #expect(TextFormat().render(report).hasPrefix("No resolver was measured."))
    }
}
