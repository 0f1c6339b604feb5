import Reports
import Samples
import Statistics
import Testing

/// The text on the necessary length of a comparison.
struct PlanReportTests {
    private func row(_ label: String, earlier: Int = 120) -> PlanReport.Row {
        PlanReport.Row(
            target: Recording.Target(
                label: label,
                endpoint: "192.0.2.1:53",
                transport: "udp",
                series: .cached
            ),
            name: label,
            candidates: 2,
            questions: 10,
            measured: earlier,
            earlier: earlier
        )
    }

    private func length(_ rounds: Int, most: Int? = nil) -> PlanReport.Length {
        (
            rounds: rounds,
            range: rounds / 2...rounds * 2,
            duration: .seconds(2 * rounds),
            durations: .seconds(rounds) ... .seconds(4 * rounds),
            most: most
        )
    }

    private func report(_ rows: [PlanReport.Row], margin: Double = 5) throws -> PlanReport {
        let now = Timestamp(nanoseconds: 1_795_233_312_000_000_000)
        let context = try WindowContext(since: "7d", until: "now", now: now, toolVersion: "1")
        return PlanReport(
            context: context,
            baseline: "harbour",
            rules: ComparisonRules(margin: margin),
            run: (
                pace: .polite,
                round: .seconds(2),
                resolvers: 3,
                queries: 30,
                mostRounds: 100
            ),
            rows: rows
        )
    }

    private func lines(_ report: PlanReport) -> [String] {
        TextFormat(width: 200).render(report.document).split(separator: "\n").map(String.init)
    }

    @Test func `a difference that no run finds is reported as too small`() throws {
        var report = try report([row("meadow")])
        report.difference = 5.2
        let lines = lines(report)
        #expect(lines[0] == "2000 rounds do not find a difference of 5.2 ms.")
        #expect(lines[1] == "- Give a --difference that is further from the margin of 5 ms.")
    }

    @Test func `a candidate without a forecast is named with its reason`() throws {
        var rows = [row("meadow"), row("brook"), row("cliff", earlier: 12), row("glacier")]
        rows[0].length = length(30)
        rows[3].length = length(40, most: 25)
        var report = try report(rows)
        report.difference = 8
        let lines = lines(report)
        #expect(lines[0] == "About 30 rounds (1 min) find a difference of 8 ms with 90 % power.")
        #expect(lines.contains("- brook: 2000 rounds are too few."))
        #expect(lines.contains("- cliff: 12 usable rounds, 30 needed."))
        #expect(
            lines.contains(
                "- glacier: takes 40 rounds, and one run asks uncached names in 25 at most."
            )
        )
        #expect(lines.contains("- Made of 120 earlier rounds of harbour and each candidate."))
        #expect(
            lines.contains {
                $0.hasSuffix("15 to 60 rounds (30 s to 2 min), for meadow, which takes longest.")
            }
        )
    }

    @Test func `too many rounds of uncached names give no duration`() throws {
        var one = row("meadow")
        one.length = length(40, most: 25)
        var report = try report([one])
        report.difference = 8
        let lines = lines(report)
        #expect(lines[0] == "One run is too short to find a difference of 8 ms.")
        #expect(
            lines[2] == "- meadow: takes 40 rounds, and one run asks uncached names in 25 at most."
        )
        let json = JSONFormat().render(report.document)
        #expect(json.contains(#""rounds": 40,"#) && json.contains(#""duration_s": null,"#))
    }

    @Test func `a range beyond the limit of compare names the option to add`() throws {
        var one = row("meadow")
        one.length = length(51)
        var report = try report([one])
        report.difference = 8
        #expect(lines(report).contains("- compare ends after 100 rounds: add --max-rounds 102."))
        report.rows[0].length = length(50)
        #expect(!lines(report).contains { $0.contains("--max-rounds") })
    }

    @Test(arguments: [
        (difference: 2.0, margin: 0.0, words: "Verdict: faster."),
        (difference: 8.0, margin: 5.0, words: "Verdict: more than 5 ms faster (the margin)."),
        (
            difference: 0.5, margin: 5.0,
            words: "Verdict: not more than 5 ms faster (the margin). To find the 0.5 ms, add "
                + "--margin 0ms."
        ),
        (difference: 0.0, margin: 5.0, words: "Verdict: not more than 5 ms faster (the margin)."),
    ])
    func `the report names the verdict`(difference: Double, margin: Double, words: String) throws {
        var one = row("meadow")
        one.length = length(9)
        var report = try report([one], margin: margin)
        report.difference = difference
        #expect(lines(report).contains("- \(words)"))
    }

    @Test func `a plan names candidates for which a run finds no difference`() throws {
        var report = try report([row("meadow"), row("brook")])
        report.time = (duration: .seconds(60), rounds: 30)
        #expect(
            lines(report)[0] == "A run of 1 min (30 rounds) finds no difference with 90 % power."
        )
        report.rows[0].smallest = 27.3
        let some = lines(report)
        #expect(some[0] == "A run of 1 min (30 rounds) finds 27 ms or more with 90 % power.")
        #expect(some[1] == "- brook: it finds no difference.")
        #expect(!some.contains { $0.contains("more may find less") })
        report.time = (duration: .seconds(6000), rounds: 3000)
        #expect(lines(report).contains("- That is of 2000 rounds; more may find less."))
    }

    @Test func `a plan states the effect of more rounds`() throws {
        var one = row("meadow", earlier: 294)
        one.length = length(9)
        var report = try report([one])
        report.difference = 8
        let adds = "- A schedule every 5 minutes adds 12 rounds per hour"
        #expect(lines(report).contains("\(adds); the range stays as it is."))
        let rounds = (0..<6).map { _ in PairedRound([1, 2, 3]) }
        report.nextPrecision =
            VerdictForecast(
                hours: [[PairedRound]](repeating: rounds, count: 49),
                rules: ComparisonRules()
            ).nextPrecision
        #expect(lines(report).contains("\(adds): in 1 h, with 300 rounds, the range is ±20 %."))
    }
}
