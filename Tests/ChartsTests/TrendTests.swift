import Statistics
import Testing

@testable import Charts

/// The medians of all resolvers in one plot.
struct TrendTests {
    private static let hours = 48

    private var chart: Chart {
        let resolvers = [
            SimulatedHistory(label: "meadow", base: 11, jitter: 3, asleep: 20..<24),
            SimulatedHistory(label: "harbour", role: .current, base: 16, jitter: 8, outage: 5..<7),
            SimulatedHistory(label: "silent", base: 1, jitter: 1, loss: 1),
        ]
        let start = SimulatedHistory.start
        let window = start..<(start + Int64(Self.hours) * 3600)
        let subjects = resolvers.enumerated().map {
            $1.subject(hours: Self.hours, seed: UInt64($0 + 1))
        }
        let tick = TimeMark(moment: start + 86_400, label: "3 Mar")
        return Chart(.trend, of: subjects, over: TimeScale(window: window, ticks: [tick]))
    }

    @Test(arguments: Sheet.Form.allCases)
    func `each resolver has a line that breaks without a median`(form: Sheet.Form) throws {
        let drawing = try #require(ParsedDrawing(Sheet(charts: [chart]).svg(form)))
        let lines = drawing.all("path")
            .filter { $0.attributes["class"]?.hasPrefix("curve") == true }
        // The resolver without answers has no line.
        let starts = lines.map { ($0.attributes["d"] ?? "").count { $0 == "M" } }
        #expect(starts == [2, 2])
        let texts = drawing.all("text").map(\.text)
        #expect(texts.contains("harbour"))
        #expect(texts.contains { $0.hasPrefix("s") && $0.hasSuffix(" – no answer") })
        #expect(texts.contains("3 Mar"))
        #expect(drawing.all("rect").count { $0.attributes["class"] == "ground plot" } == 1)
    }

    @Test func `the chart's readings are the hourly medians`() {
        let (labels, hours) = chart.readings
        #expect(labels == ["meadow", "harbour", "silent"])
        #expect(hours.count == Self.hours && hours.map(\.start) == hours.map(\.start).sorted())
        #expect(hours[5].medians[0] != .some(nil) && hours[5].medians[1] == .some(nil))
        #expect(hours[21].medians[0] == nil && hours[21].medians[1] != nil)
        #expect(hours.allSatisfy { $0.medians[2] == .some(nil) })
    }

    @Test func `a chart without hours says so`() {
        let empty = Chart(.trend, of: [], over: TimeScale(window: 0..<3600))
        #expect(empty.panel.nothing != nil && empty.readings.hours.isEmpty)
    }
}
