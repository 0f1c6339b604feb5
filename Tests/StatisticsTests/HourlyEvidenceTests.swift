import Foundation
import Statistics
import Testing

/// Hours as evidence for longer periods.
struct HourlyEvidenceTests {
    private static func hour(_ answers: [Double], failed: Int = 0) -> HourSummary {
        HourSummary(answers: answers, nonAnswers: failed, timeout: 5_000)
    }

    private static func comparison(of rounds: [PairedRound?], margin: Double = 5) throws
        -> Comparison
    {
        var process = ComparisonProcess(
            candidates: 1,
            rules: ComparisonRules(margin: margin, unit: .hour)
        )
        for round in rounds { process.add([try #require(round)]) }
        return try #require(process.comparisons(ending: .budgetSpent).first)
    }

    private static func comparison(hours: [Int]) throws -> Comparison {
        try comparison(
            of: hours.map {
                PairedRound(
                    hour: $0,
                    baseline: Self.hour([30, 31, 29]),
                    candidate: Self.hour([12, 11, 40])
                )
            }
        )
    }

    private static func sketch(_ times: [Double]) -> HourSummary {
        var tally = LatencyTally()
        for time in times { tally.insert(answer: time) }
        return HourSummary(tally, timeout: 5_000)
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
                baseline: Self.hour([30, 31, 29], failed: 1),
                candidate: Self.hour([12, 11, 40])
            )
        )
        #expect(round.share(above: 5) == 1 && round.share(above: 25) == 0)
        #expect(round.baselineFailures == FailureCount(failures: 1, queries: 4))
        #expect(round.failureExcess == -0.25)
    }

    @Test func `failed queries of an hour count in its mean as the timeout`() throws {
        let round = PairedRound(
            hour: 470_000,
            baseline: Self.hour([30, 31, 29]),
            candidate: Self.hour([10, 10, 10], failed: 1)
        )
        let comparison = try Self.comparison(of: [round])
        // 30 ms minus (3 × 10 ms + 5,000 ms) / 4.
        #expect(comparison.meanDifference == -1227.5)
    }

    @Test func `a median among failures is infinite, and an hour without queries is excluded`()
        throws
    {
        let failed = Self.hour([10], failed: 3)
        let round = try #require(
            PairedRound(hour: 1, baseline: failed, candidate: Self.hour([12]))
        )
        #expect(round.pairs == [.infinity])
        let empty = PairedRound(
            hour: 1,
            baseline: failed,
            candidate: Self.hour([])
        )
        #expect(empty == nil)
    }

    /// Two resolvers on both sides of an edge of the sketch's buckets: 602 and 606 ms.
    private static func comparison(ofSketches isSketch: Bool, margin: Double) throws -> Comparison {
        let summary = isSketch ? sketch : { hour($0) }
        let rounds = (0..<72).map { hour in
            let jitter = Double(hour % 5) / 10
            return PairedRound(
                hour: hour,
                baseline: summary([606 + jitter, 606.2, 605.9]),
                candidate: summary([602 + jitter, 602.2, 601.9])
            )
        }
        return try comparison(of: rounds, margin: margin)
    }

    @Test func `medians of samples are exact`() throws {
        let comparison = try Self.comparison(ofSketches: false, margin: 5)
        #expect(comparison.verdict == .keep)
        #expect(comparison.interval.encloses(4))
        #expect(try Self.comparison(ofSketches: false, margin: 3).verdict == .switch)
    }

    @Test(arguments: [0.0, 3, 5]) func `the error of a sketch decides nothing`(margin: Double)
        throws
    {
        let comparison = try Self.comparison(ofSketches: true, margin: margin)
        #expect(comparison.verdict == .tooClose)
        #expect(comparison.interval.lower.map { $0 < 4 } ?? true)
        #expect(comparison.interval.upper.map { $0 > 4 } ?? true)
    }

    /// A comparison of sketches with one answer per hour: the baseline's times, and the candidate's.
    private static func comparison(
        of times: [(baseline: Double, candidate: Double)],
        margin: Double
    ) throws -> Comparison {
        let rounds = times.enumerated().map { hour, pair in
            PairedRound(
                hour: hour,
                baseline: sketch([pair.baseline]),
                candidate: sketch([pair.candidate])
            )
        }
        return try comparison(of: rounds, margin: margin)
    }

    @Test func `the error of one slow hour does not widen the interval of all hours`() throws {
        let times = (0..<72).map { hour in
            let usual = hour == 0 ? 3_000.0 : 20
            return (baseline: usual, candidate: usual + 20)
        }
        let comparison = try Self.comparison(of: times, margin: 0)
        #expect(comparison.verdict == .keep && comparison.reason == .slower)
        #expect(comparison.interval.upper.map { -20.7 < $0 && $0 < -19 } == true)
    }

    @Test func `hours whose difference is within the error decide nothing`() throws {
        // Four of five medians are equal within 1 %, and the sketches cannot tell their order.
        let times = (0..<200).map { hour in
            (baseline: 20.0, candidate: hour % 5 == 0 ? 30 : 19.9)
        }
        let comparison = try Self.comparison(of: times, margin: 0)
        #expect(comparison.verdict == .tooClose)
        #expect(comparison.interval.upper.map { $0 > 0 } ?? true)
    }

    @Test func `intervals of hours with unequal errors never contradict their verdicts`() throws {
        var random = RandomSequence(seed: 44)
        for _ in 0..<200 {
            let shift = 80 * random.nextFraction() - 40
            let margin = Double(5 * random.next(below: 2))
            let times = (0..<60).map { _ in
                let usual = exp(3 + 5 * random.nextFraction())
                let other = max(1, usual + shift + 120 * random.nextFraction() - 60)
                return (baseline: usual, candidate: other)
            }
            let comparison = try Self.comparison(of: times, margin: margin)
            let lower = comparison.interval.lower ?? -.infinity
            let upper = comparison.interval.upper ?? .infinity
            switch (comparison.verdict, comparison.reason) {
            case (.switch, _): #expect(lower >= margin)
            case (.keep, .slower), (.keep, .withinMargin): #expect(upper <= margin)
            case (.tooClose, _): #expect(lower <= margin && margin <= upper)
            default: break
            }
        }
    }
}
