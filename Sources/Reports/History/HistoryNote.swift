import Analysis
import Samples

/// What a reader of a window should know: what is not in the figures, and what hours mean.
package struct HistoryNote: Hashable, Sendable {
    /// What programs know it by; never changes.
    package var code: String
    /// One sentence or two, harmless for a terminal.
    package var text: String

    /// The most spans that are named; of more the number is told.
    private static let mostNamed = 5

    /// All that holds of `log`, of who answered and of the clock in the window.
    static func all(
        log: RoundLog,
        context: WindowContext,
        hasSums: Bool,
        verification: Verification
    ) -> [HistoryNote] {
        let (window, clock) = (context.window, context.clock)
        let places = log.vantages.count > 1
        func list(_ spans: [RoundLog.Span]) -> String {
            let named = spans.prefix(mostNamed).map { text(of: $0, clock, withPlace: places) }
            let others = spans.count - named.count
            return named.joined(separator: ", ")
                + (others > 0 ? ", and \(others) more" : "")
        }
        func marked(_ marks: RoundMarks, _ code: String, _ what: String) -> [HistoryNote] {
            let spans = log.spans(marked: marks)
            guard !spans.isEmpty else { return [] }
            let rounds = spans.reduce(0) { $0 + $1.rounds }
            let left = rounds == 1 ? "is" : "are"
            return [
                HistoryNote(
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
                HistoryNote(
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
    ) -> [HistoryNote] {
        var notes: [HistoryNote] = []
        let odd = clock.oddDays(from: window.lowerBound, to: window.upperBound)
        if !odd.isEmpty {
            let days = odd.prefix(mostNamed).map { day in
                let hours = (Double(day.minutes) / 60).fixed(least: 0, most: 2)
                return "\(day.date) has \(hours) hours"
            }
            let others = odd.count - days.count
            notes.append(
                HistoryNote(
                    code: "clock-change",
                    text: "The clock changes: \(days.joined(separator: ", "))"
                        + (others > 0 ? ", and \(others) more." : ".")
                )
            )
        }
        if hasSums, clock.hasPartialHours(from: window.lowerBound, to: window.upperBound) {
            notes.append(
                HistoryNote(
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

/// What the JSON of every report over a window begins with, and what it ends with.
struct HistoryHead {
    var kind: String
    var context: WindowContext
    var provenance: Provenance
    var log: RoundLog
    var notes: [HistoryNote]

    /// The document with `members` of its own kind in the middle.
    func document(_ members: [JSONValue.Member]) -> JSONValue {
        let clock = context.clock
        let window = context.window
        let head: [(String, JSONValue)] = [
            ("schema", .string("dnstempo.report/1")),
            ("kind", .string(kind)),
            (
                "tool",
                ["name": .string("dnstempo"), "version": .string(context.toolVersion)]
            ),
            ("since", .string(window.lowerBound.description)),
            ("until", .string(window.upperBound.description)),
            ("zone", .string(clock.name(from: window.lowerBound, to: window.upperBound))),
        ]
        let rounds: [(String, JSONValue)] = [
            ("vantages", .array(log.vantages.map(JSONValue.string))),
            ("rounds", .integer(log.count)),
        ]
        let left: [(String, JSONValue)] = [
            ("offline", Self.spans(log.spans(marked: .offline))),
            ("outages", Self.spans(log.spans(marked: .outage))),
            ("suspended", Self.spans(log.spans(marked: .suspended))),
            ("gaps", Self.spans(log.gaps(until: context.gapsEnd))),
            (
                "notes",
                .array(notes.map { ["code": .string($0.code), "text": .string($0.text)] })
            ),
        ]
        func made(_ pairs: [(String, JSONValue)]) -> [JSONValue.Member] {
            pairs.map { JSONValue.Member(name: $0.0, value: $0.1) }
        }
        return .object(made(head) + provenance.members + made(rounds) + members + made(left))
    }

    private static func spans(_ spans: [RoundLog.Span]) -> JSONValue {
        .array(
            spans.map { span in
                [
                    "vantage": .string(span.vantage),
                    "since": .string(span.start.description),
                    "until": .string(span.end.description),
                    "rounds": .integer(span.rounds),
                ]
            }
        )
    }
}

extension Provenance {
    /// What was read for a report over a window, and from when on.
    func text(toolVersion: String) -> String {
        let tool = "dnstempo \(EscapedText.terminal(toolVersion))."
        switch (firstSample, firstSum) {
        case (nil, nil): return tool
        case (let sample?, nil): return "From samples since \(clock.text(sample)), \(tool)"
        case (nil, let sum?):
            return "From hourly sums since \(clock.text(sum)), quantiles within 1 %, \(tool)"
        case (let sample?, let sum?):
            return "From hourly sums since \(clock.text(sum)), quantiles within 1 %, and from "
                + "samples since \(clock.text(sample)), \(tool)"
        }
    }

    /// The two members that every report has.
    var members: [JSONValue.Member] {
        [
            .init(
                name: "samples_since",
                value: firstSample.map { .string($0.description) } ?? .null
            ),
            .init(
                name: "rollups_since",
                value: firstSum.map { .string($0.description) } ?? .null
            ),
        ]
    }
}

extension HistoryLimits {
    func notes(_ clock: LocalClock) -> [HistoryNote] {
        var notes: [HistoryNote] = []
        if let lost {
            notes.append(
                HistoryNote(
                    code: "pruned-edge",
                    text: "The samples of \(clock.text(lost.lowerBound)) to "
                        + "\(clock.text(lost.upperBound)) are no longer kept: what was measured "
                        + "then is left out."
                )
            )
        }
        if let samplesSince {
            notes.append(
                HistoryNote(
                    code: "pruned",
                    text: "Names are told by samples, which are kept since "
                        + "\(clock.text(samplesSince)): what was measured before is left out."
                )
            )
        }
        return notes
    }
}
