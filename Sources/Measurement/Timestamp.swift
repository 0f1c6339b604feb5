/// A moment in UTC, to the nanosecond, as the kernel's stamps give it.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time). From 1677 to
    /// 2262.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `duration` later, or the last one (or first) that there is.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
        guard overflow else { return Timestamp(nanoseconds: sum) }
        return Timestamp(nanoseconds: duration < .zero ? .min : .max)
    }

    /// How long after `other` this is.
    package func since(_ other: Timestamp) -> Duration {
        .nanoseconds(nanoseconds) - .nanoseconds(other.nanoseconds)
    }
}
