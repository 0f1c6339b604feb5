import Statistics
import Testing

struct AutocorrelationTests {
    @Test func `a drift is notable and an alternation is not`() throws {
        let drift = try #require(Autocorrelation(of: (0..<40).map { Double($0) / 40 }))
        #expect(drift.coefficient > 0.8 && drift.isNotable)
        let alternation = try #require(Autocorrelation(of: (0..<40).map { Double($0 % 2) }))
        #expect(alternation.coefficient < -0.8 && !alternation.isNotable)
    }

    @Test func `independent rounds cause a warning in at most one of twenty series`() {
        var source = CongruentialGenerator(state: 5)
        let warnings = (0..<2_000).count { _ in
            let shares = (0..<12).map { _ in Double(source.below(11)) / 10 }
            return Autocorrelation(of: shares)?.isNotable == true
        }
        #expect(warnings <= 100)
    }

    @Test func `equal rounds and few rounds have no autocorrelation`() {
        #expect(Autocorrelation(of: [1, 1, 1, 1, 1]) == nil)
        #expect(Autocorrelation(of: [0, 1]) == nil)
    }
}
