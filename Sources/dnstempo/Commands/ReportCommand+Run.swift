import Analysis
import Catalogue
import History
import Processes
import Reports
import Runs
import Samples
import Statistics
import Store

/// Reports on a stored run.
extension ReportCommand {
    func write(
        run name: String,
        to destinations: Destinations,
        _ gate: Gate,
        _ redaction: Redaction?
    ) async throws {
        var (destinations, redaction) = (destinations, redaction)
        let report = try report(ofRun: name, &redaction, showsCharts: destinations.hasChart)
        destinations.redaction = redaction
        let gate = gate.redacted(by: redaction)
        try gate.check(report, baseline: report.context.baseline)
        if output.quiet, gate.finding(in: report) == nil { destinations.silence() }
        // The id is permanent; `last` would mean another run tomorrow.
        let id = report.recording.runs.first?.id ?? name
        let words = CommandLine.arguments.dropFirst().map { $0 == name ? id : $0 }
        try await destinations.write(report) { document in
            document.command = CommandLine.shown(words, by: redaction)
            document.commandHeading = Self.repetition
        }
        try gate.pass(report)
    }

    /// The report of a finished run in the store, as far as its samples allow.
    private func report(
        ofRun name: String,
        _ wanted: inout Redaction?,
        showsCharts: Bool
    ) throws -> ComparisonReport {
        var options = window
        options.file.removeAll { $0 == name }
        let source = try HistorySource(options, origins: nil)
        let found = try source.run(named: name)
        var recording = try source.recording(of: found)
        let run = found.run
        let label = try recording.label(
            ofBaseline: baseline ?? run.baseline ?? recording.targets.usualBaseline
        )
        let isInUse = run.isBaselineInUse && label == run.baseline
        wanted?.note(recording)
        let redaction = wanted
        recording = redaction?.applied(to: recording) ?? recording
        let tally = RecordingTally(of: recording, keepsSamples: strategies.isWanted)
        var rules = ComparisonRules(margin: try margin.duration ?? run.margin ?? .usualMargin)
        // The unit of a comparison is the round, for any number of rounds.
        if run.origin != .compare { rules.unit = tally.evidenceUnit }
        let catalogue = try ResolverCatalogue.forUser()
        return ComparisonReport(
            ofRecorded: tally,
            against: WindowBaseline(
                redaction?.label(label) ?? label,
                isInUse: isInUse,
                rules: rules
            ),
            toolVersion: Version.text
        ) { context in
            context.started = min(context.started, run.started)
            (context.plan.seed, context.plan.interval) = (run.seed, run.interval)
            context.wantsStrategies = strategies.isWanted
            context.unreadPlaces =
                ReportedHistory(source, noted: redaction).reported.unreadPlaces
            let setup = ResolverSetup.ofThisMachine
            context.resolverSetup = redaction.map(setup.redacted) ?? setup
            for target in recording.targets {
                let endpoint = try? Endpoint(parsing: target.endpoint)
                guard let entry = endpoint.flatMap(catalogue.entry(at:)) else { continue }
                context.facts[target.label] = ResolverFacts(entry)
            }
            let words = CommandLine.arguments.dropFirst() + ["-o", "charts.svg"]
            if !showsCharts { context.chartCommand = CommandLine.shown(words, by: redaction) }
        }
    }

    /// The redaction of the report. Rejects reports that show what a redaction removes.
    func redactionOfReport() throws -> Redaction? {
        try redacting.refuse(
            "--recompute",
            recompute != nil,
            because:
                "it lists the differences with their names; report the samples.csv of the bundle "
                + "instead"
        )
        try redacting.refuse(
            "--by label:KEY",
            placeLabel != nil,
            because: "the labels of places identify them; use --by vantage"
        )
        return try redacting.redaction()
    }
}
