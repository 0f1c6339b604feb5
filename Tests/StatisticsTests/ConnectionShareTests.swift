import Statistics
import Testing

@Suite struct ConnectionShareTests {
    /// A server that keeps idle connections for `timeout` seconds on a simulated clock. Returns the share of
    /// queries for which a client had to open a connection.
    private func replayed(_ times: [Double], timeout: Double) -> Double {
        var closesAt = -Double.infinity
        var opened = 0
        for time in times {
            if time > closesAt { opened += 1 }
            closesAt = time + timeout
        }
        return Double(opened) / Double(times.count)
    }

    /// The times of Poisson traffic within two hours.
    private func traffic(perHour: Double, seed: UInt64) -> [Double] {
        var random = RandomSequence(seed: seed)
        var times: [Double] = []
        var time = 0.0
        while true {
            time += random.nextExponential() * 3600 / perHour
            guard time < 7200 else { return times }
            times.append(time)
        }
    }

    @Test(arguments: [
        (perHour: 20.0, timeout: 13.0), (20, 120), (60, 8), (60, 30), (600, 2), (600, 10),
    ])
    func `the predicted share is within one point of replayed traffic`(
        perHour: Double,
        timeout: Double
    ) {
        let runs = (1...1000).map { seed in
            replayed(traffic(perHour: perHour, seed: seed), timeout: timeout)
        }
        // A single run of two hours varies by chance, and its first query opens a connection in any case.
        let queries = perHour * 2
        let predicted = ConnectionShare.ofPoisson(rate: perHour / 3600, timeout: timeout)
        let expected = (predicted * (queries - 1) + 1) / queries
        let mean = runs.reduce(0, +) / Double(runs.count)
        #expect(abs(mean - expected) < 0.01, "\(mean) \(expected)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the share of a pattern equals its replay`(seed: UInt64) {
        let times = traffic(perHour: 600, seed: seed)
        for timeout in [0.5, 2, 10, 60] {
            #expect(
                ConnectionShare.ofPattern(times, timeout: timeout)
                    == replayed(times, timeout: timeout)
            )
        }
    }

    @Test func `the share of Poisson traffic has reference values`() {
        // e^(−20·13/3600) and e^(−600·2/3600), by bc -l.
        #expect(abs(ConnectionShare.ofPoisson(rate: 20.0 / 3600, timeout: 13) - 0.9303241) < 1e-7)
        #expect(abs(ConnectionShare.ofPoisson(rate: 600.0 / 3600, timeout: 2) - 0.7165313) < 1e-7)
        #expect(ConnectionShare.ofPoisson(rate: 1, timeout: 0) == 1)
        #expect(ConnectionShare.ofPattern([], timeout: 1) == nil)
    }

    @Test func `six openings have an interval and fewer have none`() {
        let times = OpeningTimes([3, 1, 2, 6, 5, 4])
        #expect(times.median == 3.5 && times.mean == 3.5 && times.interval == 1...6)
        #expect(OpeningTimes([1, 2, 3, 4, 5]).interval == nil)
    }
}
