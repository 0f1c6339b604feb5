package import Analysis
import DNSWire
package import Samples
import Statistics

extension Notice {
    /// A few words that name the resolver, such as `meadow is unreachable`.
    package var title: String {
        switch reason {
        case .silence: "\(name) is unreachable"
        case .recovery: "\(name) responds again"
        case .change(let finding): "\(name) \(finding.change.kind.predicate)"
        case .end(let finding):
            "\(name) \(finding.change.measure == .cache ? "no longer has" : "is no longer") "
                + finding.change.kind.words
        case .withdrawal(let kind): "\(name): notice withdrawn: \(kind.words)"
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
        case .change(let finding), .end(let finding):
            return finding.sentence(clock: clock) + caveat
        case .withdrawal(let kind):
            return
                "\(name): the notice '\(kind.words) since \(clock.text(since))' is withdrawn, because "
                + "later hours do not support it."
        case .burn(let burn, let objective):
            let (long, short) = (began(burn.long), began(burn.short))
            return "\(name) uses up the error budget of \(objective) \(burn.rate.fixed(1)) times "
                + "as fast as it allows: late or failed were \(long)"
                + (short == long ? "." : ", and \(short).")
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
            case .change(let finding), .end(let finding): finding.unverified > 0
            case .withdrawal, .burn: false
            }
        return isUnverified ? " No certificate was verified." : ""
    }

    /// The sentence of the notice, and the sentence on the path.
    fileprivate func told(_ clock: LocalClock) -> String {
        text(clock) + (trace.map { " \($0.sentence)" } ?? "")
    }

    private var streak: ResponseStreak? {
        switch reason {
        case .silence(let streak, _), .recovery(let streak, _): streak
        case .change, .end, .withdrawal, .burn: nil
        }
    }

    private var finding: ChangeFinding? {
        switch reason {
        case .change(let finding), .end(let finding): finding
        case .silence, .recovery, .withdrawal, .burn: nil
        }
    }

    private var burn: (BudgetBurn, objective: ServiceObjective)? {
        if case .burn(let burn, let objective) = reason { (burn, objective) } else { nil }
    }

    private static let isOfResponses = "`kind` is `unreachable` or `recovered`"
    private static let isOfBudget = "`kind` is `budget-burning`"

    /// The cause of failed queries, or of a change.
    private static let cause = Field<Notice>(
        "cause",
        .either([.object(FailureCause.shape.form), .object(CauseFinding.shape.form)]),
        when:
            "`kind` is `unreachable` and the cause is known, or a change whose cause was looked for",
        "Cause of the failures, or of the change."
    ) { notice in
        guard case .silence(_, let outcomes) = notice.reason else {
            return notice.finding?.cause.map(CauseFinding.shape.members(of:))
        }
        return outcomes.flatMap(FailureReason.init)?.cause.map(FailureCause.shape.members(of:))
    }

    /// The figures that the notice rests on, by its kind.
    fileprivate static let figures = Shape<Notice>(
        "figures",
        [
            .count("rounds", when: isOfResponses, "Rounds in a row.") { $0.streak?.rounds },
            .count("queries", when: isOfResponses, "Queries of these rounds.") {
                $0.streak?.queries
            },
            .count("responses", when: isOfResponses, "Responses to these queries.") {
                $0.streak?.responses
            },
            Field(
                "unreachable_since",
                .moment,
                when: "`kind` is `recovered`",
                "Time since which it had been unreachable."
            ) { notice in
                guard case .recovery(_, let since) = notice.reason else { return nil }
                return .moment(since)
            },
        ]
            + ChangeFinding.figures.of(when: "`kind` is a change") { $0.finding }
            .map { $0.key == cause.key ? cause : $0 } + [
                .text("objective", when: isOfBudget, "The objective.") {
                    $0.burn?.objective.description
                },
                rate("burn_rate", "Speed at which the budget is used; 1 uses all of it in time.") {
                    $0.rate
                },
                rate("threshold", "Speed from which on a notice is sent.") { $0.rule.rate },
                .object("long", window, when: isOfBudget, "The longer window.") { notice in
                    notice.burn.map { ($0.0.long, $0.0.rule.long) }
                },
                .object("short", window, when: isOfBudget, "The shorter window.") { notice in
                    notice.burn.map { ($0.0.short, $0.0.rule.short) }
                },
            ]
    )

    private static func rate(
        _ key: String,
        _ meaning: String,
        _ value: @escaping @Sendable (BudgetBurn) -> Double
    ) -> Field<Notice> {
        Field(key, .number, when: isOfBudget, meaning) { notice in
            notice.burn.map { .rate(value($0.0)) }
        }
    }

    /// A window and its length in seconds.
    private static let window = Shape<(round: ObjectiveRound, length: Double)>(
        "window",
        [
            .number("window_s", .seconds, digits: 0...3, "Length of the window.") { $0.length },
            .moment("since", "Start of the window.") { Timestamp(nanoseconds: $0.round.start) },
            .count("queries", "Queries that count.") { $0.round.count.queries },
            .count("within", "Queries that were answered in time.") { $0.round.count.within },
        ]
    )
}

/// The notices of one round, as programs get them.
package struct NoticeDocument: Sendable {
    private let notices: [Notice]
    let vantage: String
    let now: Timestamp
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
    package var json: String { Self.shape.members(of: self).text() + "\n" }

    package static let shape = Shape<NoticeDocument>(
        "notice-document",
        DocumentHead.fields("dnstempo.notice/1", isRedactable: false) { $0.toolVersion } + [
            .text("vantage", "Name of the vantage point.") { $0.vantage },
            .moment("time", "Time of the document.") { $0.now },
            .text("text", "The notices for a reader, one per line.") {
                $0.texts.joined(separator: "\n")
            },
            .list("notices", member, "One entry per notice.") { document in
                document.notices.map { ($0, document) }
            },
        ]
    )

    private var texts: [String] { notices.map { $0.told(clock) } }

    private static let member = Shape<(notice: Notice, document: NoticeDocument)>(
        "notice",
        [
            .word("kind", "Kind of notice.") { $0.notice.kind },
            .text("resolver", "Label of the resolver.") { $0.notice.target.label },
            .text("endpoint", "Endpoint of the resolver.") { $0.notice.target.endpoint },
            .text("transport", "Transport.") { $0.notice.target.transport.description },
            .word("series", "Series of the queries.") { $0.notice.target.series },
            .text("vantage", "Name of the vantage point.") { $0.document.vantage },
            .moment("since", "Time since which it holds.") { $0.notice.since },
            .text("text", "The notice for a reader.") { $0.notice.told($0.document.clock) },
            .object("figures", Notice.figures, "Figures that the notice rests on.") { $0.notice },
            .object("trace", KeptTrace.shape, when: "the path was traced", "Path to the resolver.")
            {
                $0.notice.trace
            },
        ]
    )

    /// The name of this program, and the title of a single notice or the number of notices.
    package var title: String { "dnstempo: \(plainTitle)" }

    /// The title of a single notice, or the number of notices.
    var plainTitle: String {
        guard let only = notices.first, notices.count == 1 else {
            return "\(notices.count) notices"
        }
        return EscapedText.terminal(only.title)
    }

    /// The sentences, one per line, escaped for desktops with markup.
    package var body: String {
        texts.map(EscapedText.desktop).joined(separator: "\n")
    }

    /// The same for desktops without markup.
    package var plainBody: String {
        texts.map(EscapedText.terminal).joined(separator: "\n")
    }
}
