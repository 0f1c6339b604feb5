import Protobuf
import Reports

/// The content of a remote write. It contains the fields of Prometheus' messages that dnstempo writes, with
/// the numbers of the specification (Remote-Write 1.0). Times are in milliseconds since 1970.
struct WriteRequest: Hashable {
    private(set) var series: [SeriesName: TimeSeries] = [:]
    private static let metadata: [MetricFamily] = [
        .lastQuery, .queries, .failedResponses, .unverifiedAnswers, .queryDuration,
    ]

    /// Creates a request with the figures of rounds, in the order of their start.
    ///
    /// Counters and histograms have the value 0 one millisecond before each round. Their increase is then the
    /// round's count, and `increase` includes the first round.
    init(_ rounds: some Collection<RoundFigures>) {
        for round in rounds {
            for (name, value) in round.gauges {
                series[name, default: TimeSeries()].add(value, at: round.time)
            }
            for (name, count) in round.counters {
                series[name, default: TimeSeries()].add(0, at: round.time - 1)
                series[name]?.add(Double(count), at: round.time)
            }
            for (name, durations) in round.durations {
                series[name, default: TimeSeries()].histograms += [
                    NativeHistogram().message(at: round.time - 1),
                    durations.message(at: round.time),
                ]
            }
        }
    }

    var encoded: EncodedMessage {
        var message = EncodedMessage()
        for (name, series) in series { message.add(series.encoded(name), as: 1) }
        for family in Self.metadata { message.add(family.encoded, as: 3) }
        return message
    }
}

struct TimeSeries: Hashable {
    struct Label: Hashable, Sendable {
        var name: String
        var value: String
    }

    struct Sample: Hashable {
        var value: Double
        var timestamp: Int64
    }

    private(set) var samples: [Sample] = []
    fileprivate(set) var histograms: [Histogram] = []

    fileprivate mutating func add(_ value: Double, at time: Int64) {
        samples.append(Sample(value: value, timestamp: time))
    }

    fileprivate func encoded(_ name: SeriesName) -> EncodedMessage {
        var message = EncodedMessage()
        for label in name.labels {
            var part = EncodedMessage()
            part.add(label.name, as: 1)
            part.add(label.value, as: 2)
            message.add(part, as: 1)
        }
        for sample in samples {
            var part = EncodedMessage()
            part.add(sample.value, as: 1)
            part.add(plain: sample.timestamp, as: 2)
            message.add(part, as: 2)
        }
        for histogram in histograms { message.add(histogram.encoded, as: 4) }
        return message
    }
}

/// A native histogram with integer counts.
struct Histogram: Hashable {
    struct BucketSpan: Hashable {
        var offset: Int32
        var length: UInt32 = 0
    }

    var count: UInt64
    var sum: Double
    var schema: Int32
    var zeroThreshold: Double
    var zeroCount: UInt64
    var positiveSpans: [BucketSpan] = []
    var positiveDeltas: [Int64] = []
    var timestamp: Int64

    fileprivate var encoded: EncodedMessage {
        var message = EncodedMessage()
        // The count is a `oneof` of several types. Its presence selects the type.
        message.addAlways(count, as: 1)
        message.add(sum, as: 3)
        message.add(Int64(schema), as: 4)
        message.add(zeroThreshold, as: 5)
        message.addAlways(zeroCount, as: 6)
        for span in positiveSpans {
            var part = EncodedMessage()
            part.add(Int64(span.offset), as: 1)
            part.add(span.length, as: 2)
            message.add(part, as: 11)
        }
        message.add(packed: positiveDeltas, as: 12)
        message.add(plain: timestamp, as: 15)
        return message
    }
}

extension MetricFamily {
    /// The encoded metadata of the metric.
    fileprivate var encoded: EncodedMessage {
        let number: UInt64 =
            switch kind {
            case .counter: 1
            case .gauge: 2
            case .histogram: 3
            }
        var message = EncodedMessage()
        message.add(number, as: 1)
        message.add(name, as: 2)
        message.add(help, as: 4)
        return message
    }
}
