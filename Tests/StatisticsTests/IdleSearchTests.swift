import Statistics
import Testing

@Suite struct IdleSearchTests {
    /// Searches the timeout of a server that drops connections silently.
    private func found(_ timeout: Double, upTo longest: Double) -> IdleSearch {
        var search = IdleSearch(upTo: longest)
        while let gap = search.next { search.note(gap: gap, isKept: gap <= timeout) }
        return search
    }

    @Test(arguments: [10.0, 60, 300, 3600])
    func `at most seven gaps find every timeout to 1 s or 5 %`(longest: Double) throws {
        for step in 1..<1000 {
            let timeout = longest * Double(step) / 1000
            let search = found(timeout, upTo: longest)
            let estimate = try #require(search.timeout)
            #expect(search.gaps <= IdleSearch.mostGaps)
            #expect(search.lower <= timeout && timeout <= search.upper ?? 0)
            // Beyond 10 min, seven gaps are too few for 5 %.
            let factor = longest > 600 ? 2.0 : 1
            #expect(
                abs(estimate - timeout) <= factor * max(1, 0.05 * timeout),
                "\(timeout): \(estimate)"
            )
        }
    }

    @Test func `a connection that is kept for the longest gap takes one gap`() {
        let search = found(400, upTo: 300)
        #expect(search.gaps == 1 && search.timeout == nil && search.lower == 300)
    }

    @Test func `a signalled end is the exact timeout`() {
        var search = IdleSearch(upTo: 300)
        search.note(endAfter: 8.02)
        #expect(search.next == nil && search.timeout == 8.02 && search.gaps == 1)
    }

    @Test func `a silent end on which both ends agreed is confirmed by one more gap`() throws {
        var search = IdleSearch(upTo: 300)
        search.note(endAfter: 30, isSilent: true)
        let gap = try #require(search.next)
        #expect(gap == 29.25)
        var early = search
        search.note(gap: gap, isKept: true)
        #expect(search.next == nil && search.timeout == 30 && search.isExact)
        // A server that forgets the connection earlier is searched further.
        early.note(gap: gap, isKept: false)
        while let gap = early.next { early.note(gap: gap, isKept: gap <= 10) }
        #expect(abs(try #require(early.timeout) - 10) <= 1 && !early.isExact)
    }

    @Test func `the longest sum of gaps is known before the search`() {
        #expect(IdleSearch.longestTotal(upTo: 1) == 1)
        let longest = IdleSearch.longestTotal(upTo: 300)
        for step in 1..<300 {
            var search = IdleSearch(upTo: 300)
            var total = 0.0
            while let gap = search.next {
                total += gap
                search.note(gap: gap, isKept: gap <= Double(step))
            }
            #expect(total <= longest + 1e-9)
        }
    }
}
