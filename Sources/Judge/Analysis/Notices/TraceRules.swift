package import Samples
import Statistics

/// The rules that decide when the path to a resolver is worth a trace. They take notices and earlier traces,
/// and return the reasons for new traces.
package struct TraceRules: Sendable {
    /// The minimum time between two traces of one resolver.
    package static let pause = Duration.seconds(3600)
    /// The maximum number of traces after one round. If more resolvers have problems, their paths are usually
    /// similar.
    package static let most = 8
    /// The age up to which traces show whether a change is new.
    package static let memory = Duration.seconds(
        3600 * (NoticeRules.newsHours + LevelChange.sameHours)
    )

    private var traces: [KeptTrace]
    /// The resolvers that did not respond to their last queries, and were traced for this reason.
    private var unreachable: [Recording.Target] = []

    /// Creates the rules from the traces of the last ``memory``, in any order.
    package init(past traces: [KeptTrace]) { self.traces = traces }

    /// Returns the reasons for a trace after the last of `rounds`. Resolvers that became unreachable come
    /// first. Changes that were established since `judged` follow: changes of speed in both directions, and
    /// increases of failures.
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

    /// Stores a trace.
    package mutating func add(_ trace: KeptTrace) { traces.append(trace) }

    /// Returns the trace for a current notice; `nil` without one.
    package func trace(for notice: Notice, now: Timestamp) -> KeptTrace? {
        traces.filter { trace in
            trace.kind == notice.kind.rawValue && trace.target.hasWay(of: notice.target)
                && isRecent(trace, now)
        }
        .max { $0.time < $1.time }
    }

    /// Returns the traces of a target as delivered notices.
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

    /// Returns whether a trace is from the last hour. A trace with a future time, after the clock was set
    /// back, is not.
    private func isRecent(_ trace: KeptTrace, _ now: Timestamp) -> Bool {
        trace.time <= now && now.since(trace.time) < Self.pause
    }
}
