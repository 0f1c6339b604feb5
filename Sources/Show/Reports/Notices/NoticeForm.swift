package import Analysis
import Catalogue
package import Samples
import Statistics

/// The form in which a web service gets a notice.
package enum NoticeForm: String, Hashable, Sendable, CaseIterable {
    /// `dnstempo.notice/1` with one notice.
    case json
    /// A message of a Slack webhook.
    case slack
    /// A message of a Discord webhook.
    case discord
    /// A message for a topic of ntfy, as JSON.
    case ntfy
    /// An alert for Alertmanager's interface, version 2.
    case alertmanager

    /// The URL to which notices are posted. `nil` if `url` is of no such service.
    package func target(of url: String) -> String? {
        switch self {
        case .json, .slack, .discord: return url
        case .ntfy: return Self.topic(of: url)?.base
        case .alertmanager:
            let path = "/api/v2/alerts"
            let base = url.hasSuffix("/") ? String(url.dropLast()) : url
            return base.hasSuffix(path) ? base : base + path
        }
    }

    /// The topic of ntfy, which is the last part of its URL.
    private static func topic(of url: String) -> (base: String, name: String)? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        // A URL with a topic has a scheme, an empty part, a host and the topic.
        guard parts.count >= 4, let name = parts.last, (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isAlphanumeric || "-_".utf8.contains($0) })
        else { return nil }
        return (parts.dropLast().joined(separator: "/") + "/", String(name))
    }
}

/// A notice for web services.
package struct NoticeMessage: Sendable {
    private let notice: Notice
    private let document: NoticeDocument

    /// Its sentences have the local time of `clock`.
    package init(
        _ notice: Notice,
        vantage: String,
        now: Timestamp,
        clock: LocalClock,
        toolVersion: String
    ) {
        self.notice = notice
        document = NoticeDocument(
            [notice],
            vantage: vantage,
            now: now,
            clock: clock,
            toolVersion: toolVersion
        )
    }

    /// The identity of the event: two messages about one event have the same text.
    package var event: String {
        let target = notice.target
        return [
            document.vantage, notice.kind.rawValue, target.label, target.transport.description,
            target.endpoint, "\(target.series)", "\(notice.since.nanoseconds)",
        ].joined(separator: "\n")
    }

    /// The body of a request to the service at `url`, with the title and the sentences.
    package func body(_ form: NoticeForm, for url: String) -> String {
        switch form {
        case .json: document.json
        case .slack: slack.line
        case .discord: discord.line
        case .ntfy: ntfy(url).line
        case .alertmanager: JSONValue.array([alert]).line
        }
    }

    /// Slack reads `<`, `>` and `&` as markup, which includes mentions.
    private var slack: JSONValue {
        ["text": .string("*\(EscapedText.desktop(document.plainTitle))*\n\(document.body)")]
    }

    private var discord: JSONValue {
        let title = EscapedText.markdown(document.plainTitle)
        let text = document.plainBody.split(separator: "\n").map {
            EscapedText.markdown(String($0))
        }
        let content = "**\(title)**\n\(text.joined(separator: "\n"))"
        return [
            // The service accepts no longer text.
            "content": .string(content.cut(toCharacters: 2000)),
            "allowed_mentions": ["parse": .array([])],
        ]
    }

    private func ntfy(_ url: String) -> JSONValue {
        [
            "topic": .string(String(url.split(separator: "/").last ?? "")),
            "title": .string(document.plainTitle),
            "message": .string(document.plainBody),
            "priority": .integer(isUrgent ? 4 : 3),
            "tags": .array([.string(isGood ? "white_check_mark" : "warning")]),
        ]
    }

    /// The time until which Alertmanager keeps an alert of a state that lasts. It is long, because each event
    /// is sent once.
    private static let longestAlert = Duration.seconds(7 * 24 * 3600)
    /// The shortest time between two notices of a budget.
    private static let budgetPause = Duration.seconds(6 * 3600)

    private var alert: JSONValue {
        let (kind, start, end) = state
        let target = notice.target
        return [
            "labels": [
                "alertname": .string("DNSResolver" + kind.words),
                "resolver": .string(EscapedText.terminal(target.label)),
                "endpoint": .string(target.endpoint),
                "transport": .string(target.transport.description),
                "series": .string("\(target.series)"),
                "vantage": .string(EscapedText.terminal(document.vantage)),
                "severity": .string(isUrgent ? "critical" : "warning"),
            ],
            "annotations": [
                "summary": .string(document.plainTitle), "description": .string(document.plainBody),
            ],
            "startsAt": .moment(start),
            "endsAt": .moment(end),
        ]
    }

    /// The state that the notice begins or ends, with its start and its end.
    private var state: (kind: Notice.Kind, start: Timestamp, end: Timestamp) {
        let lasting = document.now.advanced(by: Self.longestAlert)
        switch notice.reason {
        case .silence: return (notice.kind, notice.since, lasting)
        case .recovery(_, let start): return (.unreachable, start, notice.since)
        case .change(let finding): return (notice.kind, notice.since, finding.end ?? lasting)
        case .end(let finding):
            let kind = Notice.Kind(rawValue: finding.change.kind.rawValue) ?? notice.kind
            return (kind, finding.since, notice.since)
        case .withdrawal(let change):
            let kind = Notice.Kind(rawValue: change.rawValue) ?? notice.kind
            return (kind, notice.since, document.now)
        case .burn: return (notice.kind, notice.since, document.now.advanced(by: Self.budgetPause))
        }
    }

    /// Whether the state that the notice begins or ends is an emergency.
    private var isUrgent: Bool {
        let kind = state.kind
        return kind == .unreachable || kind == .budgetBurning
    }

    /// Whether the notice is good news.
    private var isGood: Bool {
        switch notice.kind {
        case .recovered, .faster, .fasterTail, .moreReliable, .moreCached, .withdrawn: true
        case .unreachable, .slower, .slowerTail, .lessReliable, .lessCached, .budgetBurning: false
        }
    }
}

extension Notice.Kind {
    /// The words without spaces, as names of alerts: `BudgetBurning`.
    fileprivate var words: String {
        rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
