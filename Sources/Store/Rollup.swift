import DNSWire
import Samples
import Statistics

/// The source of a rollup's samples, in the store's own numbers.
struct RollupKey: Hashable {
    var vantage: Int64
    var target: Int64
    var type: UInt16
    /// In nanoseconds.
    var timeout: Int64
    var origin: UInt8
}

/// A rollup's row.
struct RollupPlace: Hashable {
    /// Hours since 1970.
    var hour: Int64
    /// The number of a ``RollupKey``.
    var key: Int64
}

struct RollupTally: Equatable {
    var counts = OutcomeCounts()
    var latency = LatencyTally()
    var connections = ConnectionSums()

    /// Adds a sample of `series`, which came after an answer of the same round that took `previous`
    /// milliseconds; returns its own time where it is an answer.
    mutating func add(
        _ observation: Observation,
        in series: Series,
        after previous: Double?
    ) -> Double? {
        counts.count(observation.outcome, responseCode: observation.responseCode)
        connections.add(observation, in: series)
        switch observation.outcome {
        case .answered:
            guard let time = observation.time(in: series) else { return nil }
            let milliseconds = Double(time) * 1e-6
            latency.insert(answer: milliseconds, after: previous)
            return milliseconds
        case .failed, .timeout, .unreachable, .malformed: latency.insertNonAnswer()
        case .filtered, .offline, .blocked: break
        }
        return nil
    }

    mutating func merge(_ other: RollupTally) {
        counts.merge(other.counts)
        latency.merge(other.latency)
        connections.merge(other.connections)
    }

    /// Whether both come from the same samples, added up in whichever order: sums of many numbers
    /// differ in their last digits.
    func agrees(with other: RollupTally) -> Bool {
        let (left, right) = (latency, other.latency)
        return counts == other.counts && left.sketch == right.sketch
            && left.minimum == right.minimum && left.maximum == right.maximum
            && left.differences == right.differences
            && connections == other.connections
            && Self.isClose(left.sum, right.sum)
            && Self.isClose(left.sumOfSquares, right.sumOfSquares)
            && Self.isClose(left.differenceSum, right.differenceSum)
    }

    private static func isClose(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-9 * max(1, abs(left), abs(right))
    }
}

extension Timestamp {
    /// The hours since 1970 that are over.
    var hourNumber: Int64 {
        let (hours, rest) = nanoseconds.quotientAndRemainder(dividingBy: Self.hourLength)
        return rest < 0 ? hours - 1 : hours
    }

    /// The start of an hour, counted from 1970; the first or last moment where it has none.
    init(hourNumber: Int64) {
        let (start, overflow) = hourNumber.multipliedReportingOverflow(by: Self.hourLength)
        self.init(nanoseconds: overflow ? (hourNumber < 0 ? .min : .max) : start)
    }

    static let hourLength: Int64 = 3_600_000_000_000
}

/// Rollups of samples that are not stored.
struct RollupBuilder {
    /// By what they say but for their figures.
    private var tallies: [HourlySum: RollupTally] = [:]

    /// Adds the samples of one round, which are of `run` and lie in hours that `isWanted` takes.
    mutating func add(
        _ recording: Recording,
        of run: Run,
        isWanted: (Int64) -> Bool
    ) {
        var previous: [HourlySum: Double] = [:]
        for sample in recording.samples {
            let hour = sample.moment.hourNumber
            guard isWanted(hour) else { continue }
            let key = HourlySum(
                vantage: run.vantage,
                target: recording.targets[Int(sample.target)],
                type: recording.questions[Int(sample.question)].type,
                timeout: run.timeout,
                origin: run.origin,
                hour: Timestamp(hourNumber: hour)
            )
            let answer = tallies[key, default: RollupTally()]
                .add(sample.observation, in: key.target.series, after: previous[key])
            if let answer { previous[key] = answer }
        }
    }

    var rollups: [HourlySum] {
        tallies.map { $0.with($1) }.sorted { $0.hour < $1.hour }
    }
}

extension HourlySum {
    /// The same with these figures.
    func with(_ tally: RollupTally) -> HourlySum {
        var sum = self
        sum.counts = tally.counts
        sum.latency = tally.latency
        sum.connections = tally.connections
        return sum
    }
}
