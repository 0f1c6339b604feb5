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

struct DigestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest",
        abstract: "Summarise a week or a month on one page, for mail.",
        discussion: """
            The page shows availability, the objective, incidents, whether another resolver is better, \
            and what to do. 'dnstempo schedule install --digest weekly' sends it each Monday.

            Examples:
              dnstempo digest                             the last 7 days
              dnstempo digest --over month -o month.html  the last whole month, as a page
              dnstempo digest --over week -q              nothing, unless there is news
              dnstempo digest --objective 'p95 < 50ms' --mail you@example.com
            """
    )

    @OptionGroup(title: "Window") var window: WindowOptions

    @Option(
        help: "The last whole week or month, or a time up to --until. (default: 7d)"
            .naming("week|month|time"),
        completion: .list(["week", "month"])
    )
    var over: String?

    @Option(
        help: "The resolver in use. (default: of the configuration, else system)".naming("label")
    )
    var baseline: String?

    @OptionGroup var promise: ObjectiveOption
    @OptionGroup(title: "Verdict") var margin: MarginOption
    @OptionGroup(title: "Output") var output: DigestOutput
    @OptionGroup(title: "Output") var redacting: RedactOptions

    /// Checks what can be checked before the digest is due.
    @discardableResult func check() throws -> (DigestPeriod?, MailRecipient?) {
        try Failure.refuse([
            "--over and --since cannot be combined: both set the beginning of the window":
                over != nil && window.since != nil,
            "--mail and --format cannot be combined: a mail has a text and a page":
                output.mail != nil && output.format != nil,
        ])
        _ = (try promise.wanted, try margin.duration)
        return (
            try over.map { try DigestPeriod($0, of: "--over") },
            try output.mail.map { address in try MailRecipient(address) }
        )
    }

    func run() async throws {
        let (period, recipient) = try check()
        let redaction = try redacting.redaction()
        var destinations = try await Destinations(output)
        try destinations.keep(window.inputs)
        let source = try HistorySource(window)
        let context = try context(of: source, period)
        let charts = WantedCharts([.timeline], fromFirstRound: window.since == nil)
        let history = try ReportedHistory(source, redaction)
        destinations.redaction = history.redaction
        let reader = history.reader(context, charts: charts)
        let configured = try UserConfiguration.options()
        let wanted = baseline ?? configured[.baseline] ?? "system"
        if baseline != nil { try source.commonLabels().check(baseline: wanted) }
        let report = try reader.digest(
            over: period ?? .last(context.window.upperBound.since(context.window.lowerBound)),
            inUse: history.label(wanted),
            rules: ComparisonRules(margin: try margin.duration ?? .usualMargin),
            objective: try promise.wanted ?? configured.objective
        )
        let isSilent = output.quiet && !report.hasNews
        if isSilent || recipient != nil { destinations.silence() }
        try await destinations.write(report) { document in
            try charts.draw(on: &document, isOne: false, by: reader)
        }
        guard let recipient, !isSilent else { return }
        let place = report.place.map { " \($0)" } ?? ""
        var document = report.document
        document.redaction = redaction?.sentence
        try await recipient.send(document, subject: "dnstempo\(place): \(report.headline)")
    }

    /// The window of the period on this system's clock.
    private func context(
        of source: HistorySource,
        _ period: DigestPeriod?
    ) throws -> WindowContext {
        var length: Duration?
        if case .last(let time)? = period { length = time }
        let context = try source.context(window, last: length)
        let today = context.clock.time(at: context.window.upperBound).date
        guard let days = period?.days(before: today) else { return context }
        var options = window
        (options.since, options.until) = ("\(days.lowerBound)", "\(days.upperBound)")
        return try source.context(options)
    }
}

struct DigestOutput: ParsableArguments {
    @Option(
        help: "Mail it to this address, by this machine's sendmail, and print nothing."
            .naming("address")
    )
    var mail: String?

    @Flag(name: .shortAndLong, help: "Print and mail only if there is news; files are written.")
    var quiet = false

    @Option(
        help: "Format of standard output: table, csv, json or markdown. (default: table)"
            .naming("format"),
        completion: .list(["table", "csv", "json", "markdown"])
    )
    var format: String?

    @OptionGroup var files: OutputFileOptions

    @OptionGroup var style: TextStyleOptions
}
