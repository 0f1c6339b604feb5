import Samples
import Statistics

extension JSONReport {
    /// The resolvers to configure; `null` where nothing was decided, or cannot be configured.
    static func advice(of report: ComparisonReport) -> JSONValue {
        guard let advice = report.series.first.flatMap({ Advice(in: $0, of: report) }) else {
            return .null
        }
        let pair = [advice.first, advice.second].compactMap(\.self)
        let failover = advice.failover
        let standard = StubFailover.standard(servers: failover.servers)
        return [
            "series": .string(advice.series.description),
            "switch": .bool(advice.isSwitch),
            "resolvers": .array(pair.map { .string($0.target.label) }),
            "addresses": .array(advice.addresses.map(JSONValue.string)),
            "resolv_conf": .array(advice.resolvConf.map(JSONValue.string)),
            "failover": [
                "timeout_s": .integer(failover.timeout),
                "attempts": .integer(failover.attempts),
                "wait_s": advice.second == nil ? .null : .integer(failover.wait),
                "then_ms": .milliseconds(advice.second?.latency.median),
                "surrender_s": .integer(failover.surrender),
                "default_wait_s": advice.second == nil ? .null : .integer(standard.wait),
                "default_surrender_s": .integer(standard.surrender),
            ],
        ]
    }
}
