import Measurement

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Timestamp {
    /// The wall clock's time.
    static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What names a run that started then: the moment, and a random number to tell it from others
    /// of the same second.
    var runIdentifier: String {
        let second = description.prefix(19).filter { $0 != "-" && $0 != ":" }
        let random = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        return "\(second)Z-" + String(repeating: "0", count: 8 - random.count) + random
    }
}
