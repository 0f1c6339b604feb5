package import Samples
import Statistics

/// The rules that decide which events cause a notice. They take rounds, changes and earlier notices, and
/// return new notices.
///
/// A notice that is held back because of ``pause`` is sent later if its condition still holds.
package struct NoticeRules: Sendable {
    /// The number of successive rounds that make a resolver unreachable, or reachable again. A single lost
    /// round may be a burst of losses. A third round would cost another interval.
    package static let rounds = 2
    /// The number of queries without a response that make a resolver unreachable. If one query in thirty is
    /// lost, two in a row occur every few days, and four once in a million.
    package static let queries = 4
    /// The minimum time between two notices of one kind for one resolver.
    package static let pause = Duration.seconds(3600)
    /// The number of hours after which a finding is old, unless no check was made since.
    static let newsHours = 24

    private let past: [SentNotice]
    private let now: Timestamp

    /// Creates the rules. `past` is in the order of sending. It contains at least the last notice of each
    /// resolver and kind, and each delivered change.
    package init(past: [SentNotice], now: Timestamp) {
        self.past = past
        self.now = now
    }

    /// Returns notices about resolvers that became unreachable, or recovered, with the last of `rounds`,
    /// which are in order.
    ///
    /// A round counts for a silent resolver only if another resolver, at least as far away, responded.
    /// Otherwise the user's connection may have failed. Rounds with marks are ignored. `outcomes` are those
    /// of recent queries, which show the causes of failures.
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

    /// Returns notices about changes that were established since `judged`, the time of the last check.
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
        return notices + ends(in: changes) + withdrawals(in: changes)
    }

    /// Returns notices that changes ended whose beginning was reported. They have the opposite kind.
    private func ends(in changes: Changes) -> [Notice] {
        changes.findings.compactMap { finding in
            guard finding.change.isOver, let end = finding.end, isTold(finding),
                let kind = Notice.Kind(rawValue: finding.change.kind.opposite.rawValue),
                mayTell(kind, of: finding.target),
                !isTold(kind, of: finding.target, since: end)
            else { return nil }
            return Notice(
                kind: kind,
                target: finding.target,
                name: finding.name,
                since: end,
                reason: .end(finding)
            )
        }
    }

    /// Returns notices that withdraw reported changes. Later hours can show that a change is smaller than the
    /// dead band, or that it returns every week.
    private func withdrawals(in changes: Changes) -> [Notice] {
        let first = changes.window.lowerBound.advanced(by: .seconds(3600 * LevelChange.sameHours))
        return past.compactMap { notice in
            guard notice.isDelivered, notice.since >= first, notice.sent <= now,
                let kind = LevelChange.Kind(rawValue: notice.kind),
                let name = changes.judgedNames[notice.target],
                !changes.findings.contains(where: { $0.isReported(by: notice) }),
                !isTold(.withdrawn, of: notice.target, since: notice.since)
            else { return nil }
            return Notice(
                kind: .withdrawn,
                target: notice.target,
                name: name,
                since: notice.since,
                reason: .withdrawal(kind)
            )
        }
    }

    private func isTold(_ finding: ChangeFinding) -> Bool {
        past.contains {
            $0.isDelivered && $0.kind == finding.change.kind.rawValue && finding.isReported(by: $0)
        }
    }

    private func isTold(
        _ kind: Notice.Kind,
        of target: Recording.Target,
        since moment: Timestamp
    ) -> Bool {
        past.contains { notice in
            notice.isDelivered && notice.target == target && notice.kind == kind.rawValue
                && abs(notice.since.hoursSinceEpoch - moment.hoursSinceEpoch)
                    <= LevelChange.sameHours
        }
    }

    /// Returns whether the last notice of this kind is old enough. A notice with a future time, after the
    /// clock was set back, counts as old enough.
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

extension ChangeFinding {
    /// Whether a notice reported this change, or its end. A step that became a drift has an earlier start, but
    /// the notice is of a time within it.
    fileprivate func isReported(by notice: SentNotice) -> Bool {
        guard notice.target == target else { return false }
        let hour = notice.since.hoursSinceEpoch
        if notice.kind == change.kind.rawValue {
            let last = (change.end ?? .max - LevelChange.sameHours) + LevelChange.sameHours
            return (change.hour - LevelChange.sameHours...last).contains(hour)
        }
        guard change.isOver, let end = change.end else { return false }
        return notice.kind == change.kind.opposite.rawValue
            && abs(end - hour) <= LevelChange.sameHours
    }
}
