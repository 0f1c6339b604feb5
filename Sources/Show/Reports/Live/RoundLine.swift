package import Samples

/// A line about the result of a round, such as `round 12 at 2026-11-21 06:54:36 CET: 58 answered, 2
/// timed out; stored`.
package enum RoundLine {
    /// The line, without a line break at its end. `missed` is the number of slots of the schedule
    /// that were missed before the round. `unverified` is the number of answers without a verified
    /// certificate. `fate` is the final result of the round.
    // Many parameters: one for each part of the line.
    package static func text(
        number: Int,
        start: Timestamp,
        on clock: LocalClock,
        counts: OutcomeCounts,
        marks: RoundMarks,
        unverified: Int,
        missed: Int,
        fate: String
    ) -> String {
        let time = "\(clock.time(at: start).date) \(clock.timeOfDay(start))"
        let zone = clock.name(from: start, to: start)
        let before = missed == 0 ? "" : ", after \(missed) missed \(missed == 1 ? "slot" : "slots")"
        let others =
            [(counts[.timeout], "timed out")] + counts.unusable
            + [(counts[.offline] + counts[.blocked], "not sent")]
        let outcomes = ([(counts.answered, "answered")] + others.filter { $0.0 > 0 })
            .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let doubts = unverified > 0 ? ["\(unverified) not verified"] : []
        let words: [(RoundMarks, String)] = [
            (.offline, "offline"), (.outage, "outage"),
            (.suspended, "this machine was suspended"),
        ]
        let parts = [outcomes] + doubts + words.filter { marks.contains($0.0) }.map(\.1) + [fate]
        return "round \(number) at \(time) \(zone)\(before): " + parts.joined(separator: "; ")
    }
}
