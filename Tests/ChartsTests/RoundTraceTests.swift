import Testing

@testable import Charts

struct RoundTraceTests {
    private func trace(
        _ times: [Int: Double?],
        reach: Double = 1,
        columns: Int = 100
    ) -> RoundTrace {
        let points = times.map { (round: Double($0.key), milliseconds: $0.value) }
        let moments = points.map(\.round)
        let axis = Axis.counting(from: moments.min() ?? 1, to: moments.max() ?? 1, tickCount: 5)
        return RoundTrace(points, on: axis, reach: reach, columns: columns)
    }

    @Test func `a line breaks at missing answers and missing queries`() {
        let trace = trace([1: 10, 2: 11, 3: nil, 4: 12, 7: 13, 8: 14])
        #expect(trace.runs.map { $0.map(\.round) } == [[1, 2], [4], [7, 8]])
        #expect(trace.losses == [3])
        #expect(trace.asked == 6)
    }

    @Test func `within reach, a loss breaks the line but a missing round does not`() {
        let failed = trace([0: 10, 1: nil, 2: 11], reach: 2.5)
        #expect(failed.runs.map { $0.map(\.round) } == [[0], [2]])
        let left = trace([0: 10, 2: 11], reach: 2.5)
        #expect(left.runs.map { $0.map(\.round) } == [[0, 2]])
    }

    @Test func `rounds with other names do not break a name's line`() {
        func subject(_ label: String, missing: Set<Int> = []) -> ChartSubject {
            var subject = ChartSubject(label: label, summary: .fixture([], timeout: 5000))
            subject.rounds = [("a", [1, 2, 3, 4, 6, 7]), ("b", [1, 4, 6])].map { name, rounds in
                (
                    name,
                    rounds.filter { !missing.contains($0) }
                        .map { (round: Double($0), milliseconds: 10) }
                )
            }
            return subject
        }
        let panel = RoundsPanel(
            subjects: [subject("near"), subject("far", missing: [4])],
            over: TimeScale(window: 0..<0)
        )
        // Round 5 is missing for all names.
        #expect(panel.orders["b"] == [1: 1, 4: 2, 6: 4])
        let points: [RoundPoint] = [(1, 10), (4, 10), (6, 10)]
        let axis = Axis.counting(from: 1, to: 7, tickCount: 5)
        let orders = panel.orders["b"] ?? [:]
        let near = RoundTrace(points, on: axis, orders: orders, columns: 100)
        #expect(near.runs.map { $0.map(\.round) } == [[1, 4], [6]] && near.losses.isEmpty)
        let far = RoundTrace([points[0], points[2]], on: axis, orders: orders, columns: 100)
        #expect(far.runs.map { $0.map(\.round) } == [[1], [6]])
    }

    @Test func `thinning keeps the extremes and shows the median`() {
        var times: [Int: Double?] = [:]
        for round in 1...5000 { times[round] = 20 }
        times[2503] = 900
        times[2504] = 1
        times[4000] = .some(nil)
        let trace = trace(times, columns: 50)
        let drawn = trace.runs.flatMap(\.self)
        #expect(trace.isThinned && drawn.count == 50)
        #expect(drawn.allSatisfy { $0.middle == 20 })
        #expect(drawn.count { $0.lowest == 1 && $0.highest == 900 } == 1)
        #expect(trace.losses == [4000])
    }

    @Test func `a gap wider than a pixel stays a gap after thinning`() {
        var times: [Int: Double?] = [:]
        for round in 1...3000 where !(1000...1500).contains(round) { times[round] = 20 }
        #expect(trace(times, columns: 60).runs.count == 2)
    }

    @Test func `invalid points cause no failure`() {
        let trace = trace([.min: 3, .max: .nan, 0: -2, 5: .infinity], columns: 1)
        #expect(trace.losses.count == 2)
        #expect(trace.runs.flatMap(\.self).allSatisfy { $0.lowest >= 0 })
    }
}
