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

    /// Backslashes, and in values quotation marks, as the format has them; nothing is hidden.
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

/// How long queries took, in the buckets of a Prometheus histogram: times up to a bound, in
/// seconds.
///
/// The bounds are those of ISO 3's series R10, ten a decade from 0.1 ms to 10 s, so that a quantile
/// computed from them is at most 28 % from the true one, the width of a bucket. They do not depend
/// on the data: a bucket's count only grows.
struct DurationHistogram: Equatable {
    /// In milliseconds; ascending.
    static let bounds: [Double] =
        [0.1, 1, 10, 100, 1000].flatMap { decade in
            [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8].map { $0 * decade }
        } + [10_000]

    /// In seconds, as the label `le` has them.
    static let labels: [String] =
        ["0.000", "0.00", "0.0", "0."].flatMap { zeros in
            ["1", "125", "16", "2", "25", "315", "4", "5", "63", "8"].map { zeros + $0 }
        } + ["1", "1.25", "1.6", "2", "2.5", "3.15", "4", "5", "6.3", "8", "10"]

    private var counts = Array(repeating: 0, count: bounds.count)
    /// Every query but filtered ones; those without an answer in time are in no other bucket.
    private(set) var total = 0
    /// Sum over all queries, in seconds, where one without an answer in time counts its timeout.
    private(set) var sum = 0.0

    /// Adds queries that all had this timeout, in milliseconds. A bound is met to 1 %, as everything
    /// that sketches tell is.
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

    /// Times up to each of ``bounds``.
    var cumulative: [Int] {
        var count = 0
        return counts.map { times in
            count += times
            return count
        }
    }
}
