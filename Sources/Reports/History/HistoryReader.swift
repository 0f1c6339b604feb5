import Catalogue
import Samples
package import Statistics

/// Reads what a report over a window is made of.
package struct HistoryReader: Sendable {
    let source: any RecordedHistory
    let context: WindowContext

    /// Of the window that `context` tells.
    package init(_ source: any RecordedHistory, _ context: WindowContext) {
        self.source = source
        self.context = context
    }

    package func window(by grouping: WindowGrouping) throws -> WindowReport {
        var tally = WindowTally(by: grouping, clock: context.clock)
        let rounds = try source.rounds(context.window)
        for round in rounds { tally.add(round) }
        var evidence = grouping.tellsTransports ? try evidence(rounds) : nil
        let limits = try source.read(
            context.window,
            needsSamples: grouping.needsSamples,
            samples: {
                tally.add($0, logsRounds: false)
                evidence?.add($0)
            },
            sum: {
                tally.add($0)
                evidence?.add($0)
            }
        )
        return WindowReport(
            of: tally,
            context: try context(limits, isEmpty: tally.isEmpty),
            evidence: evidence
        )
    }

    /// With the days before the window that its first hours are held against.
    package func changes() throws -> ChangesReport {
        let start = context.window.lowerBound.advanced(by: .zero - ChangesReport.lead)
        var hours = try rounds(of: context.window)
        var limits = try read(start..<context.window.upperBound, into: &hours)
        // What is lost before the window is not asked for.
        if limits.lost?.overlaps(context.window) == false { limits.lost = nil }
        return ChangesReport(of: hours, context: try context(limits, isEmpty: hours.isEmpty))
    }

    /// Beside the window of the same length before it.
    package func against() throws -> AgainstReport {
        let window = context.window
        let length = window.upperBound.since(window.lowerBound)
        let earlier = window.lowerBound.advanced(by: .zero - length)..<window.lowerBound
        var before = try rounds(of: earlier)
        var now = try rounds(of: window)
        var limits = try read(earlier, into: &before)
        limits.add(try read(window, into: &now))
        var context = try context(limits, isEmpty: before.isEmpty && now.isEmpty)
        context.clock = .system(from: earlier.lowerBound, to: window.upperBound)
        return AgainstReport(before: before, now: now, context: context)
    }

    /// How resolvers are doing at the end of the window, which is a week.
    package func overview(inUse: String?, rules: ComparisonRules) throws -> OverviewReport {
        let window = context.window
        let rounds = try source.rounds(window)
        var tally = OverviewTally(context, evidence: try evidence(rounds))
        for round in rounds { tally.add(round) }
        let start = window.lowerBound.advanced(by: .zero - ChangesReport.lead)
        _ = try source.read(
            start..<window.lowerBound,
            needsSamples: false,
            samples: { tally.addLead($0) },
            sum: { tally.addLead($0) }
        )
        let limits = try source.read(
            window,
            needsSamples: false,
            samples: { tally.add($0) },
            sum: { tally.add($0) }
        )
        return try tally.report(inUse: inUse, rules: rules, limits: limits) {
            try source.advice(window)
        }
    }

    /// What a chart of `kind` is drawn from. Where the beginning was not asked for, it begins with
    /// the first round.
    package func timeline(
        _ kind: HistoryDrawing.Kind,
        fromFirstRound: Bool = false
    ) throws -> HistoryTimeline {
        var context = context
        let rounds = try source.rounds(context.window)
        if fromFirstRound, let first = rounds.map(\.started).min() {
            let end = context.window.upperBound
            context.window = min(max(first, context.window.lowerBound), end)..<end
        }
        var timeline = HistoryTimeline(
            context: context,
            rounds: rounds,
            isHourly: kind.isHourly
        )
        if kind.tellsChanges {
            let start = context.window.lowerBound.advanced(by: .zero - ChangesReport.lead)
            _ = try source.read(
                start..<context.window.lowerBound,
                needsSamples: false,
                samples: { timeline.addLead($0) },
                sum: { timeline.addLead($0) }
            )
        }
        _ = try source.read(
            context.window,
            needsSamples: false,
            samples: { timeline.add($0) },
            sum: { timeline.add($0) }
        )
        // Sums do not tell who answered.
        if kind.tellsChanges, timeline.hours.hasSums {
            timeline.replaceSites(by: try source.sites(context.window))
        }
        return timeline
    }

    /// For what is said of resolvers' transports.
    func evidence(_ rounds: [RoundMoment]) throws -> TransportEvidence {
        TransportEvidence(among: try source.targets(), rounds: rounds)
    }

    private func rounds(of window: Range<Timestamp>) throws -> HistoryHours {
        var hours = HistoryHours(clock: context.clock)
        for round in try source.rounds(window) { hours.add(round) }
        return hours
    }

    private func read(
        _ window: Range<Timestamp>,
        into hours: inout HistoryHours
    ) throws -> HistoryLimits {
        var read = hours
        let limits = try source.read(
            window,
            needsSamples: false,
            samples: { read.add($0, logsRounds: false) },
            sum: { read.add($0) }
        )
        hours = read
        return limits
    }

    private func context(_ limits: HistoryLimits, isEmpty: Bool) throws -> WindowContext {
        var context = context
        context.limits = limits
        if isEmpty { context.advice = try source.advice(context.window) }
        return context
    }
}

extension HistoryReader {
    /// Up to this length a window is read from samples.
    private static let longestExactWindow = Duration.seconds(8 * 86_400)

    /// The resolvers beside `baseline`, as the runs in the window themselves would say. Throws where
    /// no resolver has that label.
    package func comparison(baseline: String, rules: ComparisonRules) throws -> ComparisonReport {
        let read = try recorded()
        return try comparison(of: read, baseline: baseline, isInUse: false, rules: rules)
    }

    /// The same of windows of any length, with the resolvers' courses: those of which samples are
    /// not read go by the hour.
    package func comparedCourses(
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) throws -> (comparison: ComparisonReport, course: CourseReport) {
        guard isLong else {
            let read = try recorded()
            return try Concurrently.both(
                { try comparison(of: read, baseline: baseline, isInUse: isInUse, rules: rules) },
                { try course(of: read.counted) }
            )
        }
        let (timeline, hourly) = try timelines(of: nil)
        return Concurrently.both(
            { comparison(of: timeline, baseline: baseline, isInUse: isInUse, rules: rules) },
            { CourseReport(of: timeline, hourly: hourly) }
        )
    }

    /// The comparison alone.
    package func anyComparison(
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) throws -> ComparisonReport {
        guard isLong else {
            let read = try recorded()
            return try comparison(of: read, baseline: baseline, isInUse: isInUse, rules: rules)
        }
        let (timeline, _) = try timelines(of: nil)
        return comparison(of: timeline, baseline: baseline, isInUse: isInUse, rules: rules)
    }

    /// By the hour.
    private func comparison(
        of timeline: HistoryTimeline,
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) -> ComparisonReport {
        ComparisonReport(
            ofHours: timeline.hours,
            baseline: baseline,
            isInUse: isInUse,
            rules: rules,
            window: timeline.context
        )
    }

    private var isLong: Bool {
        context.window.upperBound.since(context.window.lowerBound) > Self.longestExactWindow
    }

    private func recorded() throws -> Recording {
        var recording = Recording()
        try source.readSamples(context.window) { recording.merge($0) }
        return recording
    }

    private func comparison(
        of recording: Recording,
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) throws -> ComparisonReport {
        var labels: [String] = []
        for label in recording.targets.map(\.label) where !labels.contains(label) {
            labels.append(label)
        }
        guard labels.contains(baseline) else {
            let near = NearestName.question(baseline, among: labels)
            let some = labels.prefix(12).joined(separator: ", ")
            throw CatalogueError(
                .usage,
                "--baseline: '\(baseline)' was not measured"
                    + (near.isEmpty && !some.isEmpty ? "; there are \(some)" : near)
            )
        }
        var rules = rules
        rules.unit = recording.evidenceUnit
        return ComparisonReport(
            ofRecorded: recording,
            baseline: baseline,
            isInUse: isInUse,
            rules: rules,
            toolVersion: context.toolVersion
        )
    }
}

extension Recording {
    /// Rounds tell of their own time, hours in general.
    fileprivate var evidenceUnit: ComparisonRules.Unit {
        let moments = samples.map { $0.moment }
        guard let first = moments.min(), let last = moments.max() else { return .round }
        let rounds = Set(samples.map(\.round)).count
        return .fitting(rounds: rounds, from: first, to: last)
    }
}

extension ComparisonRules.Unit {
    /// Of so many rounds: what is longer than a day, or has very many, goes by the hour.
    static func fitting(rounds: Int, from first: Timestamp, to last: Timestamp) -> Self {
        rounds > 1_000 || last.since(first) > .seconds(86_400) ? .hour : .round
    }
}
