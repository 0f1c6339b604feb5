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
    func `a quantile among unanswered queries has no value`(p: Double) {
        let distribution = EmpiricalDistribution(answers: (1...97).map(Double.init), nonAnswers: 3)
        #expect(distribution.quantile(p) == nil)
    }

    @Test func `a distribution without queries has no quantile`() {
        let none = EmpiricalDistribution(answers: [], nonAnswers: 0)
        #expect(none.quantile(0.5) == nil)
        #expect(EmpiricalDistribution(answers: [1], nonAnswers: 0).quantile(.nan) == nil)
    }

    @Test func `answers after the timeout lie beyond it`() {
        let distribution = EmpiricalDistribution(
            answers: [30, 10, 20, 20, 6000],
            nonAnswers: 3,
            timeout: 5000
        )
        #expect(distribution.beyond == 4)
        #expect(distribution.answers == [10, 20, 20, 30])
    }
}
