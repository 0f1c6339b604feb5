import Testing

@testable import Statistics

struct ServiceObjectiveTests {
    private func objective(_ target: Double = 0.95) throws -> ServiceObjective {
        try #require(ServiceObjective(limit: 50, target: target, isQuantile: true))
    }

    private func result(_ hours: [(Int, Int)], target: Double = 0.95) throws -> ObjectiveResult {
        ObjectiveResult(
            of: try objective(target),
            hours: hours.map { ObjectiveCount(within: $0.0, queries: $0.1) }
        )
    }

    @Test(arguments: [(0, 0.95), (-1, 0.95), (.infinity, 0.95), (50, 0), (50, 1), (50, .nan)])
    func `a limit or target that promises nothing is rejected`(limit: Double, target: Double) {
        #expect(ServiceObjective(limit: limit, target: target, isQuantile: false) == nil)
    }

    @Test func `a time at the limit is within it, to the nanosecond`() throws {
        let objective = try objective()
        #expect(objective.holds(50) && objective.holds(Double(50_000_000) * 1e-6))
        #expect(!objective.holds(50.000_001) && !objective.holds(.infinity))
    }

    @Test func `a quantile below the limit means a sufficient share within it`() throws {
        let objective = try objective()
        // 1,000 answers, 40 to 60 of them late. The p95 is the 950th.
        for late in 40...60 {
            let times =
                Array(repeating: 20.0, count: 1000 - late) + Array(repeating: 80, count: late)
            let summary = LatencySummary(answers: times, nonAnswers: 0, timeout: 5000)
            let share = Double(times.count(where: objective.holds)) / 1000
            #expect((try #require(summary.p95) <= 50) == (share >= 0.95))
        }
    }

    @Test(arguments: [
        // Each case has (within, queries), the state, and the remaining share of the budget.
        ([(95, 100)], ObjectiveResult.State.open, 0.0), ([(1000, 1000)], .kept, 1),
        ([(900, 1000)], .missed, -1), ([(975, 1000), (0, 0)], .kept, 0.5),
    ])
    func `the interval decides the state, and the remaining budget is computed`(
        hours: [(Int, Int)],
        state: ObjectiveResult.State,
        left: Double
    ) throws {
        let result = try result(hours)
        #expect(result.state == state && result.hours == 1 && !result.isByHours)
        #expect(agree(result.budgetLeft, left, within: 1e-12))
    }

    @Test func `without queries the objective stays open`() throws {
        let result = try result([])
        #expect(result.state == .open && result.interval == 0...1)
        #expect(result.budgetLeft == nil && result.count.share == nil)
    }

    /// The reference values are computed with SciPy 1.17 (t.ppf), with the documented batches and variance.
    @Test func `from 20 hours on, hours are the unit`() throws {
        let twenty = try result((0..<20).map { (100 - $0 * 7 % 20, 100) })
        #expect(twenty.isByHours && twenty.count == ObjectiveCount(within: 1810, queries: 2000))
        #expect(agree(twenty.interval.lowerBound, 0.877311894, within: 1e-5))
        #expect(agree(twenty.interval.upperBound, 0.932688106, within: 1e-5))
        // 45 hours are 21 batches of two hours and one batch of three hours.
        let many = try result((0..<45).map { ($0 % 3 > 0 ? 100 : 60, 100 + $0 % 2 * 20) })
        #expect(many.count == ObjectiveCount(within: 3900, queries: 4940))
        #expect(agree(many.interval.lowerBound, 0.752099758, within: 1e-5))
        #expect(agree(many.interval.upperBound, 0.826847611, within: 1e-5))
    }

    @Test func `the interval of equal hours has a positive width`() throws {
        let clean = try result(Array(repeating: (120, 120), count: 720))
        #expect(clean.interval.upperBound == 1)
        #expect(agree(clean.interval.lowerBound, 0.99989293, within: 1e-7))
        let even = try result(Array(repeating: (114, 120), count: 720))
        #expect(even.state == .open && even.interval.lowerBound < 0.95)
    }

    @Test(arguments: [(19, 2.093024), (25, 2.059539), (38, 2.024394)])
    func `quantiles of Student's t equal published tables`(freedom: Int, quantile: Double) {
        #expect(agree(StudentT.quantile(0.975, freedom: freedom), quantile, within: 1e-4))
    }

    /// Months of correlated hours, as on a busy line.
    @Test func `the interval contains the true share of correlated hours`() throws {
        var random = RandomSequence(seed: 20_261_123)
        /// A value with mean 0 and variance 1, approximately normal.
        func noise() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + random.nextFraction() } }
        let (runs, truth) = (300, 0.95)
        var (held, heldByQueries) = (0, 0)
        for _ in 0..<runs {
            var level = noise()
            let hours = (0..<720).map { _ in
                level = 0.8 * level + 0.6 * noise()
                let late = min(max(0, 60 + 15 * level), 1200)
                return ObjectiveCount(within: 1200 - Int(late.rounded()), queries: 1200)
            }
            let interval = HourlyShare.interval(of: hours)
            held += interval.contains(truth) ? 1 : 0
            let whole = hours.reduce(into: ObjectiveCount()) { $0 += $1 }
            let naive = ProportionInterval.wilson(successes: whole.within, of: whole.queries)
            heldByQueries += naive.contains(truth) ? 1 : 0
        }
        #expect(held >= runs * 90 / 100)
        #expect(heldByQueries < runs * 80 / 100)
    }

    @Test func `a sketch counts the times up to a limit within 1 percent`() throws {
        var random = RandomSequence(seed: 7)
        var tally = LatencyTally()
        let times = (0..<5000).map { _ in 5 + 100 * random.nextFraction() }
        for time in times { tally.insert(answer: time) }
        for _ in 0..<100 { tally.insertNonAnswer() }
        for limit in [4.0, 10, 50, 99, 200] {
            let objective = try #require(
                ServiceObjective(limit: limit, target: 0.95, isQuantile: true)
            )
            let count = tally.count(within: objective)
            #expect(count.queries == 5100)
            let least = times.count { $0 <= limit / 1.0101 }
            let most = times.count { $0 <= limit * 1.0101 }
            #expect((least...most).contains(count.within))
        }
        // If all answers are on one side of the limit, the count is exact, regardless of the bucket.
        var even = LatencyTally()
        for _ in 0..<10 { even.insert(answer: 50) }
        #expect(even.count(within: try objective()) == ObjectiveCount(within: 10, queries: 10))
        #expect(LatencyTally().count(within: try objective()) == ObjectiveCount())
    }

    @Test func `the burn rate is the share of failures divided by the allowed share`() throws {
        let objective = try objective(0.99)
        let count = ObjectiveCount(within: 856, queries: 1000)
        #expect(agree(count.burnRate(of: objective), 14.4, within: 1e-9))
        #expect(ObjectiveCount().burnRate(of: objective) == nil)
    }
}
