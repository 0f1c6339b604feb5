import Charts
import Samples
import Statistics

/// The queries of each resolver at each place in stretches of one length.
struct TimeStretches: Sendable {
    /// The seconds of a stretch; those of sums last an hour at least.
    let length: Int64
    private let clock: LocalClock
    private var tallies: [HistoryHours.Subject: [Range<Int64>: LatencyTally]] = [:]

    static let hour: Int64 = 3600

    init(of length: Int64, clock: LocalClock) {
        self.length = length
        self.clock = clock
    }

    /// Adds samples, none of which is of a marked round.
    mutating func add(_ recording: Recording) {
        var found: [Place: LatencyTally] = [:]
        var stretch: Range<Int64> = 0..<0
        for sample in recording.samples {
            let observation = sample.observation
            guard observation.outcome.isMeasured,
                recording.targets.indices.contains(Int(sample.target)),
                let run = recording.round(of: sample)?.run,
                recording.runs.indices.contains(Int(run))
            else { continue }
            let second = sample.moment.wholeSeconds
            if !stretch.contains(second) { stretch = clock.stretch(of: second, length: length) }
            let place = Place(run: run, target: sample.target, stretch: stretch)
            let series = recording.targets[Int(sample.target)].series
            if let time = observation.answerTime(in: series) {
                found[place, default: LatencyTally()].insert(answer: time)
            } else if observation.outcome != .answered {
                found[place, default: LatencyTally()].insertNonAnswer()
            }
        }
        for (place, tally) in found {
            let subject = HistoryHours.Subject(
                vantage: recording.runs[Int(place.run)].vantage,
                target: recording.targets[Int(place.target)]
            )
            tallies[subject, default: [:]][place.stretch, default: LatencyTally()].merge(tally)
        }
    }

    /// Samples are many, and their places few.
    private struct Place: Hashable {
        var run: Int32
        var target: Int32
        var stretch: Range<Int64>
    }

    /// Adds an hour; several of one hour, such as of record types, add up.
    mutating func add(_ sum: HourlySum) {
        let length = max(length, Self.hour)
        let middle = sum.hour.wholeSeconds + Self.hour / 2
        // An hour of UTC cannot be cut at those of a clock that is half an hour off.
        let isApart = length == Self.hour && clock.offset(at: sum.hour) % length != 0
        let clock = isApart ? .utc : clock
        let subject = HistoryHours.Subject(vantage: sum.vantage, target: sum.target)
        let stretch = clock.stretch(of: middle, length: length)
        tallies[subject, default: [:]][stretch, default: LatencyTally()].merge(sum.latency)
    }

    /// Those in which there were queries; in any order.
    var bins: [HistoryHours.Subject: [TimeBin]] {
        tallies.mapValues { tallies in
            tallies.map { stretch, latency in
                TimeBin(
                    start: stretch.lowerBound,
                    length: stretch.upperBound - stretch.lowerBound,
                    latency: latency
                )
            }
        }
    }
}
