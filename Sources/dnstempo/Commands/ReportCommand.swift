import Analysis
import ArgumentParser
import Catalogue
import Charts
import Failures
import History
import Processes
import Reports
import Runs
import Samples
import Statistics

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report how fast resolvers were over days or months.",
        discussion: """
            Windows up to 8 days and 4 million samples are read from samples. Longer ones are read \
            from hourly sums, whose quantiles are exact to 1 %. Times are those of this system's \
            clock. Instead of a store, write 'last' for the last run that compare stored, or the \
            beginning of a run's name. The report of that run is made again, and nothing is \
            measured.

            Examples:
              dnstempo report                             the last 7 days, by resolver
              dnstempo report --since 30d --by hour       when of the day it is slow
              dnstempo report --changes --since 30d       what happened, and when
              dnstempo report --against 7d                this week and the week before
              dnstempo report --objective 'p95 < 50ms' --over 30d
              dnstempo report --since 30d -o report.html  a page with charts
              dnstempo report last -o charts.svg          what compare measured, as charts
              dnstempo report home.sqlite office.sqlite --by vantage -o report.md
              dnstempo report home.sqlite office.sqlite --baseline system
              dnstempo report --store URL --by label:country
              dnstempo report samples.csv --by name --format csv
              dnstempo report samples.csv --baseline system --margin 0ms
              dnstempo report samples.csv --baseline system --strategies
              dnstempo report now.csv --against before.csv --fail-if slower-than-baseline
            """
    )

    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Window") var precision: PrecisionOption

    @Option(
        help: """
            One row per resolver, name, type, transport, vantage or site; hour, weekday or day with \
            a column per resolver; label:KEY of a central store's places. (default: resolver)
            """.naming("what"),
        completion: .list(WindowGrouping.allCases.map(\.rawValue))
    )
    var by: String?

    @Flag(help: "Show incidents: outages, episodes, steps and drifts.")
    var changes = false

    @Option(
        help:
            "Compare with the same time before (7d, 14d, …), or with a samples file."
            .naming("time|file"),
        completion: .file()
    )
    var against: String?

    @Option(
        help: """
            Resolver to compare the others with, such as the current one; over several places, place \
            by place.
            """.naming("label")
    )
    var baseline: String?

    @Option(
        help: """
            Recompute samples and report from the messages of a bundle that --evidence wrote, and \
            show differences.
            """.naming("folder"),
        completion: .directory
    )
    var recompute: String?

    @OptionGroup var strategies: StrategyOption

    @OptionGroup var promise: ObjectiveOption

    @Option(help: "Window of the objective up to --until. (default: 7d)".naming("time"))
    var over: String?

    @OptionGroup(title: "Verdict") var margin: MarginOption
    @OptionGroup(title: "Verdict") var condition: GateOption

    @OptionGroup(title: "Output") var output: ReportOutput
    @OptionGroup(title: "Output") var redacting: RedactOptions

    func run() async throws {
        let isOfRun = baseline != nil || runName != nil || recompute != nil
        let kinds = isOfRun ? ChartKind.ofRun : ChartKind.ofWindow
        var redaction = try redactionOfReport()
        var destinations = try await Destinations(output, charts: kinds)
        if recompute == nil {
            let other = isBesideFile ? against : nil
            try destinations.keep(window.inputs + [other].compactMap(\.self))
        }
        var gate = try Gate(condition.failIf, metrics: FailCondition.Metric.history)
        if let recompute { return try await report(ofBundle: recompute, destinations, gate) }
        try checkKind(gate)
        if let runName { return try await write(run: runName, to: destinations, gate, redaction) }
        let source = try HistorySource(window, exact: precision.exact, tellsPlaces: !isBesideFile)
        let history = try ReportedHistory(source, redaction)
        redaction = history.redaction
        destinations.redaction = redaction
        let length = isBesideFile ? nil : try against.map(length) ?? overLength
        let context = try source.context(window, last: length)
        let charts = destinations.hasChart ? charts(over: context.window) : nil
        let reader = history.reader(context, charts: charts)
        let report = try report(by: reader, of: history, gate)
        gate = gate.redacted(by: redaction)
        let gated = report as? any GatedReport
        if let gated { try gate.check(gated, baseline: baseline.map(history.label) ?? against) }
        let incidents = gate.needsIncidents && !changes ? try reader.changes() : nil
        let finding = gated.flatMap { gate.finding(in: $0, incidents) }
        if output.quiet, finding == nil { destinations.silence() }
        try await destinations.write(report) { document in
            let isBesideTime = against != nil && !isBesideFile
            document.command = CommandLine.shown(
                source.recorded.span == nil
                    ? CommandLine.words(over: context.window, withBeginning: !isBesideTime)
                    : Array(CommandLine.arguments.dropFirst()),
                by: redaction
            )
            document.commandHeading = Self.repetition
            // A comparison draws its own charts.
            guard let charts, baseline == nil || report is PlacesReport else { return }
            try charts.draw(on: &document, isOne: output.chart != nil, by: reader)
        }
        // Among tables for spreadsheets, only tables of comparisons have notes.
        let isTable =
            output.format == "csv" || output.files.output.contains { $0.hasSuffix(".csv") }
        if isTable, !(report is ComparisonReport) {
            window.without.mentionUnread(isRedacted: redacting.redact)
        }
        if let finding { throw Failure(.condition, finding) }
    }

    private func report(
        by reader: HistoryReader,
        of history: ReportedHistory,
        _ gate: Gate
    ) throws -> any Report {
        let source = history.source
        if changes { return try reader.changes() }
        if let objective = try promise.wanted { return try reader.objective(objective) }
        let rules = ComparisonRules(margin: try margin.duration ?? .usualMargin)
        if let against {
            try checkPlaces(gate, of: source, in: reader.context.window)
            guard isBesideFile else { return try reader.against() }
            return try difference(from: against, to: history, reader.context, rules)
        }
        let groups = try placeGroups(of: source)
        if let groups, baseline == nil {
            try Failure.refuse([
                "--fail-if applies to one place, and --by \(by ?? "") puts several together: add "
                    + "--vantage NAME, and leave out --by":
                    !gate.conditions.isEmpty
            ])
            return try namedAsRecorded(history, reader).places(by: groups)
        }
        let grouping =
            try groups == nil ? by.map { try WindowGrouping(named: $0, by: "--by") } : .vantage
        if let baseline {
            var baseline = WindowBaseline(history.label(baseline), rules: rules)
            let setup = ResolverSetup.ofThisMachine
            baseline.resolverSetup = history.redaction.map(setup.redacted) ?? setup
            let names = try places(in: source, reader.context.window)
            if grouping == .vantage || names.count > 1 {
                try checkOfOnePlace(gate, names)
                return try namedAsRecorded(history, reader).places(with: baseline, by: groups)
            }
            baseline.wantsStrategies = strategies.isWanted
            return try reader.comparison(with: baseline, exact: true)
        }
        if grouping == nil { try checkPlaces(gate, of: source, in: reader.context.window) }
        return try reader.window(by: grouping ?? .resolver)
    }

    static let repetition = "Make this report again"

    private var isBesideFile: Bool { against.map(Self.isFile) ?? false }

    private static func isFile(_ word: String) -> Bool {
        SamplesFormat.isSuffix(of: word) || word.hasSuffix(".sqlite") || word.contains("/")
            || !AbsolutePath.isMissing(word)
    }

    private var isOfObjective: Bool { promise.objective != nil }

    /// The name of a run: the first input that is not a file.
    private var runName: String? { window.file.first { !Self.isFile($0) } }

    private func checkKind(_ gate: Gate) throws {
        let isOfPlaces =
            (by == WindowGrouping.vantage.rawValue || placeLabel != nil) && baseline != nil
        let kinds = [
            by != nil && !isOfPlaces, changes, against != nil, baseline != nil, isOfObjective,
        ]
        .count { $0 }
        let isRun = runName != nil
        let isWindow =
            window.since != nil || window.until != "now" || window.origin != nil
            || window.isLimited || precision.exact
        try Failure.refuse([
            "'\(runName ?? "")' is not a file, so it is read as a run, which is reported whole: "
                + "leave out --since, --until, --exact, --origin, --resolver, --transport, --name, "
                + "--vantage and --site":
                isRun && isWindow,
            "'\(runName ?? "")' is not a file, so it is read as a run, which has one report: leave "
                + "out --by, --changes, --against and --objective":
                isRun && (by != nil || changes || against != nil || isOfObjective),
            "--by, --changes, --against, --baseline and --objective are separate reports: give "
                + "one":
                kinds > 1,
            "--over is the window of an objective: add --objective 'p95 < 50ms', or use --since":
                over != nil && !isOfObjective,
            "--over and --since cannot be combined: both set the beginning of the window":
                over != nil && window.since != nil,
            "--fail-if objective-missed needs an objective: add --objective 'p95 < 50ms'":
                !isOfObjective && gate.conditions.contains { $0.metric == .objectiveMissed },
            "--fail-if stale, changes and outage are about a window: leave out --baseline, or the name "
                + "of the run":
                (baseline != nil || isRun) && gate.isOfWindow,
            "--strategies compares with one resolver: add --baseline LABEL":
                strategies.isWanted && baseline == nil && !isRun,
            "--margin applies to a comparison: add --baseline LABEL":
                margin.margin != nil && baseline == nil && !isBesideFile && !isRun,
            "--changes takes --fail-if 'changes > 0', 'outage > 10m' and 'stale > 15m'":
                changes && !gate.conditions.allSatisfy { $0.metric.isOfWindow },
        ])
    }

    /// Compares the window with all samples of a saved file.
    private func difference(
        from path: String,
        to now: ReportedHistory,
        _ context: WindowContext,
        _ rules: ComparisonRules
    ) throws -> RunDiffReport {
        var options = window
        (options.file, options.named.store) = ([path], nil)
        (options.since, options.until) = (nil, "now")
        if SamplesFormat.isSuffix(of: path) { options.origin = nil }
        let before = try ReportedHistory(HistorySource(options, origins: nil), now.redaction)
        // The redaction of the earlier samples contains the values of both.
        let both = ReportedHistory(now.source, noted: before.redaction)
        var context = context
        context.unreadPlaces = both.reported.unreadPlaces + before.reported.unreadPlaces
        let all = Timestamp(nanoseconds: .min)..<Timestamp(nanoseconds: .max)
        return RunDiffReport(
            before: CountedSamples(of: try before.recording(all)),
            now: CountedSamples(of: try both.recording(context.window)),
            rules: rules,
            context: context
        )
    }

    /// The length of both windows, in whole hours, the unit of the comparison.
    func length(_ text: String) throws -> Duration {
        let hour = Duration.seconds(3600)
        guard let length = try Duration.read(text, of: "--against"),
            length >= hour, length == hour * Int(length / hour)
        else {
            throw Failure.usage("--against: '\(text)' is not whole hours; write 24h or 7d")
        }
        guard window.since == nil else {
            throw Failure.usage(
                "--against \(text) is the last \(text) and the \(text) before: leave out --since"
            )
        }
        return length
    }

    /// The length of an objective's window. `nil` if the options contain none.
    private var overLength: Duration? {
        get throws {
            let length = try Duration.read(over, of: "--over")
            guard length != .zero else {
                throw Failure.usage("--over 0: give a time above 0, such as 30d")
            }
            return length
        }
    }
}

extension CommandLine {
    /// The command as typed, but with a fixed window, so that it can be repeated. Another option may give the
    /// length instead of the start.
    static func words(over window: Range<Timestamp>, withBeginning: Bool) -> [String] {
        let moments = ["--since", "--until", "--over"]
        var kept: [String] = []
        var words = arguments.dropFirst()[...]
        while let word = words.popFirst() {
            if moments.contains(word) {
                _ = words.popFirst()
            } else if !moments.contains(where: { word.hasPrefix($0 + "=") }) {
                kept.append(word)
            }
        }
        let since = withBeginning ? ["--since", "\(window.lowerBound)"] : []
        return kept + since + ["--until", "\(window.upperBound)"]
    }
}

extension HistorySource {
    /// All samples of a window as one recording, including the samples of marked rounds.
    func recording(_ window: Range<Timestamp>) throws -> Recording {
        var all = Recording(runs: [], targets: [], questions: [])
        var recordings: [Recording] = []
        try readSamples(window) { recordings.append($0) }
        for recording in recordings { all.merge(recording) }
        if recordings.count > 1 { all.sortBySending() }
        return all
    }
}
