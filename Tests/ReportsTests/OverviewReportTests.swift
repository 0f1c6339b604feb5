import Analysis
import Samples
import Statistics
import Testing

@testable import Reports

struct OverviewReportTests {
    @Test func `a lowest median that leaves the lossy out says so`() throws {
        let rounds = 0..<336
        let context = HistoryFixture.context(rounds: rounds)
        var tally = OverviewTally(context, rounds: TransportHistory.rounds(rounds), evidence: nil)
        tally.add(
            try HistoryFixture().recording(rounds: rounds) { query in
                let isLost = query.resolver == 0 && query.noise < 0.3
                return isLost ? .none(.timeout) : .answer([8.0, 12, 16][query.resolver])
            }
        )
        let report = OverviewReport(of: tally, inUse: "harbour", rules: .init(), context: context)
        let sentence = try #require(report.fastest(in: report.spans.last))
        #expect(
            sentence.hasPrefix(
                "Lowest median in the last 7 days of those with lower packet loss: harbour, "
            ),
            "\(sentence)"
        )
        let links: PageLinks = (
            resolver: { "/\($0)" }, comparison: { "/\($0)/\($1)" }, place: { "/?\($0)" }
        )
        let page = report.fragments(links).map(\.markup).joined()
        #expect(page.contains("of those with lower packet loss</small>"), "\(page)")
    }
}
