package import Samples

/// A place where what is read of a window is added up.
package protocol HistorySink {
    mutating func add(_ counted: CountedSamples)

    /// Adds an hour; several of one hour, such as of record types, add up.
    mutating func add(_ counted: CountedSum)
}

/// Rounds, samples and hourly sums that figures are from.
package struct Provenance: Sendable {
    package let clock: LocalClock
    package var log = RoundLog()
    /// The earliest query among the samples, and the earliest hour among the sums.
    package var firstSample: Timestamp?
    package var firstSum: Timestamp?
    /// The order of the queries, of samples.
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
