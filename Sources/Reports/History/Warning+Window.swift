import Analysis
import Samples

extension Warning {
    /// The most spans or days that are named; of more the number is told.
    private static let mostNamed = 5

    private static func list(_ texts: [String]) -> String {
        let named = texts.prefix(mostNamed)
        let others = texts.count - named.count
        return named.joined(separator: ", ") + (others > 0 ? ", and \(others) more." : ".")
    }

    /// All that holds of the rounds behind figures, of who answered and of the clock in the window.
    static func all(
        _ provenance: Provenance,
        _ verification: Verification,
        _ context: WindowContext
    ) -> [Warning] {
        let (log, clock, hasSums) = (provenance.log, context.clock, provenance.hasSums)
        let places = log.vantages.count > 1
        func warning(_ code: String, _ spans: [RoundLog.Span], _ what: (Int) -> String) -> Warning?
        {
            guard !spans.isEmpty else { return nil }
            let list = list(spans.map { $0.text(clock, withPlace: places) })
            return Warning(code: code, text: "\(what(spans.reduce(0) { $0 + $1.rounds })): \(list)")
        }
        func marked(_ marks: RoundMarks, _ code: String, _ what: String) -> Warning? {
            warning(code, log.spans(marked: marks)) { rounds in
                let left = rounds == 1 ? "is" : "are"
                return "\(rounds.of("round", "rounds")) \(what) and \(left) left out"
            }
        }
        let notes =
            verification.notes
            + [
                marked(.offline, "offline-rounds", "had no route to any resolver"),
                marked(.outage, "outages", "had no answer from any resolver"),
                marked(.suspended, "suspended", "fell into a suspension of the machine"),
                warning("gaps", log.gaps(until: context.gapsEnd)) { rounds in
                    "Not measured, about \(rounds.of("round", "rounds"))"
                },
            ]
            .compactMap(\.self) + context.limits.notes(clock)
        // Of decades before the first round nobody wants to know.
        guard
            let measured = log.measured(within: context.window) ?? (hasSums ? context.window : nil)
        else { return notes }
        return notes
            + clockNotes(from: measured.lowerBound, to: measured.upperBound, clock, hasSums)
    }

    private static func clockNotes(
        from start: Timestamp,
        to end: Timestamp,
        _ clock: LocalClock,
        _ hasSums: Bool
    ) -> [Warning] {
        var notes: [Warning] = []
        let odd = clock.oddDays(from: start, to: end).map(\.text)
        if !odd.isEmpty {
            notes.append(Warning(code: "clock-change", text: "The clock changes: \(list(odd))"))
        }
        if hasSums, clock.hasPartialHours(from: start, to: end) {
            let text =
                "Hourly sums are of UTC hours, each of which has parts of two hours on this "
                + "clock and counts for the first: use --exact where samples are kept."
            notes.append(Warning(code: "partial-hours", text: text))
        }
        return notes
    }
}

extension RoundLog.Span {
    fileprivate func text(_ clock: LocalClock, withPlace: Bool) -> String {
        let (first, last) = (clock.text(start), clock.text(end))
        // The day is said once where both are of one.
        let rest = first.prefix(10) == last.prefix(10) ? String(last.suffix(5)) : last
        let place = withPlace ? " (\(EscapedText.terminal(vantage)))" : ""
        return (first == last ? first : "\(first) to \(rest)") + place
    }
}

extension HistoryLimits {
    fileprivate func notes(_ clock: LocalClock) -> [Warning] {
        let edge = lost.map { lost in
            Warning(
                code: "pruned-edge",
                text: "The samples of \(clock.text(lost.lowerBound)) to "
                    + "\(clock.text(lost.upperBound)) are no longer kept: what was measured "
                    + "then is left out."
            )
        }
        let start = samplesSince.map { start in
            Warning(
                code: "pruned",
                text: "Names are told by samples, which are kept since "
                    + "\(clock.text(start)): what was measured before is left out."
            )
        }
        return [edge, start].compactMap(\.self)
    }
}
