/// The slots in which a watch begins its rounds: whole multiples of a period, so that nothing adds
/// up to a drift.
///
/// Times are counted from the start of the watch, on a clock that goes on while the machine sleeps.
/// A slot that is over before its round could begin is missed: rounds are never made up for in a
/// bunch.
public struct RoundSchedule: Hashable, Sendable {
    /// From slot to slot.
    public private(set) var period: Duration
    /// How long the queries of a round take to be sent.
    private var length: Duration
    /// The time of slot 0.
    private var origin = Duration.zero
    /// The slot of the last round; -1 before the first.
    private var last: Int64 = -1
    /// When the queries of the last round are all sent.
    private var sendingEnds = Duration.zero

    /// Rounds every `interval`, or as often as their `length` allows where that is longer.
    public init(interval: Duration, length: Duration) {
        self.length = length
        period = Self.period(interval, length)
    }

    /// When the next round may begin, as seen at `time`; that or earlier where it may at once.
    public func next(at time: Duration) -> Duration {
        max(origin + period * slot(at: time), sendingEnds)
    }

    /// Begins a round at `time` and returns how many slots were missed before it; `nil` where none
    /// may begin yet.
    public mutating func begin(at time: Duration) -> Int? {
        guard next(at: time) <= time else { return nil }
        let slot = slot(at: time)
        let missed = slot - last - 1
        last = slot
        sendingEnds = time + length
        return Int(clamping: missed)
    }

    /// Goes on with another interval or length from the slot of the last round on; a slot that the
    /// new ones would have had by `time` is not missed.
    public mutating func change(interval: Duration, length: Duration, at time: Duration) {
        self.length = length
        let changed = Self.period(interval, length)
        guard changed != period else { return }
        if last >= 0 {
            origin += period * last
            last = max(0, (time - origin).nanoseconds / changed.nanoseconds)
        }
        period = changed
    }

    /// The first slot that still can have its round: one begins up to a quarter of the period late,
    /// so that the next does not follow too soon.
    private func slot(at time: Duration) -> Int64 {
        let earliest = (max(time, sendingEnds) - period / 4 - origin).nanoseconds
        let (slots, rest) = earliest.quotientAndRemainder(dividingBy: period.nanoseconds)
        return max(last + 1, rest > 0 ? slots + 1 : slots)
    }

    private static func period(_ interval: Duration, _ length: Duration) -> Duration {
        max(interval, length, .milliseconds(1))
    }
}
