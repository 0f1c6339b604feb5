import LibC
package import Samples

extension Timestamp {
    /// The time by the clock of this machine.
    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
