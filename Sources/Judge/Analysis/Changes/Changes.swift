package import Samples
package import Statistics

/// A resolver that became slower, faster, less reliable or more reliable, or that has fewer or more names in
/// its cache.
package struct ChangeFinding: Hashable, Sendable {
    package var subject: HistoryHours.Subject
    /// The label, with an addition if several resolvers have it.
    package var name: String
    package var change: LevelChange
    /// The hour of the previous change of speed, which may be before the window.
    var previous: Int?
    /// The move to another site at the same time, if one is known.
    package var move: SiteMove?
    /// The cause of the change; `nil` for shares, and if no samples are left.
    package var cause: CauseFinding?
    /// Whether the change is too young for a cause. A later look finds it.
    package internal(set) var isTooYoungForCause = false
    /// The path to the resolver, if it was traced for this change.
    package var trace: KeptTrace?
    /// The number of answers from a server that was not authenticated, because no certificate was verified.
    package var unverified = 0
    /// The outcomes since the change, or before it if it is an improvement.
    package var failing = OutcomeCounts()

    package var target: Recording.Target { subject.target }

    package var since: Timestamp { Timestamp(hoursSinceEpoch: change.hour) }

    /// The time after which the change ended; `nil` while it lasts.
    package var end: Timestamp? { change.end.map(Timestamp.init(hoursSinceEpoch:)) }

    package var established: Timestamp { Timestamp(hoursSinceEpoch: change.establishedHour) }
}

/// The changes of a window, and the resolvers without a change.
package struct Changes: Sendable {
    /// The time to read before a window, so that its incidents are those of a reading of the whole store.
    package static let lead = Duration.seconds(3600 * ChangeHistory.reach)

    package let window: Range<Timestamp>
    /// The findings in the order of their hours.
    package private(set) var findings: [ChangeFinding]
    /// The times without any answer that overlap the window, by place.
    package let outages: [OutageFinding]
    /// The names of the resolvers that were judged.
    let judgedNames: [Recording.Target: String]
    /// The labels of the measured resolvers of each place.
    let resolvers: [String: Set<String>]

    /// The labels of all measured resolvers.
    package var labels: [String] { resolvers.values.reduce(Set()) { $0.union($1) }.sorted() }

    /// Resolvers that were judged and did not change.
    package let unchanged: [String]
    /// Resolvers with too few hours to judge any hour.
    package let unjudged: [String]
    /// Outcomes before the window and in it, for each resolver with a failed query.
    package let losses: [(name: String, before: OutcomeCounts, now: OutcomeCounts)]
    /// The rounds of the window with an answer from each resolver, by its name; empty if they are unknown.
    package let availabilities:
        [(name: String, subject: HistoryHours.Subject, rounds: Availability)]
    /// Resolvers that became slower at many places at the same time; `nil` if the places are few.
    package let fleet: [FleetFinding]?

    /// Finds the changes that were established within the window. `timelines` cover the window and the
    /// ``lead`` before it. `log` has the rounds of the window, and `silent` has rounds without an answer.
    package init(
        of timelines: [HistoryHours.Timeline],
        _ log: RoundLog = RoundLog(),
        _ silent: SilentRounds = SilentRounds(),
        in window: Range<Timestamp>
    ) {
        self.window = window
        let start = window.lowerBound.hoursSinceEpoch
        let places = Dictionary(grouping: timelines, by: \.subject.vantage)
        resolvers = places.mapValues { Set($0.map(\.subject.target.label)) }
        outages = Set(places.keys).union(log.vantages).sorted()
            .flatMap { log.outages(at: $0) + (places[$0] ?? []).outages(at: $0, silent) }
            .filter { $0.start < window.upperBound && $0.end ?? $0.start >= window.lowerBound }
        fleet = timelines.fleetFindings?.filter { $0.establishedHour >= start }
        losses = timelines.map {
            ($0.name, $0.counts(in: ..<start), $0.counts(in: start...))
        }
        .filter { $0.1.failed > 0 || $0.2.failed > 0 }
        availabilities = timelines.map { ($0.name, $0.subject, $0.availability(in: start...)) }
            .filter { $0.2.rounds > 0 }
        let judged = JudgedTimeline.all(timelines, from: start)
        findings = judged.flatMap(\.findings)
            .sorted { $0.change.hour < $1.change.hour }
        judgedNames = Dictionary(
            judged.filter { $0.history.judgedHours > 0 }
                .map { ($0.timeline.subject.target, $0.timeline.name) }
        ) { first, _ in first }
        let others = judged.filter(\.history.changes.isEmpty)
        unjudged = others.filter { $0.history.judgedHours == 0 }.map(\.timeline.name)
        unchanged = others.filter { $0.history.judgedHours > 0 }.map(\.timeline.name)
    }

    /// Adds the sites to changes that coincide with a move from one site to another.
    package mutating func name(_ sites: [AnsweringSites]) {
        for index in findings.indices where findings[index].change.kind.isOfSpeed {
            let finding = findings[index]
            // The hour of a change is accurate to a few hours, because it depends on the hours around it.
            findings[index].move = sites.moves(of: finding.subject)
                .first { abs($0.moment.hoursSinceEpoch - finding.change.hour) <= 3 }
        }
    }

    /// Creates the changes in the hours before `end`, for a place that judges them again every hour. Changes
    /// that were established earlier have already been reported, and their causes are known.
    package init(judging hours: HistoryHours, until end: Timestamp) {
        // An episode ends up to ten days after its start, and its end is reported too.
        let length = Incident.longestEpisode + 2 * LevelChange.sameHours
        let span = Duration.seconds(3600 * length)
        self.init(of: hours.timelines(after: nil), in: end.advanced(by: .zero - span)..<end)
    }

    /// Adds the known causes.
    package mutating func recall(_ known: [EstablishedCause]) {
        for index in findings.indices {
            let finding = findings[index]
            findings[index].cause =
                known.filter { $0.isCause(of: finding) }
                .min {
                    abs($0.hour - finding.change.hour) < abs($1.hour - finding.change.hour)
                }?.finding
        }
    }

    /// Adds the traced paths to resolvers.
    package mutating func recall(_ traces: [KeptTrace]) {
        for index in findings.indices {
            let finding = findings[index]
            findings[index].trace = traces.filter { $0.isTrace(of: finding) }.max {
                $0.time < $1.time
            }
        }
    }

    /// Adds the causes. Those in `known` are reused. The causes of the newest other changes of speed are
    /// derived from the samples of the hours around each.
    package mutating func explain(
        with sites: [AnsweringSites],
        known: [EstablishedCause],
        reading: (Range<Timestamp>) throws -> CauseHours
    ) rethrows {
        recall(known)
        let open = findings.indices.filter {
            // The hours around the start of a drift show nothing of it.
            findings[$0].change.kind.isOfSpeed && findings[$0].change.incident.kind != .drift
                && findings[$0].cause == nil
        }
        for index in open.suffix(Self.mostExplained) {
            let finding = findings[index]
            let next = findings[(index + 1)...].first {
                $0.subject == finding.subject && $0.change.kind.isOfSpeed
            }
            findings[index].cause = try reading(CauseHours.span(around: finding.change.hour))
                .cause(
                    of: finding.change,
                    of: finding.subject,
                    since: finding.previous,
                    until: finding.change.end ?? next?.change.hour,
                    moves: sites.moves(of: finding.subject)
                )
            let age = window.upperBound.hoursSinceEpoch - finding.change.hour
            findings[index].isTooYoungForCause =
                findings[index].cause?.units == 0 && age <= CauseEvidence.leastUnits
        }
    }

    /// The maximum number of changes to explain. Each requires reading the samples of two weeks.
    private static let mostExplained = 5

    /// Returns the causes that were found now, and that later hours would not change.
    package func establishedCauses(besides known: [EstablishedCause]) -> [EstablishedCause] {
        let end = window.upperBound.hoursSinceEpoch
        return findings.compactMap { finding in
            guard let cause = finding.cause, !known.contains(where: { $0.isCause(of: finding) }),
                cause.isNamed || finding.change.hour + CauseHours.mostHoursAfter <= end
            else { return nil }
            return EstablishedCause(
                vantage: finding.subject.vantage,
                target: finding.target,
                kind: finding.change.kind,
                hour: finding.change.hour,
                finding: cause
            )
        }
    }
}

/// A resolver at a place with its changes.
private struct JudgedTimeline {
    let timeline: HistoryHours.Timeline
    var history: ChangeHistory
    /// The hours of all changes of speed, including those before the window.
    let ofSpeed: [Int]

    /// Judges the timelines that have an hour since `start`. Keeps the changes that were established since
    /// then; earlier hours serve only as the reference.
    static func all(_ timelines: [HistoryHours.Timeline], from start: Int) -> [JudgedTimeline] {
        var judged = Concurrently.map(timelines) { timeline -> JudgedTimeline? in
            let blocks = timeline.blocks()
            guard let last = blocks.last?.hour, last >= start else { return nil }
            var history = ChangeHistory(of: blocks)
            let ofSpeed = history.changes.filter(\.kind.isOfSpeed).map(\.hour)
            history.changes.removeAll { $0.establishedHour < start }
            return JudgedTimeline(timeline: timeline, history: history, ofSpeed: ofSpeed)
        }
        .compactMap(\.self)
        // All transports of a resolver have the same warm-ups, so a change of its cache is reported once.
        for index in judged.indices
        where judged[index].history.changes.contains(where: { $0.measure == .cache }) {
            let subject = judged[index].timeline.subject
            let told = judged[..<index].filter { $0.timeline.subject.isResolver(of: subject) }
                .flatMap(\.history.changes)
            judged[index].history.changes.removeAll { change in
                change.measure == .cache
                    && told.contains {
                        $0.kind == change.kind
                            && abs($0.hour - change.hour) < LevelChange.sameHours
                    }
            }
        }
        return judged
    }

    var findings: [ChangeFinding] {
        history.changes.map { change in
            let failed =
                change.kind.isForTheWorse
                ? timeline.counts(in: change.hour...) : timeline.counts(in: ..<change.hour)
            return ChangeFinding(
                subject: timeline.subject,
                name: timeline.name,
                change: change,
                previous: ofSpeed.last { $0 < change.hour },
                unverified: timeline.unverified,
                failing: failed
            )
        }
    }
}

extension HistoryHours.Subject {
    /// Returns whether both are the same resolver at the same place, over any transport.
    fileprivate func isResolver(of other: Self) -> Bool {
        vantage == other.vantage && target.label == other.target.label
    }
}

extension [AnsweringSites] {
    package func moves(of subject: HistoryHours.Subject) -> [SiteMove] {
        let own = first { $0.vantage == subject.vantage && $0.target == subject.target }
        return own?.history.moves ?? []
    }
}

extension HistoryHours.Timeline {
    /// Returns the outcomes of the queries in some hours.
    fileprivate func counts(in wanted: some RangeExpression<Int>) -> OutcomeCounts {
        hours.reduce(into: OutcomeCounts()) { counts, hour in
            if wanted.contains(hour.key) { counts.merge(hour.value.counts) }
        }
    }

    /// Returns the rounds in some hours.
    fileprivate func availability(in wanted: some RangeExpression<Int>) -> Availability {
        hours.reduce(into: Availability()) { rounds, hour in
            if wanted.contains(hour.key) { rounds.merge(hour.value.availability) }
        }
    }
}

extension EstablishedCause {
    /// Returns whether this is the cause of a change, whose hour may have been corrected since.
    fileprivate func isCause(of finding: ChangeFinding) -> Bool {
        vantage == finding.subject.vantage && target == finding.target
            && kind == finding.change.kind
            && abs(hour - finding.change.hour) < LevelChange.sameHours
    }
}

extension KeptTrace {
    /// Returns whether this trace was made for the change, or for an outage that made the resolver less
    /// reliable.
    fileprivate func isTrace(of finding: ChangeFinding) -> Bool {
        let change = finding.change
        guard vantage == finding.subject.vantage, target.hasWay(of: finding.target) else {
            return false
        }
        if kind == change.kind.rawValue {
            return abs(since.hoursSinceEpoch - change.hour) < LevelChange.sameHours
        }
        return kind == Notice.Kind.unreachable.rawValue && change.kind == .lessReliable
            && (change.hour...change.establishedHour).contains(time.hoursSinceEpoch)
    }
}
