package import Samples

/// An accumulator for the samples and hourly sums of a window.
package protocol HistorySink {
    mutating func add(_ counted: CountedSamples)

    /// Adds an hour. Several sums of one hour, such as of record types, are added together.
    mutating func add(_ counted: CountedSum)
}

/// The rounds, samples and hourly sums from which figures are computed.
package struct Provenance: Sendable {
    package let clock: LocalClock
    package var log = RoundLog()
    /// The time of the earliest query among the samples, and of the earliest hour among the sums.
    package var firstSample: Timestamp?
    package var firstSum: Timestamp?
    /// The order of the queries, from samples.
    package var order = AskingOrder()

    package init(clock: LocalClock, rounds: [RoundMoment] = []) {
        self.clock = clock
        for round in rounds { log.add(round) }
    }

    package mutating func add(samples moments: some Sequence<Timestamp>) {
        for moment in moments { firstSample = min(firstSample ?? moment, moment) }
    }

    package mutating func add(_ sum: HourlySum) { firstSum = min(firstSum ?? sum.hour, sum.hour) }

    package var hasSums: Bool { firstSum != nil }
}
