import Samples

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
