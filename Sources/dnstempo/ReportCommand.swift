import ArgumentParser
import Reports

/// What happened over a window.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report how fast resolvers were over days or months."
    )

    @OptionGroup var window: WindowOptions

    func run() async throws {
        let source = try HistorySource(window)
        let context = try window.window(span: source.spanOfFiles)
        var tally = WindowTally(by: .resolver, clock: context.clock)
        for round in try source.rounds(context.window) { tally.add(round) }
        _ = try source.read(
            context.window,
            samples: { tally.add($0, logsRounds: false) },
            sum: { tally.add($0) }
        )
        let report = WindowReport(of: tally, context: context)
        let width = Terminal.output.size.columns
        let text = report.render(as: .text, width: width, colour: Terminal.output.allowsColour)
        try Terminal.output.write(text ?? "")
    }
}
