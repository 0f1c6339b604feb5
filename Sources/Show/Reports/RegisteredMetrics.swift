import Catalogue
import DNSWire
import Samples

extension ComparisonReport {
    /// The results of the registered metrics, one entry per resolver. All parameters have the names
    /// of the registry.
    static let registeredField = Field<ComparisonReport>.list(
        "registered_metrics",
        RegisteredResults.shape,
        when: "the run is a measurement that the registry of performance metrics defines",
        "Results of registered metrics (RFC 8912 §6), one entry per resolver."
    ) { report in
        let results = report.registeredResults
        return results.isEmpty ? nil : results
    }

    private var registeredResults: [RegisteredResults] {
        guard let registered = context.registered, let question = recording.questions.first else {
            return []
        }
        let samples = Dictionary(
            zip(recording.targets, recording.samplesByTarget()),
            uniquingKeysWith: { first, _ in first }
        )
        return registered.streams.compactMap { stream in
            let singletons = (samples[stream.target] ?? []).compactMap { sample in
                sample.observation.sent.flatMap { sent in
                    stream.ids[sent].map { (sent: sent, id: $0, observation: sample.observation) }
                }
            }
            .sorted { $0.sent < $1.sent }
            guard let source = stream.source, let last = singletons.last else { return nil }
            return RegisteredResults(
                resolver: stream.target.label,
                fixed: stream.fixed,
                runtime: [
                    "Src": .string(source.textWithoutZone),
                    "Dst": .string(stream.destination.address.textWithoutZone),
                    "T0": .string(registered.start.description),
                    "Tf": .string(last.sent.description),
                    "Reciprocal_lambda": .number(stream.reciprocalLambda, least: 4, most: 4),
                    "Trunc": .number(stream.truncation, least: 4, most: 4),
                    "ID": .array(singletons.map { .integer(Int($0.id)) }),
                    "QNAME": .string(question.name.description),
                    "QTYPE": .integer(Int(question.type.rawValue)),
                ],
                departures: registered.departures(of: stream),
                singletons: singletons.map { RegisteredResults.Singleton($0.sent, $0.observation) }
            )
        }
    }
}

/// The registered metrics of one resolver.
private struct RegisteredResults: Sendable {
    /// One query and its result, in the terms of the registry (RFC 8912 §6.4.2).
    struct Singleton: Sendable {
        let sent: Timestamp
        /// The response time in seconds; `nil` without a response.
        let delay: Double?
        let code: Int?

        init(_ sent: Timestamp, _ observation: Observation) {
            self.sent = sent
            let code = observation.responseCode.map { Int($0.rawValue) }
            // A truncated response over UDP counts as the response. The metric excludes the retry
            // over TCP.
            let time = code == nil ? nil : observation.extras?.udp ?? observation.roundTrip
            delay = time.map { Double($0) / 1e9 }
            self.code = time == nil ? nil : code
        }

        private static let isLost = "no response came within `Tmax`"

        static let shape = Shape<Singleton>(
            "result",
            [
                .moment("T", "Time of sending.") { $0.sent },
                .number("dT", .seconds, digits: 9...9, null: isLost, "Response time.") { $0.delay },
                .count("RCODE", null: isLost, "Response code.") { $0.code },
                .count("Logical", "1 if no response came within `Tmax`, else 0.") {
                    $0.delay == nil ? 1 : 0
                },
            ]
        )
    }

    let resolver: String
    let fixed: JSONValue
    let runtime: JSONValue
    let departures: [String]
    let singletons: [Singleton]

    static let shape = Shape<RegisteredResults>(
        "registered_metrics",
        [
            .text("resolver", "Label of the resolver.") { $0.resolver },
            .texts("metrics", "Registered names of the metrics.") { _ in RegisteredSampling.names },
            Field(
                "fixed_parameters",
                .open,
                "Fixed parameters under the names of the registry (RFC 8912 §6.2.2)."
            ) { $0.fixed },
            Field(
                "runtime_parameters",
                .open,
                "Runtime parameters under the names of the registry (RFC 8912 §6.3.3)."
            ) { $0.runtime },
            .texts("departures", "Differences from what the registry fixes.") { $0.departures },
            .list("results", Singleton.shape, "One entry per query, in the order of sending.") {
                $0.singletons
            },
        ]
    )
}

extension RegisteredSampling {
    /// The registered names of the metrics (RFC 8912 §6.1.2).
    fileprivate static let names = [
        "RTDNS_Active_IP-UDP-Poisson_RFC8912sec6_Seconds_Raw",
        "RLDNS_Active_IP-UDP-Poisson_RFC8912sec6_Logical_Raw",
    ]

    /// The differences between the measurement and the parameters that the registry fixes.
    fileprivate func departures(of stream: Stream) -> [String] {
        let port = stream.destination.port
        let isPutOff = postponed > .zero
        return ["Source port: random for each query, not 53 (RFC 5452)"]
            + (port == 53 ? [] : ["Destination port: \(port), not 53"])
            + (isPutOff
                ? ["Schedule: put off by \(LatencyFormat.plain(postponed.milliseconds)) in all"]
                : [])
    }
}

extension RegisteredSampling.Stream {
    /// The fixed parameters of the queries (RFC 8912 §6.2.2).
    fileprivate var fixed: JSONValue {
        let header: JSONValue =
            destination.address.family == .v4
            ? ["DSCP": .integer(0), "TTL": .integer(255), "Protocol": .integer(17)]
            : [
                "DSCP": .integer(0), "Hop Count": .integer(255), "Next Header": .integer(17),
                "Flow Label": .integer(0), "Extension Headers": .string("none"),
            ]
        return header + [
            "Source port": .string("random"),
            "Destination port": .integer(Int(destination.port)),
            "Checksum": .string("calculated"),
            "QR": .integer(0), "OPCODE": .integer(0), "AA": .integer(0), "TC": .integer(0),
            "RD": .integer(1), "RA": .integer(0), "RCODE": .integer(0), "QDCOUNT": .integer(1),
            "ANCOUNT": .integer(0), "NSCOUNT": .integer(0), "ARCOUNT": .integer(0),
            "QCLASS": .integer(1),
            "Tmax": .number(5, least: 4, most: 4),
        ]
    }
}
