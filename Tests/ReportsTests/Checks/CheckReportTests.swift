import Analysis
import Catalogue
import DNSWire
import Samples
import Testing

@testable import Integrity
@testable import Reports

struct CheckReportTests {
    private static let context = CheckContext(
        started: Timestamp(nanoseconds: 0),
        finished: Timestamp(nanoseconds: 1_000_000_000),
        toolVersion: "1.0",
        command: "dnstempo check a"
    )

    private static let silence = Reply(.timeout)

    /// The findings of a resolver that failed the checks in `failed`. A silent resolver has one inconclusive
    /// check.
    private func found(
        _ label: String,
        _ failed: Set<Check> = [],
        answers: Bool = true
    ) throws -> ResolverFindings {
        let evidence = Evidence(asked: "a.example A", reply: Self.silence)
        let checks: [Check] = answers ? [.rewriting, .validation, .interception] : [.rewriting]
        return ResolverFindings(
            resolver: Resolver(label: label, endpoint: try Endpoint(parsing: "192.0.2.1")),
            answers: answers,
            findings: checks.map { check in
                let judgement: Judgement =
                    !answers || check == .interception
                    ? .inconclusive : failed.contains(check) ? .fail : .pass
                return CheckFinding(check, judgement, "it is so", [evidence])
            }
        )
    }

    private func report(_ findings: ResolverFindings...) -> CheckReport {
        CheckReport(findings: findings, context: Self.context)
    }

    @Test func `a report contains the answer, a table, and findings with evidence`() throws {
        let report = report(
            try found("honest"),
            try found("bad", [.rewriting]),
            try found("gone", answers: false)
        )
        let text = TextFormat(width: 80).render(report)
        #expect(
            text == """
                bad failed 1 check; gone does not answer; honest passed all checks.

                check         honest        bad           gone
                rewriting     pass          FAIL          inconclusive
                validation    pass          pass
                interception  inconclusive  inconclusive

                honest (192.0.2.1:53)
                  rewriting, pass: it is so.
                    Asked a.example A: no answer.
                  validation, pass: it is so.
                    Asked a.example A: no answer.

                bad (192.0.2.1:53)
                  rewriting, FAIL: it is so.
                    Asked a.example A: no answer.
                  validation, pass: it is so.
                    Asked a.example A: no answer.

                gone (192.0.2.1:53)
                  It does not answer: asked a.example A: no answer. Nothing else was asked.

                the network path to them
                  interception, inconclusive: it is so.
                    Asked a.example A: no answer.

                """
        )
    }

    @Test func `resolvers that do not fit are in a further table`() throws {
        let labels = ["a", "b", "c", "d", "e"]
        let report = CheckReport(findings: try labels.map { try found($0) }, context: Self.context)
        let lines = TextFormat(width: 54).render(report).split(separator: "\n")
        // Each column has the width of the longest judgement, even if no cell contains it.
        let headers = lines.filter { $0.hasPrefix("check ") }
        #expect(headers.map { $0.split(separator: " ").count } == [4, 3])
    }

    @Test func `a page shows findings collapsed, and judgements in colour`() throws {
        let page = HTMLFormat().render(report(try found("<bad>", [.rewriting])))
        #expect(page.contains("<summary>&lt;bad&gt; (192.0.2.1:53)</summary>"))
        #expect(
            page.contains(
                "<li><strong>rewriting</strong>, <span class=\"warning\">FAIL</span>: it is so."
                    + "<br><small>Asked a.example A: no answer.</small></li>"
            )
        )
        #expect(page.contains("<li>&lt;bad&gt; failed rewriting.</li>"))
        #expect(page.contains("dnstempo check a"))
    }

    @Test(arguments: [
        ([2], "a failed 2 checks."),
        ([1, 2], "b failed 2 checks, a 1."),
        ([1, 2, 0], "b failed 2 checks, a 1; c passed all checks."),
        ([1, 2, 1], "b failed 2 checks, 2 others up to 1."),
        ([1, 1, 1, -1], "3 resolvers failed 1 check each; d does not answer."),
        ([-1, 0], "a does not answer; b passed all checks."),
        ([-1, -1], "No resolver answered."),
        ([0, 0], "Both resolvers passed all checks."),
        ([0, 0, 0], "All 3 resolvers passed all checks."),
    ])
    func `the resolver that failed most is named first`(failures: [Int], headline: String) throws {
        let findings = try zip(["a", "b", "c", "d"], failures).map { label, count in
            let checks: [Check] = [.validation, .rewriting]
            return try found(label, Set(checks.prefix(max(0, count))), answers: count >= 0)
        }
        #expect(CheckReport(findings: findings, context: Self.context).headline == headline)
    }

    @Test func `a silent resolver fulfils every condition on failed checks`() throws {
        let report = report(try found("gone", answers: false), try found("bad", [.rewriting]))
        let conditions = try ["gone:failed-checks > 9", "failed-checks > 0", "failed-checks > 1"]
            .map { try FailCondition(parsing: $0, metrics: [.failedChecks]) }
        #expect(
            report.findings(of: conditions) == [
                "'gone:failed-checks > 9' holds: gone does not answer",
                "'failed-checks > 0' holds: gone does not answer, bad has failed-checks 1",
                "'failed-checks > 1' holds: gone does not answer",
            ]
        )
    }
}
