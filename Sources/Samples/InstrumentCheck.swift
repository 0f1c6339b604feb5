package import DNSWire

/// How good the instrument is on this machine, now: queries to an echo of its own on loopback.
package struct InstrumentCheck: Hashable, Sendable {
    /// The echo's round trips in nanoseconds, ascending; never empty.
    package let roundTrips: [Int64]
    package let clock: ClockSource
    /// How much later than wanted the event loop woke, in nanoseconds, ascending.
    package let wakeLateness: [Int64]
    /// How far the wall clock was set meanwhile, in nanoseconds, where it was.
    package let clockStep: Int64?

    /// `nil` without a round trip.
    package init?(
        roundTrips: [Int64],
        clock: ClockSource,
        wakeLateness: [Int64],
        clockStep: Int64? = nil
    ) {
        guard !roundTrips.isEmpty else { return nil }
        self.roundTrips = roundTrips.sorted()
        self.clock = clock
        self.wakeLateness = wakeLateness.sorted()
        self.clockStep = clockStep
    }

    /// The median round trip, in nanoseconds: what the instrument adds where there is no network.
    package var median: Int64 { roundTrips[(roundTrips.count - 1) / 2] }

    /// The median round trip, in nanoseconds, where it is above a millisecond.
    package var slowness: Int64? { median > Self.tolerable ? median : nil }

    /// How late every second wake-up is or later, in nanoseconds, where that is above a millisecond.
    package var tardiness: Int64? {
        guard !wakeLateness.isEmpty else { return nil }
        let median = wakeLateness[(wakeLateness.count - 1) / 2]
        return median > Self.tolerable ? median : nil
    }

    private static let tolerable: Int64 = 1_000_000
}
