import Statistics
import Testing

struct LatencyTallyTests {
    private static let answers = (1...500).map { Double($0 * 7919 % 997) / 10 + 1 }

    private static func tally(_ answers: [Double], nonAnswers: Int = 0) -> LatencyTally {
        var tally = LatencyTally()
        var previous: Double?
        for answer in answers {
            tally.insert(answer: answer, after: previous)
            previous = answer
        }
        for _ in 0..<nonAnswers { tally.insertNonAnswer() }
        return tally
    }

    private static func isClose(_ one: Double?, _ other: Double?, within share: Double) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one - other) <= share * abs(other)
    }

    private static func expectSame(_ summary: LatencySummary, as exact: LatencySummary) {
        #expect(summary.count == exact.count && summary.answered == exact.answered)
        #expect(summary.timeout == exact.timeout)
        #expect(summary.minimum == exact.minimum && summary.maximum == exact.maximum)
        for path in [\LatencySummary.restrictedMean, \.standardDeviation, \.jitter] {
            #expect(isClose(summary[keyPath: path], exact[keyPath: path], within: 1e-9))
        }
        for path in [\LatencySummary.median, \.p5, \.p25, \.p75, \.p90, \.p95, \.p99] {
            #expect(isClose(summary[keyPath: path], exact[keyPath: path], within: 0.01))
        }
    }

    @Test(arguments: [(500, 0), (500, 40), (1, 3), (0, 5), (0, 0), (2, 0)])
    func `the summary of a tally equals the summary of the answers`(answers: Int, nonAnswers: Int) {
        let times = Array(Self.answers.prefix(answers))
        Self.expectSame(
            Self.tally(times, nonAnswers: nonAnswers).summary(timeout: 5000),
            as: LatencySummary(answers: times, nonAnswers: nonAnswers, timeout: 5000)
        )
    }

    @Test func `merged parts have the summary of the whole`() {
        let times = Self.answers
        var merged = Self.tally(Array(times[..<123]), nonAnswers: 3)
        var rest = LatencyTally()
        for index in 123..<times.count {
            rest.insert(answer: times[index], after: times[index - 1])
        }
        merged.merge(rest)
        Self.expectSame(
            merged.summary(timeout: 200),
            as: LatencySummary(answers: times, nonAnswers: 3, timeout: 200)
        )
    }

    @Test func `a late answer is beyond the timeout and counts as the timeout in the mean`() {
        let times = [10.0, 20, 30, 900]
        let summary = Self.tally(times).summary(timeout: 500)
        let exact = LatencySummary(answers: times, nonAnswers: 0, timeout: 500)
        #expect(summary.p99 == nil && exact.p99 == nil)
        #expect(summary.maximum == 900)
        #expect(Self.isClose(summary.restrictedMean, exact.restrictedMean, within: 0.02))
    }

    @Test func `no quantile lies outside the answers`() {
        let summary = Self.tally([20.3, 20.3]).summary(timeout: 500)
        #expect(summary.median == 20.3 && summary.p5 == 20.3 && summary.p99 == 20.3)
    }

    @Test func `a time that is not finite counts as no answer`() {
        var tally = LatencyTally()
        tally.insert(answer: .nan)
        tally.insert(answer: .infinity, after: 3)
        #expect(tally.nonAnswers == 2 && tally.answered == 0 && tally.sum == 0)
    }
}
