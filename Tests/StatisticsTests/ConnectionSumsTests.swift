import Statistics
import Testing

struct ConnectionSumsTests {
    private static func tally(_ times: some Sequence<Double>) -> ConnectionSums {
        var tally = ConnectionSums()
        for time in times {
            tally.insert(connect: time, handshake: 2 * time, query: 3 * time)
            tally.count(use: 2)
        }
        return tally
    }

    @Test func `the parts of openings are recorded separately, within 1 percent`() throws {
        let tally = Self.tally((1...101).map(Double.init))
        let medians = ConnectionSums.Part.allCases.compactMap { tally.times(of: $0).quantile(0.5) }
        try #require(medians.count == 4)
        for (median, value) in zip(medians, [51.0, 102, 153, 306]) {
            #expect(abs(median / value - 1) <= 0.0101)
        }
        #expect(tally.uses == [2: 101])
    }

    @Test func `the sums of parts add up to the sums of the whole`() {
        let times = (1...90).map { Double($0 * $0) / 10 }
        var sum = Self.tally(times[..<40])
        sum.count(unverified: 2)
        sum.merge(ConnectionSums())
        var rest = Self.tally(times[40...])
        rest.count(unverified: 3)
        sum.merge(rest)
        var whole = Self.tally(times)
        whole.count(unverified: 5)
        #expect(sum == whole)
    }

    @Test func `a connection within the handshake has no separate time to connect`() {
        var tally = ConnectionSums()
        #expect(tally.isEmpty)
        tally.insert(connect: nil, handshake: 20, query: 10)
        #expect(!tally.isEmpty)
        #expect(tally.times(of: .connect).count == 0 && tally.times(of: .handshake).count == 1)
        #expect(abs((tally.times(of: .whole).quantile(0.5) ?? 0) / 30 - 1) <= 0.0101)
    }

    @Test func `counted times can be removed again`() {
        let (few, many) = ([3.0, 40, 40.1, 900], [1.0, 3, 41, 40, 0.2])
        func sketch(_ times: [Double]) -> LatencySketch {
            times.reduce(into: LatencySketch()) { $0.insert($1) }
        }
        #expect(sketch(few + many).without(sketch(few)) == sketch(many))
        #expect(sketch(few + many).without(sketch(many)) == sketch(few))
        #expect(sketch(few).without(sketch(few)) == LatencySketch())
        #expect(sketch(few).without(LatencySketch()) == sketch(few))
        // Times that were never added cannot be removed.
        #expect(sketch(few).without(sketch([7, 10_000])) == sketch(few))
        #expect(LatencySketch().without(sketch(few)).count == 0)
    }
}
