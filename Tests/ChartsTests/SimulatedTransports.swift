import Statistics

@testable import Charts

extension ChartSubject {
    /// First answers over one transport, all at their medians but for `lost`.
    fileprivate static func opening(
        _ resolver: String,
        _ transport: String,
        role: Role = .other,
        connected: Double? = nil,
        secured: Double? = nil,
        answered: Double,
        answers: Int = 90,
        lost: Int = 0,
        use: String? = nil,
        kept: Double? = nil
    ) -> ChartSubject {
        func summary(_ time: Double) -> LatencySummary {
            .fixture(answers: Array(repeating: time, count: answers), lost: lost)
        }
        return ChartSubject(
            label: "\(resolver) (\(transport))",
            member: (resolver, transport, place: 0),
            role: role,
            summary: summary(answered),
            opening: ConnectionSetup(
                connected: connected,
                secured: secured,
                use: use,
                kept: kept.map(summary)
            )
        )
    }
}

extension [ChartSubject] {
    /// Two resolvers over every transport, one in use, and one that hardly answers; `harbour` is very
    /// slow over TLS.
    static func openings() -> [ChartSubject] {
        let resolvers: [(label: String, path: Double)] = [("meadow", 8), ("harbour", 15)]
        let drawn = resolvers.flatMap { label, path -> [ChartSubject] in
            let isSlow = label == "harbour"
            return [
                .opening(label, "udp", role: isSlow ? .current : .other, answered: path),
                .opening(label, "tcp", connected: path, answered: 2 * path),
                .opening(
                    label,
                    "tls",
                    connected: path,
                    secured: 2 * path + (isSlow ? 900 : 3),
                    answered: 3 * path + (isSlow ? 900 : 3),
                    kept: path + 0.2
                ),
                .opening(label, "quic", secured: path + 3, answered: 2 * path + 3, kept: path),
            ]
        }
        return drawn + [
            .opening("cliff", "tls", answered: 9, answers: 3, lost: 40),
            .opening("cliff", "quic", answered: 9, answers: 0),
        ]
    }

    /// One resolver whose sessions are resumed, over QUIC with 0-RTT.
    static func resumptions() -> [ChartSubject] {
        [
            .opening("meadow", "udp", answered: 0.5),
            .opening(
                "meadow",
                "tls",
                connected: 0.5,
                secured: 2.5,
                answered: 3.1,
                answers: 2,
                use: "new",
                kept: 0.6
            ),
            .opening(
                "meadow",
                "tls",
                connected: 0.5,
                secured: 1.4,
                answered: 2,
                lost: 1,
                use: "resumed",
                kept: 0.6
            ),
            .opening("meadow", "quic", answered: 1.1, use: "early", kept: 0.7),
        ]
    }

    /// Three resolvers over four transports each, as queries.
    static func transports(rounds: Int, names: Int) -> [ChartSubject] {
        let transports = ["udp", "tcp", "tls", "quic"]
        let names = (0..<names).map { "name-\($0 + 1).example" }
        return ["meadow", "brook", "harbour"].enumerated().flatMap { place, label in
            transports.enumerated().map { index, transport in
                let resolver = SimulatedResolver(
                    label: "\(label) (\(transport))",
                    role: label == "harbour" && index == 0 ? .current : .other,
                    base: 8 + 9 * Double(place) + Double(index),
                    jitter: 2,
                    loss: label == "brook" ? 0.03 : 0
                )
                var subject = resolver.subject(
                    rounds: rounds,
                    names: names,
                    seed: UInt64(10 * place + index + 1)
                )
                subject.member = (label, transport, place: index)
                return subject
            }
        }
    }
}
