import Analysis
import Charts
import Samples
import Statistics
import Testing

@testable import Reports

struct OverviewReportTests {
    /// Returns the overview of a week of three resolvers, of which the second one is in use. The overview is
    /// made `age` after the last round. The schedule has a round every half hour.
    private func report(
        age: Duration = .seconds(60),
        objective: String? = nil,
        labels: [String] = ["meadow", "harbour", "brook"],
        inUse: String? = "harbour",
        silentFrom: Int = 336,
        outcome: (HistoryFixture.Query) -> Observation = {
            .answer([12.0, 30, 16][$0.resolver] + $0.noise)
        }
    ) throws -> OverviewReport {
        let rounds = 0..<336
        var context = HistoryFixture.context(rounds: rounds)
        let last = HistoryFixture.moment(round: 335)
        context.window = context.window.lowerBound..<last.advanced(by: age)
        context.present = context.window.upperBound
        context.order = ResolverOrder(labels)
        let moments = rounds.map { round in
            RoundMoment(
                vantage: "desk",
                started: HistoryFixture.moment(round: round),
                marks: round >= silentFrom ? .outage : [],
                origin: .sample
            )
        }
        var tally = OverviewTally(context, rounds: moments, evidence: nil)
        let measured = rounds.prefix { $0 < silentFrom }
        tally.add(try HistoryFixture().recording(rounds: measured, outcome: outcome))
        return OverviewReport(
            of: tally,
            inUse: inUse,
            rules: .init(),
            objective: try objective.map { try ServiceObjective(parsing: $0, of: "--objective") },
            context: context
        )
    }

    private static let links: PageLinks = (
        resolver: { "/\($0)" }, comparison: { "/\($0)/\($1)" }, place: { "/?\($0)" }
    )

    private func page(_ report: OverviewReport) -> String {
        report.fragments(Self.links).map(\.markup).joined()
    }

    @Test func `without faults, the headline is the verdict, shown once`() throws {
        let report = try report()
        let verdict = try #require(report.verdict?.headline)
        #expect(report.status == OverviewStatus(kind: .fine, sentence: verdict))
        let page = page(report)
        #expect(page.contains("<h1>\(HTML(text: verdict).markup)</h1>"))
        #expect(page.ranges(of: HTML(text: verdict).markup).count == 1)
        #expect(page.contains("<li>harbour was OK in the last hour: median "))
    }

    @Test func `a missed objective comes before a resolver that was OK`() throws {
        let report = try report(objective: "p95 < 20ms")
        #expect(report.status.kind == .objectiveMissed)
        #expect(report.status.sentence.hasPrefix("In the last 7 days, p95 < 20 ms: missed by "))
        let page = page(report)
        let headline = "In the last 7 days, p95 &lt;&nbsp;20&nbsp;ms: "
        #expect(page.contains("<h1 class=\"warning\">\(headline)"))
        #expect(page.ranges(of: "missed by harbour").count == 1)
    }

    @Test func `an objective that other resolvers missed is not the headline`() throws {
        let ofFast = try report(objective: "p95 < 20ms", inUse: "meadow")
        #expect(ofFast.status.kind == .fine)
        let ofAny = try report(objective: "p95 < 20ms", inUse: nil)
        #expect(ofAny.status.kind == .objectiveMissed)
    }

    @Test func `an outage comes before a missed objective`() throws {
        let report = try report(objective: "p95 < 20ms") { query in
            query.resolver == 1 && query.round > 320 ? .none(.timeout) : .answer(30)
        }
        #expect(report.status.kind == .outage)
        #expect(report.status.sentence.hasPrefix("harbour did not answer in the last hour"))
        // Figures exclude rounds without any answer. In the rounds before them, the resolver was OK.
        let silent = try self.report(silentFrom: 332)
        let words = "No resolver has answered for 1 h 31 min."
        #expect(silent.status == OverviewStatus(kind: .outage, sentence: words))
    }

    @Test(arguments: [(4680, "1 h 18 min"), (4_500 * 60, "3 d 3 h")])
    func `a stopped schedule is the first thing on the page`(age: Int, text: String) throws {
        let report = try report(age: .seconds(age), objective: "p95 < 20ms")
        #expect(report.status.kind == .stale)
        #expect(report.status.sentence == "No round for \(text); expected every 30 min.")
        let page = page(report)
        #expect(page.contains("<h1 class=\"warning\">No round for \(HTML(text: text).markup); "))
        #expect(page.contains("<li>Check the schedule: dnstempo schedule status.</li>"))
        let json = report.render(as: .json, width: 100, colour: false)
        #expect(json.contains("\"status\": \"stale\""), "\(json)")
    }

    @Test func `a resolver has one colour in the charts of the page`() throws {
        let report = try report(labels: ["brook", "meadow", "harbour"])
        #expect(
            report.trend.map { [$0.label: $0.order] } == [
                ["meadow": 1], ["brook": 0], ["harbour": 2],
            ]
        )
    }

    @Test func `the overview states that lossy resolvers are excluded`() throws {
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
