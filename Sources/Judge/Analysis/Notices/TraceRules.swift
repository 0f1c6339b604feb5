package import Samples
import Statistics

/// Rules on when the way to a resolver is worth a trace: notices and what was traced before in, reasons
/// out.
package struct TraceRules: Sendable {
    /// Least time between two traces of one resolver.
    package static let pause = Duration.seconds(3600)
    /// After one round no more are traced: where more are in trouble, their ways are much the same.
    package static let most = 8
    /// Traces of that time tell whether a change is news.
    package static let memory = Duration.seconds(
        3600 * (NoticeRules.newsHours + ChangeDetector.sameChangeHours)
    )

    private var traces: [KeptTrace]
    /// Those that did not respond when they were last asked, and were traced for that.
    private var unreachable: [Recording.Target] = []

    /// `traces` are those of the last ``memory``, in any order.
    package init(past traces: [KeptTrace]) { self.traces = traces }

    /// Reasons to trace after the last of `rounds`, the first first: resolvers that became unreachable,
    /// and changes for better or worse of their speed, or for the worse of their losses, that were
    /// established since `judged`.
    package mutating func reasons(
        after rounds: [RoundResponses],
        changes: Changes?,
        judged: Timestamp?,
        now: Timestamp
    ) -> [Notice] {
        traces.removeAll { now.since($0.time) > Self.memory }
        let responding = rounds.last?.resolvers.filter { $0.responses > 0 }.map(\.target) ?? []
        unreachable.removeAll { responding.contains($0) }
        var notices = NoticeRules(past: [], now: now).reachability(rounds)
            .filter { $0.kind == .unreachable && !unreachable.contains($0.target) }
        unreachable += notices.map(\.target)
        if let changes {
            let past = changes.findings.map(\.target).uniqued.flatMap(sent)
            notices += NoticeRules(past: past, now: now)
                .changes(in: changes, judged: judged).filter(\.kind.isWorthTrace)
        }
        var reasons: [Notice] = []
        for notice in notices where reasons.count < Self.most && mayTrace(notice.target, now) {
            guard !reasons.contains(where: { $0.target.hasWay(of: notice.target) }) else {
                continue
            }
            reasons.append(notice)
        }
        return reasons
    }

    /// Takes note of what was traced.
    package mutating func add(_ trace: KeptTrace) { traces.append(trace) }

    /// The trace that belongs to a notice of now; `nil` without one.
    package func trace(for notice: Notice, now: Timestamp) -> KeptTrace? {
        traces.filter { trace in
            trace.kind == notice.kind.rawValue && trace.target.hasWay(of: notice.target)
                && isRecent(trace, now)
        }
        .max { $0.time < $1.time }
    }

    /// Traces as notices of a target, which were told.
    private func sent(of target: Recording.Target) -> [SentNotice] {
        traces.filter { $0.target.hasWay(of: target) }.map { trace in
            SentNotice(
                target: target,
                kind: trace.kind,
                since: trace.since,
                sent: trace.time,
                isDelivered: true
            )
        }
    }

    private func mayTrace(_ target: Recording.Target, _ now: Timestamp) -> Bool {
        !traces.contains { $0.target.hasWay(of: target) && isRecent($0, now) }
    }

    /// Whether it is of the last hour; one from the future, of a clock that was put back, is not.
    private func isRecent(_ trace: KeptTrace, _ now: Timestamp) -> Bool {
        trace.time <= now && now.since(trace.time) < Self.pause
    }
}
