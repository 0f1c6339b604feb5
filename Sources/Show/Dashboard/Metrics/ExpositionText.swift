import Reports
import Samples
import Statistics

/// Text in Prometheus' exposition format, version 0.0.4: families of metrics with their figures.
struct ExpositionText {
    typealias Labels = MetricFamily.Labels

    private(set) var text = ""

    mutating func begin(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
    }

    mutating func add(_ name: String, _ labels: Labels, _ value: some Numeric) {
        text += name
        for (index, label) in labels.enumerated() {
            text += index == 0 ? "{" : ","
            text += "\(label.name)=\"\(Self.escaped(label.value, quotes: true))\""
        }
        text += labels.isEmpty ? " \(value)\n" : "} \(value)\n"
    }

    /// Escapes backslashes, and quotation marks in values, as the format requires. No character is removed.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        EscapedText.terminal(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The query times in the buckets of a Prometheus histogram: times up to a bound, in seconds.
///
/// The bounds are the series R10 of ISO 3, ten per decade from 0.1 ms to 10 s. A quantile computed from them
/// differs from the true quantile by at most 28 %, the width of a bucket. The bounds do not depend on the
/// data, so a bucket's count only grows.
struct DurationHistogram: Equatable {
    /// The bounds in milliseconds, in ascending order.
    static let bounds: [Double] =
        [0.1, 1, 10, 100, 1000].flatMap { decade in
            [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8].map { $0 * decade }
        } + [10_000]

    /// The bounds in seconds, as the label `le` requires.
    static let labels: [String] =
        ["0.000", "0.00", "0.0", "0."].flatMap { zeros in
            ["1", "125", "16", "2", "25", "315", "4", "5", "63", "8"].map { zeros + $0 }
        } + ["1", "1.25", "1.6", "2", "2.5", "3.15", "4", "5", "6.3", "8", "10"]

    private var counts = Array(repeating: 0, count: bounds.count)
    /// The number of queries except filtered queries. Queries without an answer in time are in no other
    /// bucket.
    private(set) var total = 0
    /// The sum over all queries, in seconds. A query without an answer in time counts as its timeout.
    private(set) var sum = 0.0

    /// Adds queries with the same timeout, in milliseconds. Bounds are accurate to 1 %, the accuracy of
    /// sketches.
    mutating func add(_ tally: LatencyTally, timeout: Double) {
        for bucket in tally.sketch.buckets {
            let time = 2 * bucket.lower * bucket.upper / (bucket.lower + bucket.upper)
            guard time <= timeout else { break }
            guard let place = Self.bounds.firstIndex(where: { time <= $0 }) else { break }
            counts[place] += bucket.count
        }
        let summary = tally.summary(timeout: timeout)
        total += summary.count
        sum += (summary.restrictedMean ?? 0) * Double(summary.count) * 1e-3
    }

    /// The number of times up to each of ``bounds``.
    var cumulative: [Int] {
        var count = 0
        return counts.map { times in
            count += times
            return count
        }
    }
}
