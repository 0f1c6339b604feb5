import Catalogue
import Samples

/// The time slots of the rounds of a watch. They are whole multiples of a period, so that errors do
/// not accumulate.
///
/// Times are counted from the start of the watch, on a clock that continues while the machine is
/// suspended. A slot that ends before its round can begin is missed. Missed rounds are never
/// repeated in a burst.
package struct RoundSchedule: Hashable, Sendable {
    /// The time from slot to slot.
    package private(set) var period: Duration
    /// The time to send the queries of a round.
    private var length: Duration
    /// The time of slot 0.
    private var origin = Duration.zero
    /// The slot of the last round; -1 before the first.
    private var last: Int64 = -1
    /// The time when all queries of the last round are sent.
    private var sendingEnds = Duration.zero

    /// Creates slots every `interval`, or every `length` of a round if that is longer.
    package init(interval: Duration, length: Duration) {
        self.length = length
        period = Self.period(interval, length)
    }

    /// The time when the next round may begin, as seen at `time`. It is `time` or earlier if the
    /// round may begin at once.
    package func next(at time: Duration) -> Duration {
        begin(of: slot(at: time, lateness: latest))
    }

    /// Begins a round at `time`, and returns the number of slots missed before it; `nil` if no
    /// round may begin yet. A round that `hasWaited` for another program's round may begin until
    /// the end of its slot. Otherwise a program with the same interval could make it miss all
    /// slots.
    package mutating func begin(at time: Duration, hasWaited: Bool = false) -> Int? {
        let slot = slot(at: time, lateness: hasWaited ? period - .nanoseconds(1) : latest)
        guard begin(of: slot) <= time else { return nil }
        let missed = slot - last - 1
        last = slot
        sendingEnds = time + length
        return Int(clamping: missed)
    }

    /// Changes the interval or length from the slot of the last round on. A slot that the new
    /// values would have had before `time` is not missed.
    package mutating func change(interval: Duration, length: Duration, at time: Duration) {
        self.length = length
        let changed = Self.period(interval, length)
        guard changed != period else { return }
        if last >= 0 {
            origin += period * last
            last = max(0, (time - origin).nanoseconds / changed.nanoseconds)
        }
        period = changed
    }

    /// The maximum lateness of a round, so that the next round does not follow too soon.
    private var latest: Duration { period / 4 }

    private func begin(of slot: Int64) -> Duration { max(origin + period * slot, sendingEnds) }

    /// The first slot whose round may still begin, at most `lateness` late.
    private func slot(at time: Duration, lateness: Duration) -> Int64 {
        let earliest = (max(time, sendingEnds) - lateness - origin).nanoseconds
        let (slots, rest) = earliest.quotientAndRemainder(dividingBy: period.nanoseconds)
        return max(last + 1, rest > 0 ? slots + 1 : slots)
    }

    private static func period(_ interval: Duration, _ length: Duration) -> Duration {
        max(interval, length, .milliseconds(1))
    }
}
