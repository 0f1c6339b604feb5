import Statistics
import Testing

/// Hours as evidence for longer periods.
struct HourlyEvidenceTests {
    private static func tally(_ answers: [Double], failed: Int = 0) -> LatencyTally {
        var tally = LatencyTally()
        for answer in answers { tally.insert(answer: answer) }
        for _ in 0..<failed { tally.insertNonAnswer() }
        return tally
    }

    private static func comparison(hours: [Int]) throws -> Comparison {
        var process = ComparisonProcess(
            candidates: 1,
            rules: ComparisonRules(margin: 5, unit: .hour)
        )
        for hour in hours {
            let round = PairedRound(
                hour: hour,
                baseline: tally([30, 31, 29]),
                candidate: tally([12, 11, 40]),
                timeout: 5_000
            )
            process.add([try #require(round)])
        }
        return try #require(process.comparisons(ending: .budgetSpent).first)
    }

    @Test(arguments: [
        (hours: Array(0..<24), isDecided: false), (hours: Array(20..<28), isDecided: true),
        (hours: Array(21..<28), isDecided: false), (hours: Array(-4..<4), isDecided: true),
    ])
    func `eight hours over two days decide`(hours: [Int], isDecided: Bool) throws {
        let comparison = try Self.comparison(hours: hours)
        #expect((comparison.verdict == .switch) == isDecided)
        #expect(comparison.unit == .hour && comparison.rounds == hours.count)
        #expect(comparison.pairs == hours.count)
    }

    @Test func `an hour contains the lower median and the number of failures`() throws {
        let round = try #require(
            PairedRound(
                hour: 470_000,
                baseline: Self.tally([30, 31, 29], failed: 1),
                candidate: Self.tally([12, 11, 40]),
                timeout: 5_000
            )
        )
        #expect(round.share(above: 5) == 1 && round.share(above: 25) == 0)
        #expect(round.baselineFailures == FailureCount(failures: 1, queries: 4))
        #expect(round.failureExcess == -0.25)
    }

    @Test func `failed queries of an hour count in its mean as the timeout`() throws {
        var process = ComparisonProcess(
            candidates: 1,
            rules: ComparisonRules(margin: 5, unit: .hour)
        )
        let round = PairedRound(
            hour: 470_000,
            baseline: Self.tally([30, 31, 29]),
            candidate: Self.tally([10, 10, 10], failed: 1),
            timeout: 5_000
        )
        process.add([try #require(round)])
        let comparison = try #require(process.comparisons(ending: .budgetSpent).first)
        // 30 ms minus (3 × 10 ms + 5,000 ms) / 4.
        #expect(comparison.meanDifference == -1227.5)
    }

    @Test func `a median among failures is infinite, and an hour without queries is excluded`()
        throws
    {
        let failed = Self.tally([10], failed: 3)
        let round = try #require(
            PairedRound(hour: 1, baseline: failed, candidate: Self.tally([12]), timeout: 5_000)
        )
        #expect(round.pairs == [.infinity])
        let empty = PairedRound(
            hour: 1,
            baseline: failed,
            candidate: Self.tally([]),
            timeout: 5_000
        )
        #expect(empty == nil)
    }
}
