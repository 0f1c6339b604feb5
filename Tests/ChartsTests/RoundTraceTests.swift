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

    @Test func `a line is broken where no answer came and where nothing was asked`() {
        let trace = trace([1: 10, 2: 11, 3: nil, 4: 12, 7: 13, 8: 14])
        #expect(trace.runs.map { $0.map(\.round) } == [[1, 2], [4], [7, 8]])
        #expect(trace.losses == [3])
        #expect(trace.asked == 6)
    }

    @Test func `a loss breaks the line within reach, and a round not asked does not`() {
        let lost = trace([0: 10, 1: nil, 2: 11], reach: 2.5)
        #expect(lost.runs.map { $0.map(\.round) } == [[0], [2]])
        let left = trace([0: 10, 2: 11], reach: 2.5)
        #expect(left.runs.map { $0.map(\.round) } == [[0, 2]])
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

    @Test func `odd points do no harm`() {
        let trace = trace([.min: 3, .max: .nan, 0: -2, 5: .infinity], columns: 1)
        #expect(trace.losses.count == 2)
        #expect(trace.runs.flatMap(\.self).allSatisfy { $0.lowest >= 0 })
    }
}
