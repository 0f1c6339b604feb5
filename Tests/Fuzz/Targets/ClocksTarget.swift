#if DEBUG || TESTABLE
import CSockets

@testable import Transports

/// Two readings of both clocks and two kernel stamps, as kernels and changed clocks may produce
/// them. The round trip is never negative, and never longer than the monotonic clock's difference.
enum ClocksTarget {
    static func take(_ input: [UInt8]) {
        var input = input
        let choice = input.popLast() ?? 0
        let sent = clocks(&input)
        var received = clocks(&input)
        // CLOCK_MONOTONIC never goes back.
        received.monotonic = max(received.monotonic, sent.monotonic)
        var stamps = Stamps(sentAt: sent)
        if choice & 1 != 0 { stamps.kernelSent = moment(&input) }
        let stamp = choice & 2 != 0 ? moment(&input) : nil
        let trip = stamps.roundTrip(until: stamp, read: received)
        guard (0...received.monotonic - sent.monotonic).contains(trip.nanoseconds) else {
            accuse("a round trip of \(trip.nanoseconds) ns")
        }
    }

    private static func clocks(_ input: inout [UInt8]) -> cs_clocks {
        cs_clocks(monotonic: moment(&input), realtime: moment(&input))
    }

    /// Returns a time in nanoseconds, between 0 and 73 years.
    private static func moment(_ input: inout [UInt8]) -> Int64 {
        Int64(input.takeNumber() & (1 << 61 - 1))
    }
}
#endif
