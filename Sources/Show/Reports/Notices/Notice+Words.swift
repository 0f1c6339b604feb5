package import Analysis
package import Samples
import Statistics

extension Notice {
    /// A few words that name the resolver, such as `meadow is unreachable`.
    package var title: String {
        switch reason {
        case .silence: "\(name) is unreachable"
        case .recovery: "\(name) responds again"
        case .change(let finding): "\(name) \(finding.change.kind.predicate)"
        case .burn: "\(name) uses up its error budget"
        }
    }

    /// The sentence, in the local time of `clock`.
    package func text(_ clock: LocalClock) -> String {
        func began(_ window: ObjectiveRound) -> String {
            "\(window.count.failures) of \(window.count.queries) queries since "
                + clock.text(Timestamp(nanoseconds: window.start))
        }
        switch reason {
        case .silence(let streak, let outcomes):
            let failure = outcomes.flatMap(FailureReason.init)
            let queries = "\(streak.queries) queries in \(streak.rounds) rounds"
            return "\(subject) has been unreachable since \(clock.text(since)): "
                + (failure == nil
                    ? "no response to \(queries), while others responded."
                    : "no answer to \(queries), while others answered.")
                + (failure.map { " It \($0.predicate): \($0.remedy)." } ?? "") + caveat
        case .recovery(_, let unreachableSince):
            return "\(subject) has responded again since \(clock.text(since)); it had been "
                + "unreachable for \(LatencyFormat.span(since.since(unreachableSince))).\(caveat)"
        case .change(let finding): return finding.sentence(clock: clock) + caveat
        case .burn(let burn, let objective):
            return "\(name) uses up the error budget of \(objective) \(burn.rate.fixed(1)) times "
                + "as fast as it allows: late or failed were \(began(burn.long)), and "
                + "\(began(burn.short))."
        }
    }

    /// The name with the endpoint.
    private var subject: String {
        name.contains(target.endpoint) ? name : "\(name) (\(target.endpoint))"
    }

    private var caveat: String {
        let isUnverified =
            switch reason {
            case .silence(let streak, _), .recovery(let streak, _): streak.isUnverified
            case .change(let finding): finding.unverified > 0
            case .burn: false
            }
        return isUnverified ? " No certificate was verified." : ""
    }

    /// The sentence, and that on the way.
    fileprivate func told(_ clock: LocalClock) -> String {
        text(clock) + (trace.map { " \($0.sentence)" } ?? "")
    }

    fileprivate var figures: JSONValue {
        switch reason {
        case .silence(let streak, let outcomes):
            let cause = outcomes.flatMap(FailureReason.init)?.cause
            return streak.json + (cause.map { ["cause": $0.json] } ?? [:])
        case .recovery(let streak, let unreachableSince):
            return streak.json + ["unreachable_since": .moment(unreachableSince)]
        case .change(let finding): return finding.figures
        case .burn(let burn, let objective):
            return [
                "objective": .string(objective.description),
                "burn_rate": .rate(burn.rate),
                "threshold": .rate(burn.rule.rate),
                "long": burn.long.json(of: burn.rule.long),
                "short": burn.short.json(of: burn.rule.short),
            ]
        }
    }
}

extension ResponseStreak {
    fileprivate var json: JSONValue {
        [
            "rounds": .integer(rounds), "queries": .integer(queries),
            "responses": .integer(responses),
        ]
    }
}

extension ObjectiveRound {
    /// Of a window of so many seconds.
    fileprivate func json(of length: Double) -> JSONValue {
        [
            "window_s": .number(length, least: 0, most: 3),
            "since": .moment(Timestamp(nanoseconds: start)),
            "queries": .integer(count.queries),
            "within": .integer(count.within),
        ]
    }
}

/// The notices of one round as they are handed on.
package struct NoticeDocument: Sendable {
    private let notices: [Notice]
    private let vantage: String
    private let now: Timestamp
    private let clock: LocalClock
    private let toolVersion: String

    /// Its sentences have the local time of `clock`.
    package init(
        _ notices: [Notice],
        vantage: String,
        now: Timestamp,
        clock: LocalClock,
        toolVersion: String
    ) {
        self.notices = notices
        self.vantage = vantage
        self.now = now
        self.clock = clock
        self.toolVersion = toolVersion
    }

    /// `dnstempo.notice/1`, with a line break at its end.
    package var json: String {
        let value: JSONValue = [
            "schema": .string("dnstempo.notice/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(toolVersion)],
            "vantage": .string(vantage),
            "time": .string(now.description),
            "text": .string(texts.joined(separator: "\n")),
            "notices": .array(notices.map(member)),
        ]
        return value.text() + "\n"
    }

    private var texts: [String] { notices.map { $0.told(clock) } }

    private func member(_ notice: Notice) -> JSONValue {
        [
            "kind": .string(notice.kind.rawValue),
            "resolver": .string(notice.target.label),
            "endpoint": .string(notice.target.endpoint),
            "transport": .string(notice.target.transport.description),
            "series": .string(notice.target.series.description),
            "vantage": .string(vantage),
            "since": .string(notice.since.description),
            "text": .string(notice.told(clock)),
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
        texts.map(EscapedText.desktop).joined(separator: "\n")
    }

    /// The same where markup is none.
    package var plainBody: String {
        texts.map(EscapedText.terminal).joined(separator: "\n")
    }
}
