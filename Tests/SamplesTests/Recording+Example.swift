import DNSWire
import Samples

extension Recording {
    /// Two runs with every outcome, and with texts that files must escape.
    static func example() throws -> Recording {
        var recording = Recording(
            runs: [
                .example, Run(id: "other", vantage: "=cmd, \"x\"", timeout: .milliseconds(1500)),
            ],
            rounds: zip([0, 1, 1, 0, 0, 1], [1, 1, 2, 2, 3, 3]).map { Round(run: $0, number: $1) },
            targets: [
                Target(
                    label: "home",
                    endpoint: "[fe80::1%eth0]:53",
                    transport: "udp",
                    series: .cached
                ),
                Target(
                    label: "+plus",
                    endpoint: "127.0.0.1:853",
                    transport: "tls",
                    series: .uncached
                ),
            ],
            questions: [
                Question(name: try DomainName("example.com"), type: .a),
                Question(name: try DomainName("example.com"), type: .aaaa),
                Question(name: try DomainName("a\\032b.example"), type: .init(rawValue: 65_400)),
            ]
        )
        for (index, outcome) in Outcome.allCases.enumerated() {
            recording.samples.append(
                Sample(
                    round: [0, 1, 0, 2, 3, 2, 4, 5, 5][index],
                    target: Int32(index % 2),
                    question: Int32(index % 3),
                    scheduled: Timestamp(nanoseconds: 1_795_232_112_122_456_000),
                    observation: .example(outcome, index)
                )
            )
        }
        recording.markRounds()
        return recording
    }
}

extension Observation {
    /// An observation with every value that the outcome can have, for the sample at `index`.
    fileprivate static func example(_ outcome: Outcome, _ index: Int) -> Observation {
        var observation = Observation(outcome: outcome, clock: ClockSource.allCases[index % 3])
        if outcome.isResponse {
            observation.responseCode = outcome == .failed ? .servFail : .noError
            observation.roundTrip = 14_200_000 + Int64(index)
            observation.answers = UInt16(index)
            observation.ttl = .max
            observation.size = 512
            observation.cache = CacheState.allCases[index % 2]
        }
        if outcome != .offline && outcome != .blocked {
            observation.sent = Timestamp(nanoseconds: 1_795_232_112_123_456_789)
            observation.lateness = 1_000_000
        }
        if outcome == .malformed {
            observation.extras = .init(
                connect: 1,
                handshake: 999_999_999,
                udp: 12_000_000,
                edge: 250_000_000,
                site: "'=lon\\001",
                extendedErrors: "15 17",
                connection: .reused,
                detail: Detail("-said \"no, ä\", 中 🙂; the machine slept"),
                cause: FailureCause(.httpStatus, "301 =a, \"b\""),
                flags: [.unverified, .strays],
                networkRTT: 1_234_567,
                warmup: WarmupTally(hits: 0, misses: .max, missTime: 45_000_001),
                packets: PacketCount(bytesOut: 59, bytesIn: .max, packets: 0)
            )
        }
        if outcome == .timeout {
            observation.extras = .init(cause: FailureCause(.cookie), flags: .trailingBytes)
        }
        return observation
    }
}

extension Run {
    static let example = Run(id: "20261121T033512Z-0badcafe", vantage: "here", timeout: .seconds(5))
}
