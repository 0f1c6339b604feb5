import Analysis
import Catalogue
package import Samples
import Statistics

/// Rules on what is worth a notice: rounds, changes and what was sent before in, notices out.
///
/// Notices that are held back for having been sent within ``pause`` are told later if they still
/// hold.
package struct NoticeRules: Sendable {
    /// So many successive rounds make a resolver unreachable, or reachable again: one lost round is
    /// a burst of losses, and a third would cost another interval.
    package static let rounds = 2
    /// So many queries without a response make a resolver unreachable: where one in thirty is lost,
    /// two in a row come every few days, and four once in a million.
    package static let queries = 4
    /// Least time between two notices of one kind for one resolver.
    package static let pause = Duration.seconds(3600)
    /// Hours after which what became known is no news, unless nobody looked since.
    static let newsHours = 24
    private static let unverified = " No certificate was verified."

    private let past: [SentNotice]
    private let now: Timestamp
    let clock: LocalClock

    /// `past` in the order of sending: of each resolver and kind at least the last one, and each
    /// change that was delivered.
    package init(past: [SentNotice], now: Timestamp, clock: LocalClock) {
        self.past = past
        self.now = now
        self.clock = clock
    }

    /// Resolvers that became unreachable with the last of `rounds`, which are in their order, or
    /// recovered.
    ///
    /// A round tells of a resolver that did not respond only where another did that is at least as
    /// far away: else it may have been the connection. Rounds with marks tell nothing. `outcomes` are
    /// those of recent queries, which have the causes of failures.
    package func reachability(
        _ rounds: [RoundResponses],
        outcomes: [Recording.Target: OutcomeCounts] = [:]
    ) -> [Notice] {
        guard let last = rounds.last, last.marks.isEmpty else { return [] }
        let names = last.resolvers.map(\.target).names
        return zip(last.resolvers, names).compactMap { resolver, name in
            guard Self.finding(of: resolver.target, in: last) != nil else { return nil }
            let streak = Streak(of: resolver.target, in: rounds)
            guard streak.rounds >= Self.rounds,
                !streak.isSilent || streak.queries >= Self.queries
            else { return nil }
            let reason = outcomes[resolver.target].flatMap(FailureReason.init)
            return notice(of: resolver.target, named: name, streak, reason)
        }
    }

    private func notice(
        of target: Recording.Target,
        named name: String,
        _ streak: Streak,
        _ reason: FailureReason?
    ) -> Notice? {
        let told = past.last {
            $0.target == target && $0.isDelivered
                && Notice.Kind(rawValue: $0.kind)?.isOfReachability == true
        }
        let isUnreachable = told?.kind == Notice.Kind.unreachable.rawValue
        guard streak.isSilent != isUnreachable else { return nil }
        let kind = streak.isSilent ? Notice.Kind.unreachable : .recovered
        guard mayTell(kind, of: target) else { return nil }
        let subject = name.contains(target.endpoint) ? name : "\(name) (\(target.endpoint))"
        let text: String
        var figures: JSONValue = [
            "rounds": .integer(streak.rounds),
            "queries": .integer(streak.queries),
            "responses": .integer(streak.responses),
        ]
        if let told, kind == .recovered {
            text =
                "\(subject) has responded again since \(clock.text(streak.since)); it had been "
                + "unreachable for \(LatencyFormat.span(streak.since.since(told.since)))."
            figures = figures + ["unreachable_since": .moment(told.since)]
        } else {
            let queries = "\(streak.queries) queries in \(streak.rounds) rounds"
            text =
                "\(subject) has been unreachable since \(clock.text(streak.since)): "
                + (reason == nil
                    ? "no response to \(queries), while others responded."
                    : "no answer to \(queries), while others answered.")
                + (reason.map { " It \($0.predicate): \($0.remedy)." } ?? "")
            if let cause = reason?.cause { figures = figures + ["cause": cause.json] }
        }
        return Notice(
            kind: kind,
            target: target,
            since: streak.since,
            title: kind == .recovered ? "\(name) responds again" : "\(name) is unreachable",
            text: text + (streak.isUnverified ? Self.unverified : ""),
            figures: figures
        )
    }

    /// Whether a resolver responded in a round; `nil` where that does not tell.
    fileprivate static func finding(
        of target: Recording.Target,
        in round: RoundResponses
    ) -> RoundResponses.Resolver? {
        guard round.marks.isEmpty,
            let resolver = round.resolvers.first(where: { $0.target == target }), resolver.sent > 0
        else { return nil }
        let distance = EndpointDistance(target.address)
        let isTold =
            resolver.responses > 0
            || round.resolvers.contains {
                $0.responses > 0 && EndpointDistance($0.target.address) >= distance
            }
        return isTold ? resolver : nil
    }

    /// Changes of a `report` that were established since `judged`, up to which was looked before.
    package func changes(in report: ChangesReport, judged: Timestamp?) -> [Notice] {
        let last = report.context.window.upperBound.hoursSinceEpoch
        let first = min(judged?.hoursSinceEpoch ?? last, last - Self.newsHours)
        var notices: [Notice] = []
        for finding in report.findings where finding.change.establishedHour >= first {
            guard let kind = Notice.Kind(rawValue: finding.change.kind.rawValue) else { continue }
            let isTwice = notices.contains { $0.kind == kind && $0.target == finding.target }
            guard !isTwice, !isTold(finding), mayTell(kind, of: finding.target) else { continue }
            notices.append(
                Notice(
                    kind: kind,
                    target: finding.target,
                    since: Timestamp(hoursSinceEpoch: finding.change.hour),
                    title: "\(finding.name) \(finding.change.kind.predicate)",
                    text: finding.sentence(clock: clock)
                        + (finding.unverified > 0 ? Self.unverified : ""),
                    figures: finding.figures
                )
            )
        }
        return notices
    }

    private func isTold(_ finding: ChangesReport.Finding) -> Bool {
        past.contains { notice in
            notice.isDelivered && notice.target == finding.target
                && notice.kind == finding.change.kind.rawValue
                && abs(notice.since.hoursSinceEpoch - finding.change.hour)
                    <= ChangeDetector.sameChangeHours
        }
    }

    /// Whether the last one of its kind is old enough; one from the future, of a clock that was
    /// put back, is.
    func mayTell(
        _ kind: Notice.Kind,
        of target: Recording.Target,
        pause: Duration = Self.pause
    ) -> Bool {
        !past.contains { notice in
            notice.kind == kind.rawValue && notice.target == target && notice.sent <= now
                && now.since(notice.sent) < pause
        }
    }
}

/// The last rounds that tell the same of a resolver.
private struct Streak {
    private(set) var rounds = 0
    private(set) var queries = 0
    private(set) var responses = 0
    private(set) var isUnverified = false
    private(set) var since = Timestamp(nanoseconds: 0)

    var isSilent: Bool { responses == 0 }

    init(of target: Recording.Target, in history: [RoundResponses]) {
        for round in history.reversed() {
            guard let finding = NoticeRules.finding(of: target, in: round) else { continue }
            guard rounds == 0 || (finding.responses == 0) == isSilent else { return }
            rounds += 1
            queries += finding.sent
            responses += finding.responses
            isUnverified = isUnverified || finding.isUnverified
            since = round.started
        }
    }
}

/// How far a query to an endpoint goes: an answer from nearby does not tell that the connection
/// to what lies further away works.
enum EndpointDistance: Comparable {
    /// To this machine.
    case machine
    /// To the network that it is in, or to its provider's.
    case network
    case internet

    /// Distance to an address: none is far, and so is one that no server has.
    init(_ address: IPAddress?) {
        switch address?.scope {
        case .machine: self = .machine
        case .link, .site: self = .network
        case .internet, nil: self = .internet
        }
    }
}
