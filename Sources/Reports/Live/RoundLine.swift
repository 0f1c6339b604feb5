package import Samples

/// Line on what became of a round, such as
/// `round 12 at 2026-11-21 06:54:36 CET: 58 answered, 2 timed out; stored`.
package struct RoundLine: Hashable, Sendable {
    package var number: Int
    package var start: Timestamp
    package var counts: OutcomeCounts
    package var marks: RoundMarks
    /// Queries to whoever answered, since no certificate was verified.
    package var unverified: Int
    /// Slots of the schedule before it that had no round.
    package var missed: Int
    /// Fate of the round at last, such as `stored`.
    package var fate: String

    package init(
        number: Int,
        start: Timestamp,
        counts: OutcomeCounts,
        marks: RoundMarks = [],
        unverified: Int = 0,
        missed: Int = 0,
        fate: String
    ) {
        self.number = number
        self.start = start
        self.counts = counts
        self.marks = marks
        self.unverified = unverified
        self.missed = missed
        self.fate = fate
    }

    /// Without the line's end; the time is that of `clock`.
    package func text(on clock: LocalClock) -> String {
        let time = "\(clock.time(at: start).date) \(clock.timeOfDay(start))"
        let zone = clock.name(from: start, to: start)
        let before =
            missed == 0 ? "" : ", after \(missed) missed \(missed == 1 ? "slot" : "slots")"
        let doubts = unverified > 0 ? ["\(unverified) not verified"] : []
        let parts = [outcomes] + doubts + marksInWords + [fate]
        return "round \(number) at \(time) \(zone)\(before): "
            + parts.joined(separator: "; ")
    }

    private var outcomes: String {
        let codes = counts.responseCodes.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }
        let others =
            [(counts.timeouts, "timed out")] + codes + [
                (counts.unreachable, "unreachable"), (counts.malformed, "malformed"),
                (counts.filtered, "filtered"), (counts.offline + counts.blocked, "not sent"),
            ]
        let parts = [(counts.answered, "answered")] + others.filter { $0.0 > 0 }
        return parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private var marksInWords: [String] {
        let all: [(RoundMarks, String)] = [
            (.offline, "offline"), (.outage, "outage"),
            (.suspended, "this machine slept meanwhile"),
        ]
        return all.filter { marks.contains($0.0) }.map(\.1)
    }
}
