import Analysis
import Reports
import Samples
import Statistics
import Testing

struct FailConditionTests {
    /// Ten answers from 10 to 100 ms, and `lost` timeouts.
    private func row(_ label: String = "quad9", lost: Int = 0) throws -> ResolverSummary {
        var fixture = try Fixture(rounds: 10 + lost, names: 1)
        fixture.add(label) { $0 < 10 ? .answer(Double(10 * ($0 + 1))) : .none(.timeout) }
        return try #require(fixture.report.rows.first)
    }

    private func holds(_ text: String, _ row: ResolverSummary) throws -> [String] {
        try FailCondition(parsing: text).findings(in: [row]) { _ in false }
    }

    @Test(arguments: [
        ("p50 > 49ms", true), ("p50 > 50ms", false), ("p50 >= 50ms", true), ("median<50ms", false),
        ("median <= 50ms", true), ("p95>0.05s", true), ("p99 > 100ms", false),
        ("mean >= 55 ms", true), ("max >= 100ms", true), ("min <= 10ms", true),
        ("jitter > 9ms", true), ("jitter > 10ms", false), ("loss > 0%", false),
        ("failures >= 0 %", true), ("quad9:p50 > 1ms", true), ("quad9 : p50 > 1ms", true),
        ("other:p50 > 1ms", false),
    ])
    func `a condition holds if its comparison is true`(text: String, isHeld: Bool) throws {
        #expect(try holds(text, row()).isEmpty == !isHeld)
    }

    @Test(arguments: [
        ("p95 > 1h", true), ("p95 < 1h", false), ("p50 > 1h", false), ("loss > 9%", true),
        ("loss > 16.6%", true), ("loss > 16.7%", false), ("failed > 16.6%", true),
        ("failed > 16.7%", false), ("lost > 16.6%", true), ("lost > 16.7%", false),
        ("max > 100ms", false),
    ])
    func `a quantile among the timeouts exceeds every value`(text: String, isHeld: Bool) throws {
        #expect(try holds(text, row(lost: 2)).isEmpty == !isHeld)
    }

    @Test func `a condition that holds is reported with resolver and value`() throws {
        #expect(try holds("p90 > 1ms", row()) == ["quad9 has p90 90.0 ms"])
        #expect(try holds("p95 > 1ms", row(lost: 2)) == ["quad9 has p95 > 5 s"])
        #expect(try holds("loss > 1%", row(lost: 2)) == ["quad9 has loss 16.667 %"])
    }

    @Test(arguments: [
        ("wrong > 0", 2, true), ("wrong > 2", 2, false), ("quad9:wrong >= 2", 2, true),
        ("wrong > 0", 0, false), ("loss > 10%", 2, true), ("failed > 10%", 2, true),
        ("lost > 0%", 2, false),
    ])
    func `wrong answers count as failed`(text: String, count: Int, isHeld: Bool) throws {
        var fixture = try Fixture(rounds: 10, names: 1)
        fixture.add("quad9") { $0 < 10 - count ? .answer(20) : .none(.wrong) }
        let row = try #require(fixture.report.rows.first)
        #expect(try holds(text, row).isEmpty == !isHeld)
        if text == "wrong > 0", isHeld { #expect(try holds(text, row) == ["quad9 has wrong 2"]) }
    }

    @Test(arguments: [
        ("mine", ["mine (tls)", "mine (udp)"]), ("mine (tls)", ["mine (tls)"]),
        ("own", ["own from home"]), ("own from home", ["own from home"]),
        ("two (127.0.0.1:5313)", ["two (127.0.0.1:5313)"]), ("own from", []),
        ("two from desk", ["two (127.0.0.1:5313)", "two (127.0.0.1:5314)"]),
        ("two from elsewhere", []),
    ])
    func `a condition accepts the names that reports show`(name: String, found: [String]) throws {
        var fixture = try Fixture(rounds: 10, names: 1)
        for (label, port, transport) in [
            ("mine", 5311, "tls"), ("mine", 5311, "udp"), ("own from home", 5312, "udp"),
            ("two", 5313, "udp"), ("two", 5314, "udp"),
        ] {
            fixture.add(
                label,
                endpoint: "127.0.0.1:\(port)",
                transport: Recording.Transport(stringLiteral: transport)
            ) { _ in .answer(20) }
        }
        let condition = try FailCondition(parsing: "\(name):p50 > 1ms")
        let report = fixture.report
        #expect(Set(report.findings(of: condition)) == Set(found.map { "\($0) has p50 20.0 ms" }))
        let isKnown = report.namedLabels.contains {
            condition.concerns($0.label, name: $0.name, at: report.onlyPlace)
        }
        #expect(isKnown == !found.isEmpty)
    }

    @Test(arguments: ["a:b:p50 > 1ms", ":p50 > 1ms", "a:b (x):p50 > 1ms"])
    func `a resolver name has a colon only in parentheses`(text: String) {
        #expect(throws: FailConditionError.self) { try FailCondition(parsing: text) }
    }

    @Test func `slower-than-baseline is decided by the comparison`() throws {
        let condition = try FailCondition(parsing: " quad9:slower-than-baseline ")
        #expect(condition.findings(in: [try row()]) { _ in true } == ["quad9 is slower"])
        #expect(condition.findings(in: [try row()]) { _ in false } == [])
        #expect(condition.findings(in: [try row("other")]) { _ in true } == [])
    }

    /// Six of ten answers are 20 ms slower than the answers of the baseline. The other four are `others`
    /// milliseconds faster. The resolver is reported as slower only if the whole interval is below 0.
    @Test(arguments: [(others: 3.0, isSlower: false), (others: -1, isSlower: true)])
    func `slower-than is decided by the interval`(others: Double, isSlower: Bool) throws {
        var fixture = try Fixture(rounds: 12)
        fixture.context.baseline = "harbour"
        fixture.add("harbour") { _ in .answer(30) }
        fixture.add("quad9") { .answer($0 % 10 < 6 ? 50 : 30 - others) }
        let report = fixture.report
        let comparison = try #require(report.evidence.first?.candidates.first?.comparison)
        #expect(comparison.verdict == .keep && comparison.reason == .slower)
        #expect(comparison.interval == DifferenceInterval(lower: -20, upper: others))
        let condition = try FailCondition(parsing: "slower-than-baseline")
        #expect(report.findings(of: condition) == (isSlower ? ["quad9 is slower"] : []))
    }

    @Test(arguments: [
        ("", "'' is not a metric"), ("p95", "'p95' needs a value, as in 'p95 > 50ms'"),
        ("loss", "'loss' needs a value, as in 'loss > 1%'"), ("p95 = 5ms", "is not a metric"),
        ("p95 > 5", "has no unit"), ("p95 > -5ms", "is negative"), ("p95 >", "is not a duration"),
        ("p95 > 1%", "is not a duration"), ("loss > 5ms", "is not a percentage"),
        ("loss > 1", "is not a percentage"), ("loss > 101%", "is not a percentage"),
        ("loss > 1e1%", "is not a percentage"), ("p95 == 5ms", "is not a metric"),
        ("p95 >> 5ms", "is not a duration"),
        ("p96 > 5ms", "'p96' is not a metric of this command: choose p50"),
        ("a:b:p95 > 5ms", "a resolver before a colon"), (":p95 > 5ms", "a resolver before"),
        ("slower-than-baseline > 5ms", "stands alone"),
        ("failed-checks > 0", "'failed-checks' is not a metric of this command: choose p50"),
        ("stale > 1%", "'1%' is not a duration"), ("stale", "as in 'stale > 15m'"),
        ("quad9:stale > 15m", "'stale' is about all resolvers; write it without a resolver"),
        ("wrong", "'wrong' needs a value, as in 'wrong > 0'"),
        ("wrong > 1%", "'1%' is not a number of answers; write 0, 1, 2 …"),
    ])
    func `the error for an invalid condition quotes it`(text: String, reason: String) throws {
        let error = try #require(throws: FailConditionError.self) {
            typealias Metric = FailCondition.Metric
            let metrics = text.contains("stale") ? Metric.history : Metric.latency
            return try FailCondition(parsing: text, metrics: metrics)
        }
        #expect(error.description.hasPrefix("'\(text)': "))
        #expect(error.description.contains(reason))
    }

    @Test(arguments: [
        ("failed-checks > 0", 1, true), ("failed-checks > 0", 0, false),
        ("quad9:failed-checks >= 2", 2, true), ("failed-checks < 2", 2, false),
    ])
    func `failed checks are compared with a limit`(text: String, count: Int, isHeld: Bool) throws {
        let condition = try FailCondition(parsing: text, metrics: [.failedChecks])
        #expect(condition.holds(count: count) == isHeld)
        #expect(condition.findings(in: [try row()]) { _ in true } == [])
    }

    @Test(arguments: [
        ("failed-checks", "'failed-checks' needs a value, as in 'failed-checks > 0'"),
        ("failed-checks > 1%", "'1%' is not a number of checks"),
        ("failed-checks > -1", "'-1' is not a number of checks"),
        ("p95 > 5ms", "'p95' is not a metric of this command: choose failed-checks"),
    ])
    func `the error for an invalid check condition quotes it`(text: String, reason: String) throws {
        let error = try #require(throws: FailConditionError.self) {
            try FailCondition(parsing: text, metrics: [.failedChecks])
        }
        #expect(error.description.contains(reason))
    }
}
