import Statistics

@testable import Charts

extension ChartSubject {
    /// The steps before a first answer, and the median of a kept-open connection, in milliseconds.
    fileprivate struct Steps {
        var connected: Double?
        var secured: Double?
        var use: String?
        var kept: Double?
    }

    /// Returns first answers over one transport: `answers` answers after `answered` milliseconds, and
    /// `failed` failures.
    fileprivate static func opening(
        _ resolver: String,
        _ transport: String,
        role: Role = .other,
        _ steps: Steps = Steps(),
        answered: Double,
        answers: Int = 90,
        failed: Int = 0
    ) -> ChartSubject {
        func summary(_ time: Double) -> LatencySummary {
            .fixture(answers: Array(repeating: time, count: answers), failed: failed)
        }
        return ChartSubject(
            label: "\(resolver) (\(transport))",
            member: (resolver, transport, place: 0),
            role: role,
            summary: summary(answered),
            opening: ConnectionSetup(
                connected: steps.connected,
                secured: steps.secured,
                use: steps.use,
                kept: steps.kept.map(summary)
            )
        )
    }
}

extension [ChartSubject] {
    /// Two resolvers over every transport. One of them, `harbour`, is in use and very slow over TLS. A third
    /// resolver rarely answers.
    static func openings() -> [ChartSubject] {
        let resolvers: [(label: String, path: Double)] = [("meadow", 8), ("harbour", 15)]
        let drawn = resolvers.flatMap { label, path -> [ChartSubject] in
            let isSlow = label == "harbour"
            let slowness = isSlow ? 900.0 : 3
            return [
                .opening(label, "udp", role: isSlow ? .current : .other, answered: path),
                .opening(label, "tcp", .init(connected: path), answered: 2 * path),
                .opening(
                    label,
                    "tls",
                    .init(connected: path, secured: 2 * path + slowness, kept: path + 0.2),
                    answered: 3 * path + slowness
                ),
                .opening(
                    label,
                    "quic",
                    .init(secured: path + 3, kept: path),
                    answered: 2 * path + 3
                ),
            ]
        }
        return drawn + [
            .opening("cliff", "tls", answered: 9, answers: 3, failed: 40),
            .opening("cliff", "quic", answered: 9, answers: 0),
        ]
    }

    /// One resolver with resumed sessions. Over QUIC, it uses 0-RTT.
    static func resumptions() -> [ChartSubject] {
        [
            .opening("meadow", "udp", answered: 0.5),
            .opening(
                "meadow",
                "tls",
                .init(connected: 0.5, secured: 2.5, use: "new", kept: 0.6),
                answered: 3.1,
                answers: 2
            ),
            .opening(
                "meadow",
                "tls",
                .init(connected: 0.5, secured: 1.4, use: "resumed", kept: 0.6),
                answered: 2,
                failed: 1
            ),
            .opening("meadow", "quic", .init(use: "early", kept: 0.7), answered: 1.1),
        ]
    }

    /// The queries to three resolvers over four transports each.
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
