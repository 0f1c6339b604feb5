import Statistics
import Testing

/// Rounds of cached and uncached names together.
struct WholeRoundTests {
    private static let round = PairedRound([1, 2, 9])

    @Test func `the medians are weighted with the share of cache hits`() {
        let whole = PairedRound(cached: Self.round, uncached: PairedRound([-40, -20]), hits: 0.8)
        #expect(whole.pairs.count == 1 && abs(whole.pairs[0] - (0.8 * 2 - 0.2 * 30)) < 1e-12)
        #expect(PairedRound(cached: Self.round, uncached: Self.round, hits: 0.3).pairs == [2])
    }

    @Test(
        arguments: [
            ([.infinity], [5], [.infinity]), ([5], [-.infinity], [-.infinity]),
            ([.infinity], [-.infinity], [.nan]), ([.nan, .nan], [5], [.nan]), ([], [5], []),
            ([5], [], []), ([.nan, 4], [4], [4]),
        ] as [([Double], [Double], [Double])]
    )
    func `an infinite median is retained`(cached: [Double], uncached: [Double], expected: [Double])
    {
        let whole = PairedRound(cached: PairedRound(cached), uncached: PairedRound(uncached))
        #expect(whole.pairs.map(\.description) == expected.map(\.description))
    }

    @Test func `failures of both series are counted`() {
        let whole = PairedRound(
            cached: PairedRound([1, .infinity]),
            uncached: PairedRound([-.infinity, .nan, 3])
        )
        #expect(whole.baselineFailures == FailureCount(failures: 2, queries: 5))
        #expect(whole.candidateFailures == FailureCount(failures: 2, queries: 5))
    }
}
