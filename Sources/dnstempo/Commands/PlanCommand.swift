import ArgumentParser
import Catalogue
import Failures
import History
import Reports
import Runs
import Samples
import Statistics

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Estimate the length of a comparison from earlier rounds.",
        discussion: """
            Draws earlier rounds at random, 400 times, until their evidence suffices; nothing is \
            measured. Requires 30 rounds, in hours with 6 or more. With 90 % power, 9 of 10 such \
            runs have their verdict: faster by more than the margin, or not.

            Examples:
              dnstempo plan --difference 8ms               rounds that find 8 ms
              dnstempo plan --difference 2ms --margin 0ms  rounds that find any 2 ms
              dnstempo plan --for 10m                      what a run of ten minutes finds
              dnstempo plan samples.csv --difference 8ms --baseline system --candidate quad9
            """
    )

    @OptionGroup(title: "Plan") var aim: AimOptions

    @OptionGroup(title: "Verdict") var margin: MarginOption

    @OptionGroup(title: "Pace") var pace: PaceOptions

    @OptionGroup(title: "Window") var window: WindowOptions

    @Option(help: "table or json.", completion: .list(["table", "json"]))
    var format = "table"

    @OptionGroup var characters: CharacterOptions

    @OptionGroup var redacting: RedactOptions

    func run() async throws {
        let redaction = try redacting.redaction()
        let format = try OutputFormat(tableOrJSON: format)
        let options = try options()
        let (difference, time) = try wanted(options)
        let source = try HistorySource(window, origins: nil)
        let context = try source.context(window)
        let recording = try source.recording(context.window)
        guard !recording.samples.isEmpty else {
            let advice = try source.advice(context.window)
            throw Failure(.noInput, "nothing was measured from \(context.span). \(advice)")
        }
        let baseline = try chosenBaseline(recording)
        let history = try ReportedHistory(source, redaction)
        let candidates = Set(aim.candidate.map(history.label))
        let forecast = try RunForecast(
            history.redaction?.applied(to: recording) ?? recording,
            baseline: history.label(baseline),
            candidates: candidates.isEmpty ? nil : candidates,
            options: options,
            pacing: pace,
            in: history.reported(context)
        )
        if let time { try forecast.check(time) }
        var document = forecast.report(difference: difference, time: time).document
        document.redaction = redaction?.sentence
        window.without.mentionUnread(isRedacted: redacting.redact)
        let terminal = Terminal.output
        try format == .json
            ? terminal.write(data: format.writer.render(document))
            : terminal.write(TextFormat.ofTerminal().render(document))
    }

    /// The options of the planned comparison.
    private func options() throws -> RunOptions {
        var options = RunOptions()
        options[.margin] = try margin.duration
        pace.set(in: &options)
        return options.over(try UserConfiguration.current().options)
    }

    private func wanted(_ options: RunOptions) throws -> (difference: Duration?, time: Duration?) {
        let difference = try Duration.read(aim.difference, of: "--difference")
        let time = try Duration.read(aim.length, of: "--for")
        try Failure.refuse([
            "give --difference 8ms to see how long it takes, or --for 10m to see what it finds":
                difference == nil && time == nil,
            "--for 0: give a time above 0, as in 10m": time == .zero,
        ])
        if let difference, difference == options.usedMargin {
            let text = DurationText.format(difference)
            throw Failure.usage(
                "--difference \(text) is the margin (\(text)), which no number of rounds decides: "
                    + "choose another --difference or --margin"
            )
        }
        return (difference, time)
    }

    /// The named baseline, or the baseline of the last run that had one.
    private func chosenBaseline(_ recording: Recording) throws -> String {
        let labels = recording.targets.map(\.label).uniqued
        for label in aim.candidate where !labels.contains(label) {
            throw Failure.usage(NearestName.unmeasured("--candidate", label, among: labels))
        }
        let last = recording.runs.sorted { $0.started < $1.started }.compactMap(\.baseline)
            .last { labels.contains($0) }
        let label = try recording.label(
            ofBaseline: aim.baseline ?? last ?? recording.targets.usualBaseline
        )
        guard aim.candidate != [label] else {
            throw Failure.usage("--candidate \(label) is the baseline: name another resolver")
        }
        return label
    }
}

/// The planned run.
struct AimOptions: ParsableArguments {
    @Option(help: "True difference to find, such as 8ms.".naming("time"))
    var difference: String?

    @Option(
        name: .customLong("for"),
        help: "Length of a run: the smallest difference that it finds.".naming("time")
    )
    var length: String?

    @Option(
        help: """
            Resolver to compare with. (default: the last run's baseline, system, or the first)
            """.naming("label")
    )
    var baseline: String?

    @Option(help: "Only this candidate; repeatable. (default: all)".naming("label"))
    var candidate: [String] = []
}
