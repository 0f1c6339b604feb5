import Analysis
import Samples
import Statistics

extension LocalClock {
    /// The times of an incident, such as `since 2026-05-12 14:00` or `from 2026-05-12 14:00 to 18:00`.
    func text(since start: Timestamp, until end: Timestamp?) -> String {
        guard let end else { return "since \(text(start))" }
        return "from \(text(start)) to \(text(end, after: start))"
    }

    /// A time; without its date if `start` has the same date.
    func text(_ moment: Timestamp, after start: Timestamp) -> String {
        let (from, to) = (time(at: start), time(at: moment))
        return from.date == to.date ? String(to.description.suffix(5)) : to.description
    }
}

extension IncidentFinding {
    func told(clock: LocalClock) -> ToldChange {
        switch self {
        case .outage(let outage): outage.told(clock: clock)
        case .change(let group): group.told(clock: clock)
        }
    }

    /// The resolvers in words: a name, `all 5 resolvers` or `3 of 5 resolvers`.
    var subject: String {
        switch self {
        case .outage(let outage): outage.subject == nil ? "all resolvers" : outage.name
        case .change(let group): group.subject
        }
    }

    /// What happened, in a few words.
    var what: String {
        switch self {
        case .outage: "no answer"
        case .change(let group):
            group.kind == .drift
                ? "drift, \(group.members[0].change.kind.words)"
                : group.members[0].change.kind.words
        }
    }
}

/// The episodes that may be an alternation.
private struct Alternation: Hashable {
    var subject: HistoryHours.Subject
    var kind: LevelChange.Kind
}

extension IncidentFinding {
    /// The change of latency of a single resolver; `nil` for other incidents.
    fileprivate var single: ChangeFinding? {
        guard case .change(let group) = self, group.members.count == 1,
            group.members[0].change.kind.isOfSpeed
        else { return nil }
        return group.members[0]
    }
}

extension [ChangeFinding] {
    /// Whether these changes of one resolver and one direction, at least three, are an alternation between two
    /// levels. The last one may still last.
    fileprivate var isAlternation: Bool {
        guard count >= 3, let first, dropLast().allSatisfy(\.change.isOver) else { return false }
        let band = 2 * DeadBand.around(first.change.after)
        return allSatisfy { abs($0.change.after - first.change.after) <= band }
    }

    /// The alternation, such as `alternates between 11.0 and 36.0 ms (sites ams and fra)`.
    fileprivate func alternation(clock: LocalClock) -> ToldChange {
        let last = self[count - 1]
        let levels = [last.change.before, last.change.after].sorted()
        let sites = last.move.map { [$0.from.site, $0.to.site].sorted() }
        let named = sites.map { " (sites \($0[0]) and \($0[1]))" } ?? ""
        let format = LatencyFormat(fitting: levels)
        let first = self[0].since
        return ToldChange(
            name: last.name,
            claim: (last.change.measure == .p90 ? "p90 " : "")
                + "alternates between \(format.number(levels[0])) and "
                + "\(format.cell(levels[1]))\(named)",
            support: "\(count) episodes since \(clock.text(first))",
            recency: last.recency
        )
    }
}

extension OutageFinding {
    fileprivate func told(clock: LocalClock) -> ToldChange {
        let times = clock.text(since: start, until: end)
        let parts = interruptions.map { $0.upperBound.since($0.lowerBound) }
        let whole = LatencyFormat.span(parts.reduce(.zero, +))
        let support =
            interruptions.count > 1
            ? "\(interruptions.count) interruptions, \(whole) in total"
            : end == nil ? "still without an answer" : whole
        return ToldChange(
            name: subject == nil ? "All resolvers" : EscapedText.terminal(name),
            claim: "no answer \(times)",
            support: support,
            recency: (start.hoursSinceEpoch, .infinity)
        )
    }
}

extension ChangeGroup {
    private var labels: [String] { members.map(\.target.label).uniqued }

    var subject: String {
        if members.count == 1 { return members[0].name }
        switch scope {
        case .one: return members.map(\.name).listed
        case .all: return "both resolvers"
        case .several: return members.map(\.name).listed
        case .line:
            return labels.count >= resolvers
                ? "all \(resolvers) resolvers" : "\(labels.count) of \(resolvers) resolvers"
        }
    }

    fileprivate func told(clock: LocalClock) -> ToldChange {
        guard members.count > 1 else { return members[0].told(clock: clock) }
        var member = members[0]
        // The group as one change: its median size and times.
        member.change.incident.size = size
        member.change.incident.before = members.map(\.change.before).median ?? 0
        member.change.incident.start = start
        member.change.incident.end = end
        member.change.incident.interval = sizes
        let range = "\(member.intervalText) at each"
        let cause =
            switch scope {
            case .line: "the common part is your line or this machine"
            case .all, .several: "at the same time"
            case .one: "over each transport"
            }
        let names = scope == .line && labels.count < resolvers ? labels.listed : nil
        return ToldChange(
            name: subject.sentenceStart,
            claim: member.claim(clock: clock),
            support: [names, range, cause].compactMap(\.self).joined(separator: "; "),
            recency: (start, abs(size))
        )
    }
}

extension [IncidentFinding] {
    /// The newest first. All episodes of a resolver that alternates between two levels are one entry.
    func told(clock: LocalClock) -> [ToldChange] {
        let alternating = Dictionary(grouping: compactMap(\.single)) {
            Alternation(subject: $0.subject, kind: $0.change.kind)
        }
        .filter { $0.value.isAlternation }
        let others = filter { incident in
            incident.single.map {
                alternating[Alternation(subject: $0.subject, kind: $0.change.kind)] == nil
            } ?? true
        }
        return
            (others.map { $0.told(clock: clock) }
            + alternating.values.map { $0.alternation(clock: clock) }.sorted { $0.name < $1.name })
            .sorted { $0.recency > $1.recency }
    }

    /// Sentences on the newest three incidents.
    func sentences(clock: LocalClock) -> [String] { told(clock: clock).prefix(3).map(\.sentence) }
}

extension [IncidentFinding] {
    /// The columns of a table of incidents. A group has the figures of its middle member.
    func columns(clock: LocalClock) -> [Table.Column] {
        func cells(_ text: (ChangeFinding) -> String) -> [String] {
            map { incident in
                guard case .change(let group) = incident else { return "" }
                return text(group.middle)
            }
        }
        return [
            .init("from", map { clock.text($0.start) }),
            .init("to", map { $0.end.map(clock.text) ?? "ongoing" }),
            .init("resolver", map { EscapedText.terminal($0.subject) }, .heading),
            .init("incident", map(\.what)),
            .init("by", cells(\.sizeText), .figures),
            .init("95 % interval", cells(\.intervalText), .figures, drop: 3),
            .init("before", cells { $0.levelText($0.change.before) }, .figures, drop: 2),
            .init("after", cells { $0.levelText($0.change.after) }, .figures, drop: 1),
        ]
    }
}

extension ChangeGroup {
    /// The member with the middle size.
    fileprivate var middle: ChangeFinding {
        members.sorted { $0.change.size < $1.change.size }[(members.count - 1) / 2]
    }
}
