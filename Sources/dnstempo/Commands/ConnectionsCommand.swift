import ArgumentParser
import Catalogue
import Failures
import Files
import Reports
import Runs
import Samples
import Statistics

struct ConnectionsCommand: MeasuringCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "Observe how long resolvers keep idle connections, and what that costs.",
        discussion: """
            Opens connections over TCP and encrypted transports (by default all of each resolver), and \
            sends nothing on one of them until the server ends it, or for --up-to. Where a server drops connections silently, at most six \
            more gaps find its idle timeout. Also shows who ends the connection, the order of \
            answers, tickets and early data, and the share of your queries that open a connection. \
            Ctrl-C shows what is known so far.

            Examples:
              dnstempo connections quad9 --transport tls,https
              dnstempo connections tls://192.0.2.53 --up-to 1m --at-rate 30
              dnstempo connections system quad9 --pattern queries.csv -o connections.html
            """
    )

    @OptionGroup(title: "Resolvers") var choice: ResolverOptions

    @OptionGroup(title: "Connections") var observation: ObservationOptions

    @OptionGroup(title: "Names") var names: NameOptions

    @OptionGroup(title: "Pace") var pacing: PacingOptions

    @OptionGroup(title: "Encryption") var trust: TrustOptions

    @OptionGroup(title: "Queries") var message: MessageOptions

    @OptionGroup(title: "Resolvers") var place: PlaceOptions

    @Option(
        help: "Format of standard output: table, csv, json or markdown.".naming("format"),
        completion: .list(["table", "csv", "json", "markdown"])
    )
    var format = "table"

    @OptionGroup var characters: CharacterOptions

    @OptionGroup var redacting: RedactOptions

    @Option(
        name: [.short, .long],
        help: "Write a file too: .txt .csv .json .md or .html; repeatable.".naming("file"),
        completion: .file()
    )
    var output: [String] = []

    func run() async throws {
        var redaction = try redacting.redaction()
        var destinations = try await Destinations(self)
        try destinations.keep([observation.pattern, choice.lab].compactMap(\.self))
        let (upTo, handshakes) = (try observation.longestGap, try observation.countedHandshakes)
        let traffic = try observation.traffic
        try refuseUnused()
        var request = try request()
        // All transports of each resolver, except UDP.
        request.options[.transports] = request.options[.transports] ?? .all
        request.observesConnections = true
        request.options[.nsid] = request.options[.nsid] ?? false
        let order = try await OrderBuilder(request, TerminalConsole()).order()
        redaction?.note(order)
        let session = try ConnectionSession(order, upTo: upTo, handshakes: handshakes)
        mention(session)
        let started = Timestamp.now
        let (readings, interrupted) = await session.readings(
            onEnd: Terminal.noteAsked(isRedacted: redacting.redact)
        )
        order.lab?.stop()
        for reading in readings { redaction?.note(reading.target) }
        let report = ConnectionReport(
            redaction.map { readings.map($0.applied) } ?? readings,
            for: redaction == nil ? traffic : traffic.map(\.withoutResolver),
            upTo: upTo,
            context: .command(since: started, redaction)
        )
        destinations.redaction = redaction
        try await destinations.write(report)
        if interrupted { throw Failure(.interrupted, "") }
        if readings.allSatisfy({ $0.openings.isEmpty }) {
            throw Failure.noAnswer("is there a network, and do they accept connections?")
        }
    }

    /// States the longest time of the run before it starts.
    private func mention(_ session: ConnectionSession) {
        let count = session.resolvers.count.of("connection", "connections")
        let usual = LatencyFormat.span(session.usualTime)
        let longest = LatencyFormat.span(session.longestTime)
        Terminal.mention(
            "watches \(count) at once: at most \(usual), or \(longest) if a server drops connections "
                + "silently; Ctrl-C shows what is known so far"
        )
    }

    private func refuseUnused() throws(Failure) {
        func unused(_ option: String) -> String {
            "\(option) has no effect on connections: leave it out"
        }
        try Failure.refuse([
            unused("--series"): names.series != nil,
            unused("--expect"): !names.expectations.isEmpty,
            unused("--baseline"): choice.baseline != nil,
            unused("--connections"): trust.connections != nil,
            unused("--warmup"): pacing.warmup != nil,
            unused("--sampling"): pacing.sampling != nil,
            unused("--seed"): pacing.seed != nil,
            unused("--floor"): pacing.floor != nil,
        ])
    }
}

struct ObservationOptions: ParsableArguments {
    @Option(help: "Longest gap without a query, 1s to 1h.".naming("time"))
    var upTo = "5m"

    @Option(
        help: "Queries per hour for which the cost is shown; repeatable. (default: 20, 60, 600)"
            .naming("n")
    )
    var atRate: [Double] = []

    @Option(
        help: "Recorded traffic: a samples file, or CSV with the columns time and name."
            .naming("file"),
        completion: .file()
    )
    var pattern: String?

    @Option(
        help: "Connections to open, new and with a ticket, 1 to 50 each.".naming("n").forExperts
    )
    var handshakes = 6

    private static let usualRates: [Double] = [20, 60, 600]
    private static let mostRates = 10

    var longestGap: Duration {
        get throws(Failure) {
            let gap = try Duration.read(upTo, of: "--up-to") ?? .zero
            guard (.seconds(1)...(.seconds(3600))).contains(gap) else {
                throw Failure.usage("--up-to \(upTo): give a time from 1s to 1h")
            }
            return gap
        }
    }

    var countedHandshakes: Int {
        get throws(Failure) {
            guard (1...50).contains(handshakes) else {
                throw Failure.usage("--handshakes \(handshakes): give a number from 1 to 50")
            }
            return handshakes
        }
    }

    /// The traffic for which costs are shown.
    var traffic: [ConnectionTraffic] {
        get throws {
            if let wrong = atRate.first(where: { !(0.01...3_600_000).contains($0) }) {
                throw Failure.usage(
                    "--at-rate \(wrong): give the queries per hour, from 0.01 to 3600000"
                )
            }
            guard atRate.count <= Self.mostRates else {
                throw Failure.usage("--at-rate: give at most \(Self.mostRates) rates")
            }
            let rates = atRate.isEmpty ? Self.usualRates : atRate
            let recorded = try pattern.map { ConnectionTraffic.pattern(try QueryPattern(file: $0)) }
            return rates.map { .rate($0) } + [recorded].compactMap(\.self)
        }
    }
}

extension QueryPattern {
    /// Reads the times of queries from a samples file, or from a list of times and names.
    init(file path: String) throws {
        let chunks = try InputChunks(path)
        if Self.isList(try chunks.beginning()) {
            try self.init(list: try InputFile.bytes(of: chunks), file: path)
        } else if let pattern = Self(try Recording(file: path)) {
            self = pattern
        } else {
            let advice = "give a samples file, or times and names"
            throw Failure(.badData, "'\(path)' has no query: \(advice)")
        }
    }
}
