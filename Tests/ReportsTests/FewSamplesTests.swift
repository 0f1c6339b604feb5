import Analysis
import Samples
import Testing

@testable import Reports

struct FewSamplesTests {
    @Test(arguments: [(rounds: 35, isStarred: true), (rounds: 36, isStarred: false)])
    func `a p95 of too few queries has a star and its note`(rounds: Int, isStarred: Bool) throws {
        var tally = WindowTally(by: .resolver, clock: HistoryFixture.berlin)
        let recording = try HistoryFixture().recording(rounds: 0..<rounds) { query in
            .answer(12 + query.noise)
        }
        tally.add(whole: recording)
        let report = WindowReport(of: tally, context: HistoryFixture.context(rounds: 0..<rounds))
        let text = report.render(as: .text, width: 100, colour: false)
        let note = "* p95 needs at least 72 queries to a resolver, and one got 70. "
        #expect(text.contains(note) == isStarred)
        #expect(text.contains(" ms*") == isStarred, "\(text)")
    }
}
