package import Samples

/// News of a resolver that somebody wants to be told without having asked.
package struct Notice: Hashable, Sendable {
    /// Event; its name is for programs and never changes.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case unreachable, recovered, slower, faster
        case slowerTail = "slower-tail"
        case fasterTail = "faster-tail"
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"
        case lessCached = "less-cached"
        case moreCached = "more-cached"
        case budgetBurning = "budget-burning"

        /// Whether it is about responding at all; else it is a change of level.
        var isOfReachability: Bool { self == .unreachable || self == .recovered }
    }

    package let kind: Kind
    package let target: Recording.Target
    package let since: Timestamp
    /// A few words that name the resolver, such as `meadow is unreachable`.
    package let title: String
    /// The sentence, in the reader's local time.
    package let text: String
    let figures: JSONValue
    /// The way to the resolver, where it was traced for this.
    package var trace: KeptTrace?

    /// The sentence, and that on the way.
    fileprivate var told: String { text + (trace.map { " \($0.sentence)" } ?? "") }
}

/// The notices of one round as they are handed on.
package struct NoticeDocument: Sendable {
    private let notices: [Notice]
    private let vantage: String
    private let now: Timestamp
    private let toolVersion: String

    package init(_ notices: [Notice], vantage: String, now: Timestamp, toolVersion: String) {
        self.notices = notices
        self.vantage = vantage
        self.now = now
        self.toolVersion = toolVersion
    }

    /// `dnstempo.notice/1`, with a line break at its end.
    package var json: String {
        let value: JSONValue = [
            "schema": .string("dnstempo.notice/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(toolVersion)],
            "vantage": .string(vantage),
            "time": .string(now.description),
            "text": .string(notices.map(\.told).joined(separator: "\n")),
            "notices": .array(notices.map(member)),
        ]
        return value.text() + "\n"
    }

    private func member(_ notice: Notice) -> JSONValue {
        [
            "kind": .string(notice.kind.rawValue),
            "resolver": .string(notice.target.label),
            "endpoint": .string(notice.target.endpoint),
            "transport": .string(notice.target.transport.description),
            "series": .string(notice.target.series.description),
            "vantage": .string(vantage),
            "since": .string(notice.since.description),
            "text": .string(notice.told),
            "figures": notice.figures,
        ] + (notice.trace.map { ["trace": $0.json] } ?? [:])
    }

    /// Title of the one notice, or how many there are.
    package var title: String {
        guard let only = notices.first, notices.count == 1 else {
            return "dnstempo: \(notices.count) notices"
        }
        return "dnstempo: \(EscapedText.terminal(only.title))"
    }

    /// The sentences, a line each, with nothing in them that a desktop takes for markup.
    package var body: String {
        notices.map { EscapedText.desktop($0.told) }.joined(separator: "\n")
    }

    /// The same where markup is none.
    package var plainBody: String {
        notices.map { EscapedText.terminal($0.told) }.joined(separator: "\n")
    }
}
