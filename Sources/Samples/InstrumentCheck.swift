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

    /// A fault of the instrument, each with its own remedy.
    package enum Fault: Hashable, Sendable {
        /// The kernel stamps nothing, or only what is received.
        case clock(ClockSource)
        /// The median of the echo's round trips, in nanoseconds, is above a millisecond.
        case slow(Int64)
        /// Every second wake-up comes so late, in nanoseconds, above a millisecond.
        case late(Int64)
        /// The wall clock was set by so many nanoseconds.
        case clockStep(Int64)
    }

    /// The median round trip, in nanoseconds: what the instrument adds where there is no network.
    package var median: Int64 { roundTrips[(roundTrips.count - 1) / 2] }

    package var faults: [Fault] {
        let limit: Int64 = 1_000_000
        var faults: [Fault] = []
        if clock != .kernel { faults.append(.clock(clock)) }
        if median > limit { faults.append(.slow(median)) }
        if !wakeLateness.isEmpty, wakeLateness[(wakeLateness.count - 1) / 2] > limit {
            faults.append(.late(wakeLateness[(wakeLateness.count - 1) / 2]))
        }
        if let clockStep { faults.append(.clockStep(clockStep)) }
        return faults
    }
}

/// The network's own round trip to a resolver's address, from a few TCP handshakes outside the timed
/// queries: what the way there takes, whoever answers.
///
/// There is none where no port accepts a connection. A refusal is not taken for one: many come from
/// a firewall on the way.
package struct NetworkRTT: Hashable, Sendable {
    /// The least of the handshakes.
    package var roundTrip: Duration
    /// The port that answered.
    package var port: UInt16
    package var handshakes: Int

    package init(roundTrip: Duration, port: UInt16, handshakes: Int) {
        self.roundTrip = roundTrip
        self.port = port
        self.handshakes = handshakes
    }
}
