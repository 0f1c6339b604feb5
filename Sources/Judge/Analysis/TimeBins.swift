package import Samples
package import Statistics

/// The queries of each resolver at each place, in bins of one length.
package struct TimeBins: HistorySink, Sendable {
    /// The length of a bin in seconds. Bins of sums have at least one hour.
    package let length: Int64
    private let clock: LocalClock
    package private(set) var tallies: [HistoryHours.Subject: [Range<Int64>: LatencyTally]] = [:]

    package static let hour: Int64 = 3600

    package init(of length: Int64, clock: LocalClock) {
        self.length = length
        self.clock = clock
    }

    package mutating func add(_ counted: CountedSamples) {
        let recording = counted.recording
        let firstRuns = recording.firstRuns
        var interval: Range<Int64> = 0..<0
        let found = counted.sums(of: LatencyTally()) {
            sample,
            round -> SubjectPlace<Range<Int64>>? in
            guard sample.observation.outcome.isMeasured else { return nil }
            let second = sample.moment.wholeSeconds
            if !interval.contains(second) { interval = clock.interval(of: second, length: length) }
            return SubjectPlace(
                run: firstRuns[Int(round.run)],
                target: sample.target,
                time: interval
            )
        } add: { tally, _, sample, _ in
            let series = recording.targets[Int(sample.target)].series
            tally.insert(QueryOutcome(sample.observation, in: series))
        }
        for (place, tally) in found {
            tallies[place.subject(in: recording), default: [:]][
                place.time,
                default: LatencyTally()
            ].merge(tally)
        }
    }

    package mutating func add(_ counted: CountedSum) {
        let sum = counted.sum
        let length = max(length, Self.hour)
        let middle = sum.hour.wholeSeconds + Self.hour / 2
        // An hour of UTC cannot be divided into the hours of a clock with an offset of half an hour.
        let isApart = length == Self.hour && clock.offset(at: sum.hour) % length != 0
        let clock = isApart ? .utc : clock
        let subject = HistoryHours.Subject(vantage: sum.vantage, target: sum.target)
        let interval = clock.interval(of: middle, length: length)
        tallies[subject, default: [:]][interval, default: LatencyTally()].merge(sum.latency)
    }
}
