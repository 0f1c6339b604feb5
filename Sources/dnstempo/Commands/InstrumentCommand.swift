import ArgumentParser
import Catalogue
import Failures
import Reports
import Runs
import Samples

struct InstrumentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "instrument",
        abstract: "Check whether this machine can be trusted to measure.",
        discussion: """
            Queries itself over loopback: first idle, then under its own load. The load is one \
            busy thread per core, for at most 2 s. Nothing leaves this machine. The report shows \
            the error of round trips, the clocks that stamp them, the delays of timers and \
            queries, and the machine. The exit code is 0 without --fail-if.

            Examples:
              dnstempo instrument
              dnstempo instrument --duration 20s -o instrument.json
              dnstempo instrument --fail-if untrusted
            """
    )

    @Option(help: "Length of the measurement on the idle machine, 1s to 10m.".naming("time"))
    var duration = "5s"

    @Option(help: "table or json.", completion: .list(["table", "json"]))
    var format = "table"

    @OptionGroup var characters: CharacterOptions

    @Option(
        name: [.short, .long],
        help: "Write a file too: .txt .json .md or .html; repeatable.".naming("file"),
        completion: .file()
    )
    var output: [String] = []

    @Option(
        help: "Exit with 1 if the machine is 'untrusted'.".naming("condition"),
        completion: .list(["untrusted"])
    )
    var failIf: String?

    @Option(help: "Name of this vantage point; never sent. (default: the host name)".naming("name"))
    var vantage: String?

    @OptionGroup var reach: ReachOption

    @OptionGroup var redacting: RedactOptions

    func run() async throws {
        var destinations = try await Destinations(self)
        destinations.redaction = try redacting.redaction()
        let length = try Duration.read(duration, of: "--duration") ?? Self.shortest
        try Failure.refuse([
            "--duration \(duration): give a time from 1s to 10m":
                length < Self.shortest || length > Self.longest,
            "--fail-if '\(failIf ?? "")': the only condition is 'untrusted'":
                failIf != nil && failIf != "untrusted",
        ])
        let configuration = try UserConfiguration.current()
        var options = configuration.options
        options[.vantage] = vantage ?? options[.vantage]
        let vantage = try options.vantagePoint()
        destinations.redaction?.note(vantage: vantage)
        let session = InstrumentSession(
            idle: length,
            allowed: try reach.allowed(configuration)
        )
        let made = Timestamp.now
        let report = InstrumentReport(
            try await session.readings(),
            made: made,
            vantage: destinations.redaction?.vantage(vantage) ?? vantage,
            toolVersion: Version.text
        )
        try await destinations.write(report)
        if failIf != nil, !report.isTrusted {
            throw Failure(.condition, "--fail-if untrusted: \(report.headline)")
        }
    }

    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(600)
}
