package import Analysis
package import Samples
package import Statistics

/// Reads the measurements of a report over a window.
package struct HistoryReader: Sendable {
    let source: any SampleSource
    package let context: WindowContext
    package let rounds: @Sendable (Range<Timestamp>) throws -> [RoundMoment]
    let charts: WantedCharts?

    /// Creates a reader of the window in `context`, for a report and its `charts`. `rounds` replaces the
    /// rounds of the source.
    package init(
        _ source: any SampleSource,
        _ context: WindowContext,
        charts: WantedCharts? = nil,
        rounds: (@Sendable (Range<Timestamp>) throws -> [RoundMoment])? = nil
    ) {
        self.source = source
        var context = context
        context.unreadPlaces = source.unreadPlaces
        self.context = context
        self.charts = charts
        self.rounds = rounds ?? { try source.rounds($0) }
    }

    package func window(by grouping: WindowGrouping) throws -> WindowReport {
        let rounds = try rounds(context.window)
        var tally = WindowTally(by: grouping, clock: context.clock, rounds: rounds)
        if grouping.tellsTransports, !rounds.areOfPlaces { tally.evidence = try evidence(rounds) }
        if grouping == .resolver && rounds.areOfPlaces || grouping.isOfTime {
            var both = PlacesTally(
                tally: tally,
                hours: HistoryHours(clock: context.clock, rounds: rounds)
            )
            let limits = try read(context.window, by: grouping.grain, into: &both)
            let apart = !both.hours.areOfManyPlaces
            return WindowReport(
                of: both.tally,
                places: grouping.isOfTime ? [] : both.hours.summaries(apart: apart),
                hours: both.hours,
                context: try context(limits, isEmpty: both.tally.isEmpty)
            )
        }
        let isPaired = tally.evidence?.isEmpty == false
        let limits = try read(
            context.window,
            by: isPaired && grouping.grain == .days ? .hours : grouping.grain,
            into: &tally
        )
        return WindowReport(of: tally, context: try context(limits, isEmpty: tally.isEmpty))
    }

    /// The measurements by group, and by place and hour.
    private struct PlacesTally: HistorySink {
        var tally: WindowTally
        var hours: HistoryHours

        mutating func add(_ counted: CountedSamples) {
            tally.add(counted)
            hours.add(counted)
        }

        mutating func add(_ sum: CountedSum) {
            tally.add(sum)
            hours.add(sum)
        }
    }

    /// With the days before the window that its first hours are compared with.
    package func changes() throws -> ChangesReport {
        var hours = try hours(of: context.window)
        let all = context.lead.lowerBound..<context.window.upperBound
        var limits = try read(all, into: &hours)
        // Pruned samples before the window are not reported.
        if limits.lost?.overlaps(context.window) == false { limits.lost = nil }
        let context = try context(limits, isEmpty: hours.isEmpty)
        var report = ChangesReport(of: hours, silent: try silent(in: hours), context: context)
        if report.findings.contains(where: \.change.kind.isOfSpeed) {
            let sites = try source.sites(context.window)
            report.changes.name(sites)
            try report.changes.explain(with: sites, known: try causes(of: context)) { span in
                var hours = CauseHours(clock: context.clock)
                try source.readSamples(span) { hours.add(CountedSamples(of: $0)) }
                return hours
            }
        }
        report.changes.recall(try traces(of: context))
        return report
    }

    /// Whether `objective` was kept over the window.
    package func objective(_ objective: ServiceObjective) throws -> ObjectiveReport {
        let (hours, context) = try measured()
        return ObjectiveReport(of: objective, hours: hours, context: context)
    }

    /// Compares the resolvers with `baseline` at each place. Throws if no resolver has this label.
    package func places(
        with baseline: WindowBaseline,
        by groups: PlaceGroups? = nil
    ) throws -> PlacesReport {
        try source.commonLabels().check(baseline: baseline.label)
        let (hours, context) = try measured()
        return PlacesReport(of: hours, against: baseline, by: groups, context: context)
    }

    /// Summarises each resolver at the places of each group.
    package func places(by groups: PlaceGroups) throws -> PlaceGroupsReport {
        let (hours, context) = try measured(by: .days)
        return PlaceGroupsReport(of: hours, by: groups, context: context)
    }

    /// Compares the window with the window of the same length before it.
    package func against() throws -> WindowDiffReport {
        let window = context.window
        let length = window.upperBound.since(window.lowerBound)
        let earlier = window.lowerBound.advanced(by: .zero - length)..<window.lowerBound
        var before = try hours(of: earlier)
        var now = try hours(of: window)
        var limits = try read(earlier, into: &before)
        limits.add(try read(window, into: &now))
        var context = try context(limits, isEmpty: before.isEmpty && now.isEmpty)
        context.clock = .system(from: earlier.lowerBound, to: window.upperBound)
        return WindowDiffReport(before: before, now: now, context: context)
    }

    /// The state of the resolvers at the end of the window, which has the length of the last of `periods`.
    package func overview(
        inUse: String?,
        rules: ComparisonRules,
        objective: ServiceObjective? = nil,
        periods: [OverviewReport.Period] = OverviewReport.periods
    ) throws -> OverviewReport {
        let rounds = try rounds(context.window)
        var tally = OverviewTally(
            context,
            rounds: rounds,
            evidence: rounds.areOfPlaces ? nil : try evidence(rounds),
            periods: periods
        )
        _ = try read(context.lead, into: &tally.lead)
        let limits = try read(context.window, into: &tally)
        tally.silent = try silent(in: tally.hours)
        return OverviewReport(
            of: tally,
            inUse: inUse,
            rules: rules,
            objective: objective,
            context: try context(limits, isEmpty: tally.hours.isEmpty),
            causes: try causes(of: context),
            comparison: try comparison(ofFew: rounds, with: inUse, rules)
        )
    }

    /// The comparison of a history that is too short for hours, by its `rounds`; `nil` for a longer history.
    private func comparison(
        ofFew rounds: [RoundMoment],
        with inUse: String?,
        _ rules: ComparisonRules
    ) throws -> ComparisonReport? {
        let moments = rounds.map(\.started)
        guard !rounds.areOfPlaces, let inUse, let first = moments.min(), let last = moments.max(),
            ComparisonRules.Unit.fitting(rounds: rounds.count, from: first, to: last) == .round
        else { return nil }
        guard let recording = try recorded(), recording.targets.map(\.label).uniqued.count > 1,
            recording.targets.contains(where: { $0.label == inUse })
        else { return nil }
        let baseline = WindowBaseline(inUse, isInUse: true, rules: rules)
        return try comparison(of: RecordingTally(of: recording), with: baseline)
    }

    /// The report for pages on the resolvers over the window, or from its first round on.
    package func timelineReport() throws -> TimelineReport {
        TimelineReport(of: try pageTimeline(tellsTransports: true))
    }

    /// The time bins of a timeline, and its hours. Uses the samples that were already `read`, if any. With
    /// `tellsTransports` it includes the cost of encryption.
    func pageTimeline(
        of read: CountedSamples? = nil,
        tellsTransports: Bool = false
    ) throws -> HistoryTimeline {
        let rounds = try source.rounds(context.window)
        var timeline = HistoryTimeline(context: try begun(with: rounds), rounds: rounds)
        timeline.hourly = TimeBins(of: TimeBins.hour, clock: context.clock)
        // Pairs of several places would mix several lines.
        if tellsTransports, !rounds.areOfPlaces { timeline.evidence = try evidence(rounds) }
        if let read {
            timeline.add(read)
        } else {
            _ = try self.read(timeline.context.window, into: &timeline)
        }
        try addPast(to: &timeline)
        return timeline
    }

    /// Adds to a timeline of the window what its incidents need: the time before it, the rounds without an
    /// answer, causes, and the paths to resolvers.
    func addPast(to timeline: inout HistoryTimeline) throws {
        _ = try read(timeline.context.lead, into: &timeline.lead)
        timeline.silent = try silent(in: timeline.hours)
        timeline.causes = try causes(of: timeline.context)
        timeline.traces = try traces(of: timeline.context)
    }

    /// Causes of changes that were established in a window, which may have begun before it.
    private func causes(of context: WindowContext) throws -> [EstablishedCause] {
        try source.causes(context.lead.lowerBound..<context.window.upperBound)
    }

    /// Traces for the same changes.
    private func traces(of context: WindowContext) throws -> [KeptTrace] {
        try source.traces(context.lead.lowerBound..<context.window.upperBound)
    }

    func begun(with rounds: [RoundMoment]) throws -> WindowContext {
        var context = try coloured(context)
        if let first = rounds.map(\.started).min(), context.window.contains(first) {
            context.window = first..<context.window.upperBound
        }
        return context
    }

    private func evidence(_ rounds: [RoundMoment]) throws -> TransportEvidence {
        TransportEvidence(among: try source.targets(), rounds: rounds)
    }

    private func hours(of window: Range<Timestamp>) throws -> HistoryHours {
        HistoryHours(clock: context.clock, rounds: try source.rounds(window))
    }

    /// The hours of the window, and the context of a report on them.
    private func measured(
        by grain: HistoryGrain = .hours
    ) throws -> (hours: HistoryHours, context: WindowContext) {
        var hours = try hours(of: context.window)
        let limits = try read(context.window, by: grain, into: &hours)
        return (hours, try context(limits, isEmpty: hours.isEmpty))
    }

    private func context(_ limits: HistoryLimits, isEmpty: Bool) throws -> WindowContext {
        var context = try coloured(context)
        context.limits = limits
        if isEmpty { context.advice = try source.advice(context.window) }
        return context
    }
}

extension [RoundMoment] {
    /// Whether several places measured the rounds.
    var areOfPlaces: Bool { contains { $0.vantage != self[0].vantage } }
}
