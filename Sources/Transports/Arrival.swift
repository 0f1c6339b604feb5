import CSockets

/// When octets came.
struct Arrival {
    /// The kernel's stamp of the packet with the last of them, in nanoseconds of CLOCK_REALTIME;
    /// `nil` without one.
    var stamp: Int64?
    /// Both clocks when they were read.
    var clocks: cs_clocks

    /// The moment in nanoseconds of CLOCK_MONOTONIC, but for a clock that was set since.
    var moment: Int64 {
        clocks.monotonic - (stamp.map { max(0, clocks.realtime - $0) } ?? 0)
    }
}
