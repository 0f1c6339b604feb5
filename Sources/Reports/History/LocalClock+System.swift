package import Samples

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension LocalClock {
    /// This system's clock between two moments, as TZ and the zone's file say.
    package static func system(from start: Timestamp, to end: Timestamp) -> LocalClock {
        tzset()
        let day: Int64 = 86_400
        // Days around, so that dates of either end can be turned into moments.
        let first = start.wholeSeconds - 2 * day
        let last = max(first, end.wholeSeconds + 2 * day)
        guard var period = period(at: first) else { return .utc }
        var changes = [period]
        var second = first
        while second < last {
            let next = min(second + day, last)
            if let later = Self.period(at: next), !later.isSame(as: period) {
                period = Self.beginning(of: later, after: second, until: next)
                changes.append(period)
            }
            second = next
        }
        return LocalClock(changes)
    }

    /// The period and when it begins, to the second.
    private static func beginning(
        of later: Change,
        after start: Int64,
        until end: Int64
    ) -> Change {
        var low = start
        var high = end
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if let found = period(at: middle), found.isSame(as: later) {
                high = middle
            } else {
                low = middle
            }
        }
        return Change(second: high, offset: later.offset, name: later.name)
    }

    private static func period(at second: Int64) -> Change? {
        var moment = time_t(second)
        var fields = unsafe tm()
        guard unsafe localtime_r(&moment, &fields) != nil else { return nil }
        let name =
            if let text = unsafe fields.tm_zone {
                unsafe String(cString: text)
            } else {
                "local time"
            }
        let offset = unsafe Int64(fields.tm_gmtoff)
        return Change(second: second, offset: offset, name: name)
    }
}

extension LocalClock.Change {
    fileprivate func isSame(as other: Self) -> Bool {
        offset == other.offset && name == other.name
    }
}
