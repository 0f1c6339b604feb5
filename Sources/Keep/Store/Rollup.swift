import Catalogue
import DNSWire
import Samples
import Statistics

/// The source of a rollup's samples, as row numbers of the store.
struct RollupKey: Hashable {
    var vantage: Int64
    var target: Int64
    var type: UInt16
    /// The timeout, in nanoseconds.
    var timeout: Int64
    var origin: UInt8
}

extension RollupKey {
    init(of probe: ProbeFacts, in run: RunRow) {
        self.init(
            vantage: run.vantage,
            target: probe.target,
            type: probe.type,
            timeout: run.run.timeout.nanoseconds,
            origin: run.run.origin.rawValue
        )
    }
}

/// The key of a rollup's row.
struct RollupPlace: Hashable {
    /// The hour, counted from 1970.
    var hour: Int64
    /// The number of a ``RollupKey``.
    var key: Int64
}

extension HourlySum.Figures {
    /// Adds a sample of `series` to the figures and to the part of its round. The part's availability is
    /// added separately, after all samples of the round.
    mutating func add(_ observation: Observation, in series: Series, to part: inout RoundPart) {
        counts.count(observation, withCause: false)
        connections.add(observation, in: series)
        if let warmup = observation.extras?.warmup { warmups.add(warmup) }
        let outcome = QueryOutcome(observation, in: series)
        latency.insert(outcome, after: part.previous)
        part.add(observation, outcome)
    }

    /// Whether both come from the same samples, added in any order. Sums of many numbers differ in their last
    /// digits. The availability of the other may be unknown.
    func agrees(with other: HourlySum.Figures) -> Bool {
        let (left, right) = (latency, other.latency)
        return counts == other.counts && left.sketch == right.sketch
            && left.minimum == right.minimum && left.maximum == right.maximum
            && left.differences == right.differences
            && connections == other.connections && warmups.asStored == other.warmups
            && (other.availability.rounds == 0 || availability == other.availability)
            && Self.isClose(left.sum, right.sum)
            && Self.isClose(left.sumOfSquares, right.sumOfSquares)
            && Self.isClose(left.differenceSum, right.differenceSum)
    }

    private static func isClose(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-9 * max(1, abs(left), abs(right))
    }
}

/// Hours since 1970, as a column stores them.
extension Timestamp {
    var hourNumber: Int64 { Int64(hoursSinceEpoch) }

    init(hourNumber: Int64) { self.init(hoursSinceEpoch: Int(hourNumber)) }
}

/// Computes rollups of samples that are not stored.
struct RollupBuilder {
    /// The figures by rollup. The keys are rollups without figures.
    private var tallies: [HourlySum: HourlySum.Figures] = [:]

    /// Adds the samples of one round of `run`, for the hours that `isWanted` accepts.
    mutating func add(_ recording: Recording, of run: Run, isWanted: (Int64) -> Bool) {
        var parts: [HourlySum: RoundPart] = [:]
        for sample in recording.samples {
            let hour = sample.moment.hourNumber
            guard isWanted(hour) else { continue }
            let type = recording.questions[Int(sample.question)].type
            let key = HourlySum(
                vantage: run.vantage,
                target: recording.targets[Int(sample.target)],
                type: type,
                timeout: run.timeout,
                origin: run.origin,
                hour: Timestamp(hourNumber: hour)
            )
            let part = RoundPart(hour: hour, target: Int64(sample.target), type: type.rawValue)
            tallies[key, default: HourlySum.Figures()]
                .add(sample.observation, in: key.target.series, to: &parts[key, default: part])
        }
        for (key, availability) in parts.counted { tallies[key]?.availability.merge(availability) }
    }

    var rollups: [HourlySum] {
        tallies.map { key, figures in
            var sum = key
            sum.figures = figures
            return sum
        }.sorted { $0.hour < $1.hour }
    }
}
