import Analysis
import Samples

extension Warning {
    /// The most spans that are named; of more the number is told.
    private static let mostNamed = 5

    /// All that holds of `log`, of who answered and of the clock in the window.
    static func all(
        log: RoundLog,
        context: WindowContext,
        hasSums: Bool,
        verification: Verification
    ) -> [Warning] {
        let (window, clock) = (context.window, context.clock)
        let places = log.vantages.count > 1
        func list(_ spans: [RoundLog.Span]) -> String {
            let named = spans.prefix(mostNamed).map { text(of: $0, clock, withPlace: places) }
            let others = spans.count - named.count
            return named.joined(separator: ", ")
                + (others > 0 ? ", and \(others) more" : "")
        }
        func marked(_ marks: RoundMarks, _ code: String, _ what: String) -> [Warning] {
            let spans = log.spans(marked: marks)
            guard !spans.isEmpty else { return [] }
            let rounds = spans.reduce(0) { $0 + $1.rounds }
            let left = rounds == 1 ? "is" : "are"
            return [
                Warning(
                    code: code,
                    text: "\(rounds.of("round", "rounds")) \(what) and \(left) left out: "
                        + "\(list(spans))."
                )
            ]
        }
        let gaps = log.gaps(until: context.gapsEnd)
        let missed = gaps.reduce(0) { $0 + $1.rounds }
        var notes =
            verification.notes
            + marked(.offline, "offline-rounds", "had no route to any resolver")
            + marked(.outage, "outages", "had no answer from any resolver")
            + marked(.suspended, "suspended", "fell into a suspension of the machine")
        if !gaps.isEmpty {
            notes.append(
                Warning(
                    code: "gaps",
                    text: "Not measured, about \(missed.of("round", "rounds")): \(list(gaps))."
                )
            )
        }
        notes += context.limits.notes(clock)
        // Of decades before the first round nobody wants to know.
        guard let measured = log.measured(within: window) ?? (hasSums ? window : nil) else {
            return notes
        }
        return notes + clockNotes(window: measured, clock: clock, hasSums: hasSums)
    }

    private static func clockNotes(
        window: Range<Timestamp>,
        clock: LocalClock,
        hasSums: Bool
    ) -> [Warning] {
        var notes: [Warning] = []
        let odd = clock.oddDays(from: window.lowerBound, to: window.upperBound)
        if !odd.isEmpty {
            let days = odd.prefix(mostNamed).map { day in
                let hours = (Double(day.minutes) / 60).fixed(least: 0, most: 2)
                return "\(day.date) has \(hours) hours"
            }
            let others = odd.count - days.count
            notes.append(
                Warning(
                    code: "clock-change",
                    text: "The clock changes: \(days.joined(separator: ", "))"
                        + (others > 0 ? ", and \(others) more." : ".")
                )
            )
        }
        if hasSums, clock.hasPartialHours(from: window.lowerBound, to: window.upperBound) {
            notes.append(
                Warning(
                    code: "partial-hours",
                    text:
                        "Hourly sums are of UTC hours, each of which has parts of two hours on this "
                        + "clock and counts for the first: use --exact where samples are kept."
                )
            )
        }
        return notes
    }

    private static func text(
        of span: RoundLog.Span,
        _ clock: LocalClock,
        withPlace: Bool
    ) -> String {
        let start = clock.text(span.start)
        let end = clock.text(span.end)
        let isShort = start == end
        // The day is said once where both are of one.
        let last = start.prefix(10) == end.prefix(10) ? String(end.suffix(5)) : end
        let place = withPlace ? " (\(EscapedText.terminal(span.vantage)))" : ""
        return (isShort ? start : "\(start) to \(last)") + place
    }
}

extension HistoryLimits {
    func notes(_ clock: LocalClock) -> [Warning] {
        var notes: [Warning] = []
        if let lost {
            notes.append(
                Warning(
                    code: "pruned-edge",
                    text: "The samples of \(clock.text(lost.lowerBound)) to "
                        + "\(clock.text(lost.upperBound)) are no longer kept: what was measured "
                        + "then is left out."
                )
            )
        }
        if let samplesSince {
            notes.append(
                Warning(
                    code: "pruned",
                    text: "Names are told by samples, which are kept since "
                        + "\(clock.text(samplesSince)): what was measured before is left out."
                )
            )
        }
        return notes
    }
}
