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

    private let past: [SentNotice]
    private let now: Timestamp

    /// `past` in the order of sending: of each resolver and kind at least the last one, and each
    /// change that was delivered.
    package init(past: [SentNotice], now: Timestamp) {
        self.past = past
        self.now = now
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
            guard last.finding(of: resolver.target) != nil else { return nil }
            let streak = ResponseStreak(of: resolver.target, in: rounds)
            guard streak.rounds >= Self.rounds,
                !streak.isSilent || streak.queries >= Self.queries
            else { return nil }
            return notice(
                of: resolver.target,
                named: name,
                streak,
                outcomes[resolver.target]
            )
        }
    }

    private func notice(
        of target: Recording.Target,
        named name: String,
        _ streak: ResponseStreak,
        _ outcomes: OutcomeCounts?
    ) -> Notice? {
        let told = past.last {
            $0.target == target && $0.isDelivered
                && Notice.Kind(rawValue: $0.kind)?.isOfReachability == true
        }
        let outage = told?.kind == Notice.Kind.unreachable.rawValue ? told : nil
        guard streak.isSilent == (outage == nil) else { return nil }
        let kind = streak.isSilent ? Notice.Kind.unreachable : .recovered
        guard mayTell(kind, of: target) else { return nil }
        return Notice(
            kind: kind,
            target: target,
            name: name,
            since: streak.since,
            reason: outage.map { .recovery(streak, unreachableSince: $0.since) }
                ?? .silence(streak, outcomes)
        )
    }

    /// Those of `changes` that were established since `judged`, up to which was looked before.
    package func changes(in changes: Changes, judged: Timestamp?) -> [Notice] {
        let last = changes.window.upperBound.hoursSinceEpoch
        let first = min(judged?.hoursSinceEpoch ?? last, last - Self.newsHours)
        var notices: [Notice] = []
        for finding in changes.findings where finding.change.establishedHour >= first {
            guard let kind = Notice.Kind(rawValue: finding.change.kind.rawValue) else { continue }
            let isTwice = notices.contains { $0.kind == kind && $0.target == finding.target }
            guard !isTwice, !isTold(finding), mayTell(kind, of: finding.target) else { continue }
            notices.append(
                Notice(
                    kind: kind,
                    target: finding.target,
                    name: finding.name,
                    since: finding.since,
                    reason: .change(finding)
                )
            )
        }
        return notices
    }

    private func isTold(_ finding: ChangeFinding) -> Bool {
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
