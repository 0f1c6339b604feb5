import Statistics
import Testing

/// Tests that failures above a rate are distinguished from random failures.
struct RateDependenceTests {
    private typealias Query = RateDependence.Query

    private static func unit(_ random: inout RandomSequence) -> Double {
        Double(random.next() >> 11) * 0x1p-53
    }

    /// Returns the times of queries in `rounds` rounds, at 20 queries per second, in random order and with
    /// jitter. The rounds are `pause` seconds apart.
    private func times(
        rounds: Int,
        names: Int,
        pause: Double = 0,
        _ random: inout RandomSequence
    ) -> [(seconds: Double, question: Int32)] {
        var seconds = 0.0
        return (0..<rounds).flatMap { _ in
            var order = (0..<names).map { Int32($0) }
            for index in order.indices.reversed() {
                order.swapAt(index, random.next(below: index + 1))
            }
            seconds += pause
            return order.map { question in
                seconds += (0.2 + 1.6 * Self.unit(&random)) / 20
                return (seconds, question)
            }
        }
    }

    private func query(_ time: (seconds: Double, question: Int32), _ failed: Bool) -> Query {
        Query(departure: Int64(time.seconds * 1e9), question: time.question, failed: failed)
    }

    @Test(arguments: [0.05, 0.1, 0.2, 0.35, 0.5])
    func `random loss is hardly ever classified as a limit`(loss: Double) {
        for (rounds, names) in [(10, 10), (100, 1), (1, 300)] {
            var found = 0
            for trial in 0..<1000 {
                var random = RandomSequence(seed: 38, part: trial)
                let queries = times(rounds: rounds, names: names, &random).map {
                    query($0, Self.unit(&random) < loss)
                }
                if RateDependence(of: queries)?.isLimit == true { found += 1 }
            }
            #expect(found <= 10, "\(rounds) rounds of \(names) names: \(found)")
        }
    }

    @Test(arguments: [5.0, 30])
    func `a token bucket is a limit`(burst: Double) {
        for trial in 0..<20 {
            var random = RandomSequence(seed: 4, part: trial)
            var (tokens, last) = (burst, 0.0)
            let queries = times(rounds: 12, names: 10, &random).map { time in
                tokens = min(burst, tokens + (time.seconds - last) * 5)
                last = time.seconds
                let isAnswered = tokens >= 1
                if isAnswered { tokens -= 1 }
                return query(time, !isAnswered)
            }
            let dependence = RateDependence(of: queries)
            #expect(dependence?.isLimit == true, "\(String(describing: dependence))")
            #expect(dependence?.answersPerSecond.map { (4...6).contains($0) } == true)
        }
    }

    @Test func `a limit that refills between rounds is a limit`() {
        for trial in 0..<20 {
            var random = RandomSequence(seed: 5, part: trial)
            var (tokens, last) = (5.0, 0.0)
            let queries = times(rounds: 10, names: 10, pause: 300, &random).map { time in
                tokens = min(5, tokens + (time.seconds - last) * 5)
                last = time.seconds
                let isAnswered = tokens >= 1
                if isAnswered { tokens -= 1 }
                return query(time, !isAnswered)
            }
            #expect(RateDependence(of: queries)?.isLimit == true)
        }
    }

    @Test func `outages and lossy times are no limit`() {
        for trial in 0..<300 {
            var random = RandomSequence(seed: 6, part: trial)
            var isBad = false
            let burstLoss = times(rounds: 20, names: 10, &random).map { time in
                isBad = Self.unit(&random) < (isBad ? 0.8 : 0.1)
                return query(time, isBad)
            }
            #expect(RateDependence(of: burstLoss)?.isLimit != true)
            let outage = times(rounds: 20, names: 10, &random).enumerated().map { index, time in
                query(time, (100..<150).contains(index) || Self.unit(&random) < 0.02)
            }
            #expect(RateDependence(of: outage)?.isLimit != true)
        }
    }

    @Test func `names that always fail are no limit`() {
        for trial in 0..<300 {
            var random = RandomSequence(seed: 7, part: trial)
            let queries = times(rounds: 20, names: 10, &random).map { query($0, $0.question < 3) }
            #expect(RateDependence(of: queries)?.isLimit == false)
        }
    }

    @Test func `a resolver that always fails has no score`() {
        var random = RandomSequence(seed: 8)
        let times = times(rounds: 10, names: 10, &random)
        #expect(RateDependence(of: times.map { query($0, true) }) == nil)
        #expect(RateDependence(of: times.map { query($0, false) }) == nil)
        #expect(RateDependence(of: []) == nil)
    }
}
