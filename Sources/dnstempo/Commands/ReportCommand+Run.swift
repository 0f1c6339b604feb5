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
    /// The report of a finished run in the store, as far as its samples allow.
    func report(ofRun name: String, showsCharts: Bool) throws -> ComparisonReport {
        var options = window
        options.file.removeAll { $0 == name }
        let source = try HistorySource(options, origins: nil)
        let found = try source.run(named: name)
        let recording = try source.recording(of: found)
        let run = found.run
        let label = try recording.label(
            ofBaseline: baseline ?? run.baseline ?? recording.targets.usualBaseline
        )
        let tally = RecordingTally(of: recording, keepsSamples: strategies.isWanted)
        var rules = ComparisonRules(margin: try margin.duration ?? run.margin ?? .usualMargin)
        // The unit of a comparison is the round, for any number of rounds.
        if run.origin != .compare { rules.unit = tally.evidenceUnit }
        let catalogue = try ResolverCatalogue.forUser()
        return ComparisonReport(
            ofRecorded: tally,
            against: WindowBaseline(
                label,
                isInUse: run.isBaselineInUse && label == run.baseline,
                rules: rules
            ),
            toolVersion: Version.text
        ) { context in
            context.started = min(context.started, run.started)
            (context.plan.seed, context.plan.interval) = (run.seed, run.interval)
            context.wantsStrategies = strategies.isWanted
            context.unreadPlaces = source.unreadPlaces
            context.resolverSetup = .ofThisMachine
            for target in recording.targets {
                let endpoint = try? Endpoint(parsing: target.endpoint)
                guard let entry = endpoint.flatMap(catalogue.entry(at:)) else { continue }
                context.facts[target.label] = ResolverFacts(entry)
            }
            if !showsCharts { context.chartCommand = "\(CommandLine.shown) -o charts.svg" }
        }
    }
}
