import DNSWire
import Reports
import Samples

/// Rounds of resolvers that are queried over several transports, one every half hour. The parts of their
/// times are known.
enum TransportHistory {
    /// One resolver over one transport.
    struct Asked {
        var label: String
        var transport: Recording.Transport
        var series = Series.cached
        /// The time of the query in milliseconds. The other times are in milliseconds too.
        var query: Double
        var connect: Double?
        /// The time of the handshake, for first queries and for queries whose connection is closed.
        var handshake: Double?
    }

    private static let endpoints = ["near": "192.0.2.1:53", "far": "198.51.100.1:53"]

    static let asked = [
        Asked(label: "far", transport: "udp", query: 25),
        Asked(label: "far", transport: "tls", query: 28, connect: 25, handshake: 50),
        Asked(label: "near", transport: "h3", query: 13, handshake: 26),
        Asked(label: "near", transport: "tls", query: 14, connect: 12, handshake: 30),
        Asked(label: "near", transport: "udp", query: 12),
        Asked(label: "mid", transport: "udp", query: 18),
        Asked(
            label: "near",
            transport: "tls",
            series: .first,
            query: 14,
            connect: 12,
            handshake: 30
        ),
        Asked(label: "near", transport: "h3", series: .first, query: 13, handshake: 26),
        Asked(
            label: "far",
            transport: "tls",
            series: .first,
            query: 28,
            connect: 25,
            handshake: 50
        ),
    ]

    static func recording(rounds: Range<Int>, of asked: [Asked] = Self.asked) throws -> Recording {
        let names = ["example.com", "example.net"]
        var recording = Recording(
            runs: [Run(id: "r", vantage: "desk", timeout: .seconds(5))],
            targets: asked.map { asked in
                Recording.Target(
                    label: asked.label,
                    endpoint: endpoints[asked.label] ?? "203.0.113.1:53",
                    transport: asked.transport,
                    series: asked.series
                )
            },
            questions: try names.map { Question(name: try DomainName($0), type: .a) }
        )
        for round in rounds {
            let place = Int32(recording.rounds.count)
            recording.rounds.append(Round(number: Int32(round + 1)))
            for name in names.indices {
                for target in asked.indices {
                    recording.samples.append(
                        Sample(
                            round: place,
                            target: Int32(target),
                            question: Int32(name),
                            scheduled: HistoryFixture.moment(round: round),
                            observation: observation(asked[target], round: round, target, name)
                        )
                    )
                }
            }
        }
        recording.markRounds()
        return recording
    }

    /// Returns the outcome of a query. In every fiftieth round, a kept connection is opened again. A third of
    /// the first queries resumes a session.
    private static func observation(
        _ asked: Asked,
        round: Int,
        _ target: Int,
        _ name: Int
    ) -> Observation {
        var state = UInt64(round * 64 + target * 4 + name)
        for factor: UInt64 in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
            state &+= 0x9e37_79b9_7f4a_7c15
            state = (state ^ state >> 29) &* factor
        }
        let noise = Double(state >> 40) / Double(1 << 24)
        var observation = Observation.answer(asked.query + 0.2 * noise)
        guard let handshake = asked.handshake else { return observation }
        let isFirst = asked.series == .first
        let opens = isFirst || round % 50 == 0 && name == 0
        observation.extras = .init(
            connect: opens ? asked.connect.map { Int64($0 * 1e6) } : nil,
            handshake: opens ? Int64(handshake * 1e6) : nil,
            connection: isFirst && round % 3 == 0 ? .resumed : opens ? .new : .reused
        )
        return observation
    }

    static func rounds(_ rounds: Range<Int>) -> [RoundMoment] {
        rounds.map { round in
            RoundMoment(vantage: "desk", started: HistoryFixture.moment(round: round), marks: [])
        }
    }
}
