import Analysis
import Evidence
import Failures
import Reports
import Samples

extension ReportCommand {
    /// Recomputes the run in the bundle at `path`, or the runs of a schedule there. Differences are printed
    /// on standard error and end the program with status 1.
    func report(ofBundle path: String, _ destinations: Destinations, _ gate: Gate) async throws {
        var destinations = destinations
        try Failure.refuse([
            "--recompute reads a bundle only: leave out files, other reports, and options that "
                + "filter samples":
                !window.file.isEmpty || window.named.store != nil || window.since != nil
                || window.until != "now" || window.origin != nil || window.isLimited
                || precision.exact || by != nil || changes || against != nil || baseline != nil
                || promise.objective != nil || over != nil || margin.margin != nil
                || strategies.isWanted,
            "--fail-if objective-missed needs an objective, and a bundle has none: leave it out":
                gate.conditions.contains { $0.metric == .objectiveMissed },
            "--fail-if stale, changes and outage are about a window, and a bundle has none: leave them out":
                gate.isOfWindow,
        ])
        var isSound = true
        for folder in try EvidenceFolder(path).bundles {
            let check = try BundleCheck(of: folder)
            guard let report = check.report else {
                try refuseOutput()
                try Terminal.output.write("\(EscapedText.terminal(check.sentence))\n")
                check.differences.forEach(Terminal.mention)
                isSound = isSound && check.differences.isEmpty
                continue
            }
            destinations.redaction = check.redaction
            try gate.check(report, baseline: report.context.baseline)
            if output.quiet, gate.finding(in: report) == nil { destinations.silence() }
            try await destinations.write(report, of: check.recording)
            Terminal.mention(check.sentence)
            check.differences.forEach(Terminal.mention)
            guard check.differences.isEmpty else { throw Failure(.condition, "") }
            try gate.pass(report)
        }
        if !isSound { throw Failure(.condition, "") }
    }

    private func refuseOutput() throws {
        try Failure.refuse([
            "--recompute of a watch has no report: leave out -o, --format, --chart and --fail-if, or report "
                + "its samples.csv":
                !output.files.output.isEmpty || output.format != "table" || output.chart != nil
                || !condition.failIf.isEmpty
        ])
    }
}
