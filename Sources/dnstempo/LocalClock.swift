import Measurement

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The clock on this machine's wall, as the time zone has it.
enum LocalClock {
    /// How many seconds it is ahead of UTC at a moment, in seconds since 1970.
    @Sendable static func offset(at seconds: Int64) -> Int { unsafe broken(seconds).tm_gmtoff }

    /// Such as `2026-11-21 05:10:03`.
    static func text(_ seconds: Int64) -> String {
        let local = seconds + Int64(offset(at: seconds))
        let (nanoseconds, overflow) = local.multipliedReportingOverflow(by: 1_000_000_000)
        let shown = Timestamp(nanoseconds: overflow ? .max : nanoseconds).description.prefix(19)
        return shown.split(separator: "T").joined(separator: " ")
    }

    static func text(_ time: Timestamp) -> String { text(time.nanoseconds / 1_000_000_000) }

    private static func broken(_ seconds: Int64) -> tm {
        var time = time_t(seconds)
        var broken = unsafe tm()
        unsafe localtime_r(&time, &broken)
        return unsafe broken
    }
}
