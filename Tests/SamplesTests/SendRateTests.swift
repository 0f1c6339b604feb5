import DNSWire
import Samples
import Testing

struct SendRateTests {
    /// Returns the send rate of queries with the given due times and delays, in milliseconds.
    private func rate(
        _ queries: [(target: Int32, due: Int64, late: Int64)],
        outcome: Outcome = .answered
    ) -> SendRate {
        let targets = ["192.0.2.1:53", "192.0.2.2:53", "192.0.2.1:53"].enumerated().map {
            Recording.Target(
                label: "r\($0.offset)",
                endpoint: $0.element,
                transport: "udp",
                series: .cached
            )
        }
        let samples = queries.map { query in
            var observation = Observation(outcome: outcome)
            observation.lateness = query.late * 1_000_000
            return Sample(
                round: 0,
                target: query.target,
                question: 0,
                scheduled: Timestamp(
                    nanoseconds: 1_795_233_312_000_000_000 + query.due * 1_000_000
                ),
                observation: observation
            )
        }
        return SendRate(
            Dictionary(grouping: samples) { targets[Int($0.target)].endpoint }
                .mapValues { $0.compactMap(\.departure) }
        )
    }

    @Test func `the busiest second counts, at whatever time it begins`() {
        let times: [Int64] = [0, 900, 1_500, 1_700, 1_899, 1_900, 2_600]
        let rate = rate(times.map { (0, $0, 0) })
        #expect(rate.most == 4)
        #expect(rate.mostToOne == 4)
    }

    @Test func `labels with one address are one resolver`() {
        let rate = rate([(0, 0, 0), (1, 100, 0), (2, 200, 0)])
        #expect(rate.most == 3)
        #expect(rate.mostToOne == 2)
    }

    @Test func `late queries count at the time of sending`() {
        let onTime = rate((0..<5).map { (0, $0 * 1_000, 0) })
        #expect(onTime.most == 1)
        let late = rate((0..<5).map { (0, $0 * 1_000, 4_000 - $0 * 1_000) })
        #expect(late.most == 5)
    }

    @Test func `unsent queries do not count`() {
        #expect(rate([(0, 0, 0)], outcome: .offline).most == 0)
        #expect(rate([]).most == 0)
    }
}
