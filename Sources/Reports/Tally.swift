import Samples
import Statistics

/// One target's outcomes and times while the samples are gone through.
struct Tally {
    private(set) var counts = OutcomeCounts()
    /// Milliseconds, in the order of sending.
    private var answers: [Double] = []
    private var connections = ConnectionTally()
    private let series: Series
    /// The shortest of the runs' timeouts: what is said to lie beyond it does so in each.
    private var timeout: Duration

    /// One for each target of `recording`, in order, over the rounds that count; `timeout` is that of
    /// a recording without runs.
    static func tallies(
        of recording: Recording,
        timeout: Duration
    ) -> [Tally] {
        let shortest = recording.runs.map(\.timeout).min() ?? timeout
        var tallies = recording.targets.map { Tally(in: $0.series, timeout: shortest) }
        for sample in recording.counted.samples where tallies.indices.contains(Int(sample.target)) {
            tallies[Int(sample.target)].add(sample.observation)
        }
        return tallies
    }

    private init(in series: Series, timeout: Duration) {
        self.series = series
        self.timeout = timeout
    }

    private mutating func add(_ observation: Observation) {
        counts.count(observation.outcome, responseCode: observation.responseCode)
        if let time = observation.answerTime(in: series) { answers.append(time) }
        connections.add(observation, in: series)
    }

    /// What carried the queries; `nil` where that is nothing to tell of.
    var connectionFigures: ConnectionFigures? { connections.figures }

    /// How far the queries that opened a connection had come when.
    var openings: [OpeningFigures] { connections.openings(timeout: timeout) }

    /// Of the median of every measured query; `nil` where they are too few.
    var medianInterval: ClosedRange<Double>? {
        Self.medianInterval(answers, of: counts.measured, timeout: timeout)
    }

    /// The same of `answers` in milliseconds to so many queries.
    static func medianInterval(
        _ answers: [Double],
        of queries: Int,
        timeout: Duration
    ) -> ClosedRange<Double>? {
        let times = answers.map { $0 <= timeout.milliseconds ? $0 : .infinity }
        return QuantileInterval.ofMedian(
            times + [Double](repeating: .infinity, count: max(0, queries - answers.count))
        )
    }

    /// Every measured query; a non-answer lies beyond the timeout.
    var latency: LatencySummary {
        LatencySummary(
            answers: answers,
            nonAnswers: counts.lost,
            timeout: timeout.milliseconds
        )
    }
}

/// Times in milliseconds, of which some are known one by one, and others within 1 %.
struct SeenTimes: Hashable, Sendable {
    private var exact: [Double] = []
    private var sketch = LatencySketch()

    var count: Int { exact.count + sketch.count }

    mutating func add(_ milliseconds: Double) { exact.append(milliseconds) }

    mutating func add(_ sketch: LatencySketch) { self.sketch.merge(sketch) }

    mutating func merge(_ other: Self) {
        exact += other.exact
        sketch.merge(other.sketch)
    }

    /// The lower one of two in the middle; `nil` without any.
    var median: Double? {
        guard sketch.count > 0 else {
            return exact.isEmpty ? nil : exact.sorted()[(exact.count - 1) / 2]
        }
        return exact.reduce(into: sketch) { $0.insert($1) }.quantile(0.5)
    }
}
