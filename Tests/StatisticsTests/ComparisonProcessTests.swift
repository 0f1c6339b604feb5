import Statistics
import Testing

/// The verdict of a comparison, and the round in which it is reached.
struct ComparisonProcessTests {
    /// Differences of ten names. Nine names are faster, most of them by about 8 ms.
    private static let faster = [8, 9, 7.5, 8.25, 30, -4, 8.5, 9.5, 6, 7]

    private static func process(
        _ pairs: [Double],
        rounds: Int,
        rules: ComparisonRules = ComparisonRules()
    ) -> ComparisonProcess {
        var process = ComparisonProcess(candidates: 1, rules: rules)
        for _ in 0..<rounds { process.add([PairedRound(pairs)]) }
        return process
    }

    @Test func `a faster candidate is decided as soon as it is certain`() {
        for rounds in 0..<20 {
            let verdict = Self.process(Self.faster, rounds: rounds).verdict(of: 0)
            #expect((verdict?.verdict == .switch) == (rounds >= 8))
        }
    }

    @Test(arguments: [
        (lost: 1, verdict: Verdict.switch, reason: VerdictReason.faster),
        (lost: 2, verdict: .undecided, reason: .reliability),
        (lost: 40, verdict: .keep, reason: .reliability),
    ])
    func `losses prevent a switch`(lost: Int, verdict: Verdict, reason: VerdictReason) throws {
        var process = Self.process(Self.faster, rounds: 9)
        for _ in 0..<lost {
            process.add([PairedRound(Array(Self.faster.dropLast()) + [-.infinity])])
        }
        for _ in 0..<lost where lost > 2 {
            process.add([PairedRound(.init(repeating: -.infinity, count: 10))])
        }
        #expect(process.isDecided == (verdict != .undecided))
        let comparison = try #require(process.comparisons(ending: .budgetSpent).first)
        #expect(comparison.verdict == verdict && comparison.reason == reason)
    }

    @Test(arguments: [
        (names: 1, rounds: 52, isKnown: false), (names: 1, rounds: 53, isKnown: true),
        (names: 2, rounds: 8, isKnown: false), (names: 7, rounds: 8, isKnown: true),
    ])
    func `too few queries prevent a switch`(names: Int, rounds: Int, isKnown: Bool) throws {
        let pairs = [Double](repeating: 12, count: names)
        let rules = ComparisonRules(lossTolerance: ComparisonRules.usualLossTolerance)
        let process = Self.process(pairs, rounds: rounds, rules: rules)
        let comparison = try #require(process.comparisons(ending: .budgetSpent).first)
        #expect(comparison.verdict == (isKnown ? .switch : .undecided))
        #expect(comparison.reason == (isKnown ? .faster : .lossUnknown))
        #expect(process.isDecided == isKnown)
        let untold = Self.process(pairs, rounds: rounds).comparisons(ending: .budgetSpent)
        #expect(untold.first?.verdict == .switch)
    }

    @Test func `losses that the baseline shares do not prevent a switch`() {
        var process = Self.process(Self.faster, rounds: 9)
        for _ in 0..<5 { process.add([PairedRound(Self.faster.dropLast(2) + [.nan])]) }
        #expect(process.verdict(of: 0)?.verdict == .switch)
    }

    @Test func `an excess of half a percentage point or one query is allowed`() {
        let baseline = FailureCount(failures: 2, queries: 1000)
        #expect(!FailureCount(failures: 7, queries: 1000).exceeds(baseline))
        #expect(FailureCount(failures: 8, queries: 1000).exceeds(baseline))
        #expect(!FailureCount(failures: 1, queries: 50).exceeds(FailureCount(queries: 50)))
        #expect(FailureCount(failures: 2, queries: 50).exceeds(FailureCount(queries: 50)))
        #expect(!FailureCount().exceeds(baseline) && FailureCount().rate == nil)
        #expect(FailureCount(failures: 3, queries: 100).exceeds(FailureCount(queries: 4000)))
    }

    @Test func `a candidate with a higher mean is queried until the last round`() throws {
        let pairs = Self.faster.dropLast() + [-900]
        let process = Self.process(Array(pairs), rounds: 30)
        #expect(!process.isDecided)
        let comparison = try #require(process.comparisons(ending: .budgetSpent).first)
        #expect(comparison.verdict == .undecided && comparison.reason == .tail)
        #expect(try #require(comparison.meanDifference) < 0)
    }

    @Test func `a tampering candidate is decided, but never recommended`() {
        var process = Self.process(Self.faster, rounds: 12)
        #expect(process.verdict(of: 0)?.verdict == .switch)
        process.tampering = [0]
        #expect(process.isDecided)
        #expect(process.verdict(of: 0)?.verdict == .keep)
        #expect(process.verdict(of: 0)?.reason == .tampering)
    }

    @Test func `a silent baseline leads to a switch without a finite difference`() throws {
        let silent = [Double](repeating: .infinity, count: 10)
        let comparison = try #require(
            Self.process(silent, rounds: 7).comparisons(ending: .budgetSpent).first
        )
        #expect(comparison.verdict == .switch && comparison.reason == .baselineSilent)
        #expect(comparison.medianDifference == nil && comparison.interval == DifferenceInterval())
    }

    @Test func `an interrupted run is undecided unless the verdict was reached before`() throws {
        for (rounds, verdict) in [(7, Verdict.undecided), (8, .switch)] {
            let process = Self.process(Self.faster, rounds: rounds)
            let comparison = try #require(process.comparisons(ending: .interrupted).first)
            #expect(comparison.verdict == verdict)
            #expect((comparison.reason == .interrupted) == (verdict == .undecided))
        }
    }

    @Test func `a further candidate raises the evidence for a verdict`() {
        var alone = ComparisonProcess(candidates: 1)
        var both = ComparisonProcess(candidates: 2)
        let certain = PairedRound([20, 30])
        for _ in 0..<7 {
            alone.add([certain])
            both.add([certain, PairedRound([5, 5])])
        }
        #expect(alone.isDecided && both.verdict(of: 0) == nil)
        both.add([certain, PairedRound([5, 5])])
        #expect(both.verdict(of: 0)?.verdict == .switch && !both.isDecided)
    }

    @Test func `malformed rounds do not trap`() {
        var process = ComparisonProcess(candidates: 2)
        process.add([])
        process.add([PairedRound([]), PairedRound([]), PairedRound([1])])
        process.add([PairedRound([.nan, .infinity, -.infinity])])
        #expect(process.comparisons(ending: .budgetSpent).map(\.rounds) == [1, 0])
        #expect(process.verdict(of: 7) == nil && process.verdict(of: -1) == nil)
        #expect(ComparisonProcess(candidates: -3).isDecided)
        #expect(ComparisonProcess(candidates: 0).comparisons(ending: .interrupted).isEmpty)
    }

    @Test func `pairs are derived from outcomes`() {
        let round = PairedRound(
            baseline: [.answered(20), .failed, .answered(7), .failed, .missing, .answered(.nan)],
            candidate: [.answered(12), .answered(3), .failed, .failed, .answered(1), .missing]
        )
        #expect(round.pairs.dropLast() == [8, .infinity, -.infinity])
        #expect(round.pairs.last?.isNaN == true)
        #expect(round.share(above: 0) == 0.625 && round.share(above: 8) == 0.5)
        #expect(round.failureExcess == 0)
        #expect(PairedRound([]).share(above: 0) == nil)
    }

    @Test func `the restricted mean counts a failed query as the timeout`() throws {
        func mean(_ baseline: [QueryOutcome], _ candidate: [QueryOutcome]) -> Double? {
            var process = ComparisonProcess(candidates: 1)
            process.add([PairedRound(baseline: baseline, candidate: candidate, timeout: 100)])
            return process.comparisons(ending: .budgetSpent).first?.meanDifference
        }
        let fast = QueryOutcome.answered(10)
        #expect(mean([.answered(30), .answered(30)], [fast, .failed]) == -25)
        #expect(mean([.answered(30), .answered(30)], [fast, .answered(7_000)]) == -25)
        #expect(mean([.failed, .answered(30)], [fast, fast]) == 55)
        #expect(mean([.failed, .answered(30)], [.failed, fast]) == 10)
        #expect(mean([.missing, .answered(30)], [fast, fast]) == 20)
    }

    @Test func `a tampering candidate without pairs is decided without speed`() throws {
        var process = ComparisonProcess(candidates: 2)
        process.tampering = [1]
        for round in 0..<9 {
            #expect((process.verdict(of: 1)?.reason == .tampering) == (round >= 7))
            process.add([PairedRound([]), PairedRound([])])
        }
        #expect(process.verdict(of: 0) == nil)
        #expect(process.comparisons(ending: .budgetSpent).map(\.verdict) == [.undecided, .keep])
    }
}
