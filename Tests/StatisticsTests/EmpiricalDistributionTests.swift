import Testing

@testable import Statistics

struct EmpiricalDistributionTests {
    @Test(arguments: [
        (0.0, 1.0), (0.01, 1), (0.07, 7), (0.070_1, 8), (0.29, 29), (0.5, 50), (0.58, 58),
        (0.97, 97),
    ])
    func `a quantile is the order statistic at the rank rounded up`(p: Double, value: Double) {
        let answers = (1...97).reversed().map(Double.init)
        let distribution = EmpiricalDistribution(answers: answers, nonAnswers: 3)
        #expect(distribution.quantile(p) == value)
    }

    @Test(arguments: [0.971, 1, 2, Double.infinity])
    func `a quantile among the silent has no value`(p: Double) {
        let distribution = EmpiricalDistribution(
            answers: (1...97).map(Double.init),
            nonAnswers: 3
        )
        #expect(distribution.quantile(p) == nil)
    }

    @Test func `without queries nothing is known`() {
        let none = EmpiricalDistribution(answers: [], nonAnswers: 0)
        #expect(none.quantile(0.5) == nil)
        #expect(none.share(within: 10) == nil)
        #expect(none.steps(limit: 100).isEmpty)
        #expect(EmpiricalDistribution(answers: [1], nonAnswers: 0).quantile(.nan) == nil)
    }

    @Test func `the share within a time counts all queries`() {
        let distribution = EmpiricalDistribution(
            answers: [30, 10, 20, 20, 6000],
            nonAnswers: 3,
            timeout: 5000
        )
        #expect(distribution.beyond == 4)
        #expect(distribution.share(within: 9.9) == 0)
        #expect(distribution.share(within: 10) == 0.125)
        #expect(distribution.share(within: 20) == 0.375)
        #expect(distribution.share(within: 5000) == 0.5)
    }

    @Test func `a short curve has a step for each different answer`() {
        let distribution = EmpiricalDistribution(answers: [30, 10, 20, 20], nonAnswers: 1)
        #expect(
            distribution.steps(limit: 10) == [
                .init(milliseconds: 10, share: 0.2), .init(milliseconds: 20, share: 0.6),
                .init(milliseconds: 30, share: 0.8),
            ]
        )
    }

    @Test(arguments: [2, 3, 50, 400], [false, true])
    func `a thinned curve stays where it was`(limit: Int, logarithmic: Bool) throws {
        // A steep rise, then a tail a hundred times as long.
        let answers = (0..<100_000).map { index in
            let p = Double(index) / 100_000
            return 10 + p + 1000 * p * p * p * p * p * p * p * p
        }
        let distribution = EmpiricalDistribution(answers: answers, nonAnswers: 2000)
        let steps = distribution.steps(limit: limit, logarithmic: logarithmic)
        #expect(steps.count <= limit)
        #expect(steps.first?.milliseconds == answers.first)
        #expect(steps.last == .init(milliseconds: answers[99_999], share: 100_000.0 / 102_000))
        for (left, right) in zip(steps, steps.dropFirst()) {
            #expect(left.milliseconds < right.milliseconds && left.share < right.share)
            // Between two kept steps the drawn curve is level, and the true one climbs by so much.
            let share = try #require(distribution.share(within: right.milliseconds.nextDown))
            #expect(share - left.share <= 2 / Double(max(1, limit - 2)) + 1e-5)
        }
    }
}
