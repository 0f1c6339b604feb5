import Statistics
import Testing

@testable import Charts

struct TerminalBarTests {
    private static func summary(_ p5: Double?, _ median: Double?, _ p95: Double?) -> LatencySummary
    {
        var summary = LatencySummary(answers: [], nonAnswers: 100, timeout: 5000)
        (summary.p5, summary.median, summary.p95) = (p5, median, p95)
        return summary
    }

    private let resolvers = [
        Self.summary(11, 14.2, 24), Self.summary(14, 22.3, 48.8), Self.summary(11, 14, nil),
        Self.summary(nil, nil, nil),
    ]

    @Test func `bars share one axis`() {
        let bars = TerminalBars(of: resolvers, width: 40)
        #expect(
            bars.rows == [
                "        ┣━●━━━━━━┫                      ",
                "          ┣━━━━━●━━━━━━━━━━━━━━━━━━┫    ",
                "        ┣━●━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶",
                "                                       ▶",
            ]
        )
        #expect(bars.axis == "0     10     20      30     40     50 ms")
        #expect(bars.key == "p5 ┣ ● ┫ p95")
    }

    @Test func `a logarithmic axis is labelled as such`() {
        let bars = TerminalBars(of: resolvers + [Self.summary(300, 900, 2500)], width: 48)
        #expect(bars.axis.hasSuffix(" ms log"))
        #expect(bars.axis.contains("100"))
    }

    @Test(arguments: [-3, 0, 1, 7, 8, 9, 12, 20, 33, 80, 400])
    func `every row has the requested width`(width: Int) {
        let odd =
            resolvers + [
                Self.summary(0, 0, 0), Self.summary(.nan, .infinity, 1e300),
                LatencySummary(answers: [], nonAnswers: 0, timeout: .nan),
            ]
        for summaries in [odd, [odd[0]], [odd[3]], [odd[4]], [odd[6]], []] {
            let bars = TerminalBars(of: summaries, width: width)
            #expect(bars.rows.allSatisfy { $0.count == max(width, 0) })
            #expect(bars.rows.count == summaries.count)
            #expect(bars.axis.count <= max(width, 0))
        }
    }

    @Test func `a resolver without queries has no bar`() {
        let bars = TerminalBars(
            of: [LatencySummary(answers: [], nonAnswers: 0, timeout: 5000)],
            width: 20
        )
        #expect(bars.rows == [String(repeating: " ", count: 20)])
    }
}
