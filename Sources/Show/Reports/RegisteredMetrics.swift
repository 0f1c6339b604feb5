import Catalogue
import DNSWire
import Samples

extension ComparisonReport {
    /// The results of the registered metrics, a resolver each, with all their parameters under the
    /// names that the registry has; nothing where the run is no such measurement.
    var registeredMembers: JSONValue {
        guard let registered = context.registered, let question = recording.questions.first else {
            return [:]
        }
        let samples = Dictionary(
            zip(recording.targets, recording.samplesByTarget()),
            uniquingKeysWith: { first, _ in first }
        )
        let streams = registered.streams.compactMap { stream -> JSONValue? in
            let singletons = (samples[stream.target] ?? []).compactMap { sample in
                sample.observation.sent.flatMap { sent in
                    stream.ids[sent].map { (sent: sent, id: $0, observation: sample.observation) }
                }
            }
            .sorted { $0.sent < $1.sent }
            guard let source = stream.source, let last = singletons.last else { return nil }
            return [
                "resolver": .string(stream.target.label),
                "metrics": .array(RegisteredSampling.names.map(JSONValue.string)),
                "fixed_parameters": stream.fixed,
                "runtime_parameters": [
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
                "departures": .array(
                    registered.departures(of: stream).map(JSONValue.string)
                ),
                "results": .array(singletons.map { $0.observation.singleton(sent: $0.sent) }),
            ]
        }
        return streams.isEmpty ? [:] : ["registered_metrics": .array(streams)]
    }
}

extension RegisteredSampling {
    /// RFC 8912 §6.1.2.
    fileprivate static let names = [
        "RTDNS_Active_IP-UDP-Poisson_RFC8912sec6_Seconds_Raw",
        "RLDNS_Active_IP-UDP-Poisson_RFC8912sec6_Logical_Raw",
    ]

    /// How the measurement differs from what the registry fixes.
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
    /// RFC 8912 §6.2.2, as the queries have them.
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

extension Observation {
    /// One query and what came of it, as the registry has it (RFC 8912 §6.4.2).
    fileprivate func singleton(sent: Timestamp) -> JSONValue {
        let code = responseCode.map { Int($0.rawValue) }
        // A truncated response is one over UDP; that over TCP is no part of the metric.
        let delay = code == nil ? nil : extras?.udp ?? roundTrip
        return [
            "T": .string(sent.description),
            "dT": delay.map { .number(Double($0) / 1e9, least: 9, most: 9) } ?? .null,
            "RCODE": (delay == nil ? nil : code).map(JSONValue.integer) ?? .null,
            "Logical": .integer(delay == nil ? 1 : 0),
        ]
    }
}
