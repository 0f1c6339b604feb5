import CSockets

/// The two ends of a round trip, each with a reading of both clocks taken beside it.
struct Stamps {
    /// The kernel's send stamp, in nanoseconds of CLOCK_REALTIME.
    var kernelSent: Int64?
    /// Both clocks just before the query was handed to the kernel.
    var atSend: cs_clocks

    /// CLOCK_REALTIME is slewed by at most 500 ppm (adjtimex(2)); what moves it further is a step.
    private static let jitter: Int64 = 20_000
    private static let slewDivisor: Int64 = 2_000
    /// Where the clock was set, an older stamp than this may be from before or after that
    /// (chrony's MAX_TS_DELAY); where it was not, every stamp since the query is as good.
    private static let oldestAtStep: Int64 = 1_000_000_000

    init(sentAt: cs_clocks) { atSend = sentAt }

    /// When the query was sent, in nanoseconds of CLOCK_REALTIME.
    var sent: Int64 { kernelSent ?? atSend.realtime }

    /// The same in nanoseconds of CLOCK_MONOTONIC.
    var sentMonotonic: Int64 { sent - (atSend.realtime - atSend.monotonic) }

    /// The time from sending until `received`, the kernel's receive stamp, read at `atReceive`.
    func roundTrip(until received: Int64?, read atReceive: cs_clocks) -> RoundTrip {
        let elapsed = atReceive.monotonic - atSend.monotonic
        let moved =
            (atReceive.realtime - atReceive.monotonic) - (atSend.realtime - atSend.monotonic)
        let isStep = abs(moved) > Self.jitter + elapsed / Self.slewDivisor
        var trip = RoundTrip(nanoseconds: elapsed, clock: .user)
        if isStep { trip.step = .nanoseconds(moved) }
        guard let received else { return trip }
        let age = atReceive.realtime - received
        // Each stamp is carried over by its age to CLOCK_MONOTONIC, which steps do not move.
        let total = received - sent - (isStep ? moved : 0)
        let isDatable = age >= 0 && (!isStep || age <= Self.oldestAtStep)
        guard isDatable, (0...elapsed).contains(total) else { return trip }
        trip.nanoseconds = total
        trip.clock = kernelSent == nil ? .kernelReceive : .kernel
        return trip
    }

    struct RoundTrip {
        var nanoseconds: Int64
        var clock: Exchange.Clock
        var step: Duration?
    }
}

/// When octets came.
struct Arrival {
    /// The kernel's stamp of the packet with the last of them, in nanoseconds of CLOCK_REALTIME;
    /// `nil` without one.
    var stamp: Int64?
    var clocks: cs_clocks

    /// The moment in nanoseconds of CLOCK_MONOTONIC, but for a clock that was set since.
    var moment: Int64 { clocks.monotonic - (stamp.map { max(0, clocks.realtime - $0) } ?? 0) }
}
