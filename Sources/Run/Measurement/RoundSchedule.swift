import Catalogue
import Samples

/// The slots in which a watch begins its rounds: whole multiples of a period, so that nothing adds
/// up to a drift.
///
/// Times are counted from the start of the watch, on a clock that goes on while the machine sleeps.
/// A slot that is over before its round could begin is missed: rounds are never made up for in a
/// bunch.
package struct RoundSchedule: Hashable, Sendable {
    /// From slot to slot.
    package private(set) var period: Duration
    /// How long the queries of a round take to be sent.
    private var length: Duration
    /// The time of slot 0.
    private var origin = Duration.zero
    /// The slot of the last round; -1 before the first.
    private var last: Int64 = -1
    /// When the queries of the last round are all sent.
    private var sendingEnds = Duration.zero

    /// Rounds every `interval`, or as often as their `length` allows where that is longer.
    package init(interval: Duration, length: Duration) {
        self.length = length
        period = Self.period(interval, length)
    }

    /// When the next round may begin, as seen at `time`; that or earlier where it may at once.
    package func next(at time: Duration) -> Duration {
        begin(of: slot(at: time, lateness: latest))
    }

    /// Begins a round at `time` and returns how many slots were missed before it; `nil` where none
    /// may begin yet. One that `hasWaited` for another program's may begin as long as its slot is:
    /// else a neighbour of the same interval could make it miss all.
    package mutating func begin(at time: Duration, hasWaited: Bool = false) -> Int? {
        let slot = slot(at: time, lateness: hasWaited ? period - .nanoseconds(1) : latest)
        guard begin(of: slot) <= time else { return nil }
        let missed = slot - last - 1
        last = slot
        sendingEnds = time + length
        return Int(clamping: missed)
    }

    /// Goes on with another interval or length from the slot of the last round on; a slot that the
    /// new ones would have had by `time` is not missed.
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

    /// How late a round begins, so that the next does not follow too soon.
    private var latest: Duration { period / 4 }

    private func begin(of slot: Int64) -> Duration { max(origin + period * slot, sendingEnds) }

    /// The first slot that still can have its round, which begins at most so late.
    private func slot(at time: Duration, lateness: Duration) -> Int64 {
        let earliest = (max(time, sendingEnds) - lateness - origin).nanoseconds
        let (slots, rest) = earliest.quotientAndRemainder(dividingBy: period.nanoseconds)
        return max(last + 1, rest > 0 ? slots + 1 : slots)
    }

    private static func period(_ interval: Duration, _ length: Duration) -> Duration {
        max(interval, length, .milliseconds(1))
    }
}
