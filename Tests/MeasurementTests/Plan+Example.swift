import DNSWire
import Measurement
import Samples

extension Plan {
    /// Returns a plan with this number of resolvers and names. Each resolver has its own address.
    static func example(targets: Int, questions: Int, rounds: Int = 1) throws -> Plan {
        var plan = Plan(
            targets: (0..<targets).map {
                Recording.Target(
                    label: "r\($0)",
                    endpoint: "127.0.0.1:\(5300 + $0)",
                    transport: "udp",
                    series: .cached
                )
            },
            targetGroups: Array(0..<targets),
            questions: try (0..<questions).map {
                Question(name: try DomainName("n\($0).example"), type: .a)
            }
        )
        plan.rounds = rounds
        plan.warmup = 0
        return plan
    }
}

extension Run {
    static let example = Run(id: "20261121T033512Z-0badcafe", vantage: "here", timeout: .seconds(5))
}
