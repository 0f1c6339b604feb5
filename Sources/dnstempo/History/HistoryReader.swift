import Catalogue
import Measurement
import Reports
import Statistics
import Store

/// Reads what a report over a window is made of.
struct HistoryReader {
    private let source: HistorySource
    private var context: WindowContext

    /// Of the window that the options tell, or of the `last` so long before its end.
    init(_ options: WindowOptions, exact: Bool, last length: Duration? = nil) throws {
        source = try HistorySource(options, exact: exact)
        context = try options.window(span: source.spanOfFiles, last: length)
    }

    func window(by grouping: WindowGrouping) throws -> WindowReport {
        var tally = WindowTally(by: grouping, clock: context.clock)
        for round in try source.rounds(context.window) { tally.add(round) }
        let coverage = try source.read(
            context.window,
            needsSamples: grouping.needsSamples,
            samples: { tally.add($0, logsRounds: false) },
            sum: { tally.add($0) }
        )
        var limits = HistoryLimits(coverage)
        if grouping.needsSamples { limits.samplesSince = coverage.hours?.upperBound }
        return WindowReport(of: tally, context: try context(limits, isEmpty: tally.isEmpty))
    }

    /// With the days before the window that its first hours are held against.
    func changes() throws -> ChangesReport {
        let start = context.window.lowerBound.advanced(by: .zero - ChangesReport.lead)
        var hours = try rounds(of: context.window)
        let coverage = try read(start..<context.window.upperBound, into: &hours)
        // What is lost before the window is not asked for.
        let limits = HistoryLimits(coverage, within: context.window)
        return ChangesReport(of: hours, context: try context(limits, isEmpty: hours.isEmpty))
    }

    func against() throws -> AgainstReport {
        let window = context.window
        let length = window.upperBound.since(window.lowerBound)
        let earlier = window.lowerBound.advanced(by: .zero - length)..<window.lowerBound
        var before = try rounds(of: earlier)
        var now = try rounds(of: window)
        var limits = HistoryLimits(try read(earlier, into: &before))
        limits.add(HistoryLimits(try read(window, into: &now)))
        var context = try context(limits, isEmpty: before.isEmpty && now.isEmpty)
        context.clock = .system(from: earlier.lowerBound, to: window.upperBound)
        return AgainstReport(before: before, now: now, context: context)
    }

    /// The resolvers beside `baseline`, as the runs in the window themselves would say.
    func comparison(baseline: String, rules: ComparisonRules) throws -> ComparisonReport {
        var recording = Recording(runs: [], targets: [], questions: [])
        try source.readSamples(context.window) { recording.merge($0) }
        let labels = recording.targets.map(\.label).uniqued
        guard labels.contains(baseline) else {
            let near = NearestName.question(baseline, among: labels)
            let some = labels.prefix(12).joined(separator: ", ")
            throw Failure(
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
            rules: rules,
            marks: try source.marks(context.window, in: recording.runs),
            toolVersion: Version.text
        )
    }

    private func rounds(of window: Range<Timestamp>) throws -> HistoryHours {
        var hours = HistoryHours(clock: context.clock)
        for round in try source.rounds(window) { hours.add(round) }
        return hours
    }

    private func read(
        _ window: Range<Timestamp>,
        into hours: inout HistoryHours
    ) throws -> HistoryCoverage {
        var read = hours
        let coverage = try source.read(
            window,
            samples: { read.add($0, logsRounds: false) },
            sum: { read.add($0) }
        )
        hours = read
        return coverage
    }

    private func context(_ limits: HistoryLimits, isEmpty: Bool) throws -> WindowContext {
        var context = context
        context.limits = limits
        if isEmpty { context.advice = try source.advice(context.window) }
        return context
    }
}

extension HistoryLimits {
    fileprivate init(_ coverage: HistoryCoverage, within window: Range<Timestamp>? = nil) {
        self.init(unmergedHours: coverage.unmergedHours)
        guard let lost = coverage.lost, window?.overlaps(lost) ?? true else { return }
        self.lost = lost
    }
}

extension Recording {
    /// Rounds tell of their own time; what is longer than a day, or has very many, goes by the hour.
    fileprivate var evidenceUnit: ComparisonRules.Unit {
        let moments = samples.map { $0.observation.sent ?? $0.scheduled }
        guard let first = moments.min(), let last = moments.max() else { return .round }
        let rounds = Set(samples.map { RoundKey(run: $0.run, round: $0.round) }).count
        return rounds > 1_000 || last.since(first) > .seconds(86_400) ? .hour : .round
    }
}
