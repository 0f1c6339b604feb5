import Catalogue
import DNSWire
import Protobuf
import Samples

/// The content of an export of metrics (OTLP, `ExportMetricsServiceRequest`). It contains the fields of
/// OpenTelemetry's messages that dnstempo writes, with the numbers of their definitions. The metric
/// `dns.lookup.duration` and its attributes are those of the semantic conventions ("DNS metrics").
struct MetricsExport {
    private let rounds: [LookupFigures]
    private let recording: Recording
    private let version: String
    /// The counts belong to one round each (`AGGREGATION_TEMPORALITY_DELTA`).
    private static let delta: UInt64 = 1

    /// `version` is this program's version.
    init(_ rounds: [LookupFigures], of recording: Recording, version: String) {
        (self.rounds, self.recording, self.version) = (rounds, recording, version)
    }

    var encoded: EncodedMessage {
        var message = EncodedMessage()
        // A resource is the program at one vantage.
        for (vantage, rounds) in Dictionary(grouping: rounds, by: \.vantage)
            .sorted(by: { $0.key < $1.key })
        {
            message.add(resourceMetrics(vantage, rounds), as: 1)
        }
        return message
    }

    private func resourceMetrics(_ vantage: String, _ rounds: [LookupFigures]) -> EncodedMessage {
        var resource = EncodedMessage()
        resource.add(
            attributes: [
                ("service.name", "dnstempo"), ("service.version", version),
                ("dnstempo.vantage", vantage),
            ],
            as: 1
        )
        var scope = EncodedMessage()
        scope.add("dnstempo", as: 1)
        scope.add(version, as: 2)
        var metrics = EncodedMessage()
        metrics.add(scope, as: 1)
        metrics.add(durations(rounds), as: 2)
        metrics.add(queries(rounds), as: 2)
        var message = EncodedMessage()
        message.add(resource, as: 1)
        message.add(metrics, as: 2)
        return message
    }

    private func durations(_ rounds: [LookupFigures]) -> EncodedMessage {
        var histogram = EncodedMessage()
        for round in rounds {
            for (key, durations) in round.durations.sorted(by: { $0.key < $1.key }) {
                histogram.add(point(of: durations, key, in: round), as: 1)
            }
        }
        histogram.add(Self.delta, as: 2)
        var metric = EncodedMessage()
        metric.add("dns.lookup.duration", as: 1)
        metric.add(
            "Time of DNS look-ups. A look-up without an answer counts as its timeout.",
            as: 2
        )
        metric.add("s", as: 3)
        metric.add(histogram, as: 10)
        return metric
    }

    private func point(
        of durations: LookupFigures.Durations,
        _ key: LookupFigures.Key,
        in round: LookupFigures
    ) -> EncodedMessage {
        var attributes = attributes(ofTarget: key.target)
        if recording.questions.indices.contains(Int(key.question)) {
            let question = recording.questions[Int(key.question)]
            attributes.append(("dns.question.name", question.name.description))
            attributes.append(("dnstempo.question.type", question.type.description))
        }
        if let error = key.error { attributes.append(("error.type", error)) }
        var point = EncodedMessage()
        point.add(attributes: attributes, as: 1)
        point.add(times: round)
        point.add(fixed64: durations.histogram.count, as: 4)
        point.add(durations.histogram.sum, as: 5)
        let buckets = ExponentialBuckets(durations.histogram)
        point.add(Int64(buckets.scale), as: 6)
        point.add(fixed64: durations.histogram.zeros, as: 7)
        var positive = EncodedMessage()
        positive.add(Int64(buckets.offset), as: 1)
        positive.add(packedUnsigned: buckets.counts, as: 2)
        point.add(positive, as: 8)
        point.add(durations.shortest, as: 12)
        point.add(durations.longest, as: 13)
        return point
    }

    private func queries(_ rounds: [LookupFigures]) -> EncodedMessage {
        var sum = EncodedMessage()
        for round in rounds {
            for (key, count) in round.counts.sorted(by: { $0.key < $1.key }) {
                var point = EncodedMessage()
                point.add(
                    attributes: attributes(ofTarget: key.target)
                        + [("dnstempo.outcome", key.outcome.description)],
                    as: 7
                )
                point.add(times: round)
                point.add(fixed64: UInt64(count), as: 6)
                sum.add(point, as: 1)
            }
        }
        sum.add(Self.delta, as: 2)
        // The sum is monotonic.
        sum.add(UInt64(1), as: 3)
        var metric = EncodedMessage()
        metric.add("dnstempo.lookups", as: 1)
        metric.add("Look-ups by outcome; offline and blocked ones were not sent.", as: 2)
        metric.add("{lookup}", as: 3)
        metric.add(sum, as: 7)
        return metric
    }

    private func attributes(ofTarget index: Int32) -> [(String, String)] {
        let target = recording.targets[Int(index)]
        return [
            ("dnstempo.resolver", target.label), ("dnstempo.endpoint", target.endpoint),
            ("server.address", target.address?.description ?? ""),
            ("dnstempo.transport", target.transport.description),
            ("dnstempo.series", target.series.description),
        ]
    }
}

extension EncodedMessage {
    /// Adds attributes with texts (`KeyValue`). An attribute without a value is omitted.
    fileprivate mutating func add(attributes: [(String, String)], as field: Int) {
        for (key, text) in attributes where !text.isEmpty {
            var value = EncodedMessage()
            value.add(EscapedText.terminal(text), as: 1)
            var attribute = EncodedMessage()
            attribute.add(key, as: 1)
            attribute.add(value, as: 2)
            add(attribute, as: field)
        }
    }

    /// Adds the start and the end of a point.
    fileprivate mutating func add(times round: LookupFigures) {
        add(fixed64: UInt64(clamping: round.start.nanoseconds), as: 2)
        add(fixed64: UInt64(clamping: round.end.nanoseconds), as: 3)
    }
}

extension LookupFigures.Key: Comparable {
    static func < (a: Self, b: Self) -> Bool {
        (a.target, a.question, a.error ?? "") < (b.target, b.question, b.error ?? "")
    }
}

extension LookupFigures.Outcomes: Comparable {
    static func < (a: Self, b: Self) -> Bool {
        (a.target, a.outcome.rawValue) < (b.target, b.outcome.rawValue)
    }
}
