import Protobuf

/// The content of a remote write: of Prometheus' messages those fields that dnstempo writes, under
/// the numbers of the specification (Remote-Write 1.0). Times are in milliseconds since 1970.
struct WriteRequest: Hashable {
    var timeseries: [TimeSeries] = []
    var metadata: [MetricMetadata] = []

    var encoded: EncodedMessage {
        var message = EncodedMessage()
        for series in timeseries { message.add(series.encoded, as: 1) }
        for metric in metadata { message.add(metric.encoded, as: 3) }
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

    var labels: [Label]
    var samples: [Sample] = []
    var histograms: [Histogram] = []

    fileprivate var encoded: EncodedMessage {
        var message = EncodedMessage()
        for label in labels {
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
        // One of several types that a count may have: which one is told by its presence.
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

struct MetricMetadata: Hashable {
    enum Kind: UInt64 {
        case counter = 1
        case gauge = 2
        case histogram = 3
    }

    var kind: Kind
    var family: String
    var help: String

    fileprivate var encoded: EncodedMessage {
        var message = EncodedMessage()
        message.add(kind.rawValue, as: 1)
        message.add(family, as: 2)
        message.add(help, as: 4)
        return message
    }
}
