import ArgumentParser
import CMemory
import Catalogue
import Central
import Dashboard
import Failures
import Files
import History
import Processes
import Runs
import Statistics
import Store

struct ServeCommand: MeasuringCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the store in a browser, as it grows.",
        discussion: """
            Prints the address to open, and serves until Ctrl-C (130) or SIGTERM (0). Every \
            account of this machine can open it, other machines only with --listen. With --listen \
            or --token, a token is required; the printed address contains it. Programs get the \
            same data as JSON below /api/, Prometheus below /metrics. With --sample-every it runs \
            rounds too, as watch does; resolvers, names and options of queries apply to these. \
            Like watch, it can process each stored round: --notify, --trace, --textfile, --ship, \
            --mqtt, --otlp, --remote-write. These queries request the server's name (NSID), unless you add \
            --no-nsid. --help-hidden lists all options.

            Examples:
              dnstempo serve
              dnstempo serve --store home.sqlite --port 8080
              dnstempo serve --store postgresql://reader@db.example/dns
              dnstempo serve --sample-every 1m system cloudflare quad9
              dnstempo serve --objective 'p95 < 50ms'
              dnstempo serve --token
              dnstempo serve --listen 192.168.1.5 --token-file /etc/dnstempo/token
            """
    )

    @Option(
        help:
            "Address to listen on; other machines need the token. (default: 127.0.0.1)"
            .naming("address")
    )
    var listen: String?

    @Option(help: "Port to listen on; 0 for any free port.".naming("port"))
    var port = DashboardSettings.usualPort

    @Option(
        help: """
            Answer under this name too, such as that of a proxy or of a published port; repeatable.
            """.naming("name[:port]")
    )
    var host: [String] = []

    @Flag(help: "Require the token on this machine too.")
    var token = false

    @Option(
        help:
            "File whose first line is the token, which is then required. (default: a new token per start)"
            .naming("file"),
        completion: .file()
    )
    var tokenFile: String?

    @OptionGroup(title: "Store") var storing: StoreOptions

    @Option(
        help: """
            Show rounds of sample, watch, compare, import, or all. (default: sample,watch; if \
            there are none, all)
            """.naming("list"),
        completion: .origins
    )
    var origin: String?

    @OptionGroup var without: LeftOutOption
    @OptionGroup var following: FollowingOptions

    @Option(
        help: "Also run rounds at this interval, such as 1m.".naming("time")
    )
    var sampleEvery: String?

    @OptionGroup(title: "Resolvers") var choice: ResolverOptions
    @OptionGroup(title: "Names") var names: NameOptions
    @OptionGroup var refused: RefusedLength
    @OptionGroup(title: "Length of the run", visibility: .ofRounds)
    var pacing: PacingOptions
    @OptionGroup(title: "Encryption", visibility: .ofRounds) var trust: TrustOptions
    @OptionGroup(title: "Queries", visibility: .ofRounds) var message: MessageOptions
    @OptionGroup(title: "Resolvers", visibility: .ofRounds) var place: PlaceOptions
    @OptionGroup(title: "Resolvers", visibility: .ofRounds) var checking: TamperOption

    func run() async throws {
        let durability = try storing.kind()
        let configuration = try await configuration {
            [storing, isLab = choice.lab != nil] options in
            isLab ? storing.named.store : try storing.path(options)
        }
        var settings = try accessSettings()
        settings.inUse = configuration?.order.inUse ?? "system"
        settings.baseline = configuration?.order.baseline
        settings.objective =
            try following.notices.promise.wanted ?? configured(configuration?.order)
        let path = try path(configuration?.order)
        _ = try without.places(of: [path])
        let console = WatchConsole(quiet: true)
        let session = try configuration.map {
            try ScheduledSession(
                $0,
                store: path,
                durability,
                console,
                checks: checking.check,
                work: following.work(after: $0.order, onPages: true, console)
            )
        }
        let target = try CentralAddress(ofAll: [path])
        let dashboard = try Dashboard(settings) {
            if let target { return try CentralWatcher(target.connection()) }
            return try FileWatcher(path)
        } open: {
            let source = try HistorySource(
                served: path,
                origin: origin,
                without: without.withoutPlace
            )
            let showsWhatThereIs = origin == nil && session == nil
            return (
                { try showsWhatThereIs ? source.showingWhatThereIs() : source },
                target == nil ? try source.storeOfSums() : source
            )
        }
        if let settings = configuration?.order {
            (settings.notes + settings.rememberedNotes).forEach(Terminal.mention)
        }
        try following.notices.checkRecipients()
        // Memory used for the start is returned before pages are served.
        cmemory_give_back()
        let serving = await Signals.whileRunning(reload: session?.onHangUp) {
            Task {
                try await withTaskCancellationHandler {
                    try await serve(dashboard, session)
                } onCancel: {
                    // A page may wait for a central store, and the end waits for the page.
                    StopDescriptor.program.hangUp()
                }
            }
        }
        try await serving.value
        if Signals.haveInterrupted { throw Failure(.interrupted, "") }
    }

    private func serve(_ dashboard: Dashboard, _ session: ScheduledSession?) async throws {
        try await withThrowingTaskGroup { group in
            if let session {
                group.addTask { try await session.run().check() }
            }
            try await dashboard.run { address in
                try? Terminal.output.write("dnstempo: serving \(address)\n")
            }
            group.cancelAll()
            // Measured data is stored completely.
            try await group.waitForAll()
        }
    }

    private func configured(_ settings: RunOrder?) throws -> ServiceObjective? {
        if let settings { return try settings.options.objective }
        return try UserConfiguration.options().objective
    }

    /// The path of the shown store. The store is created if rounds are measured.
    private func path(_ settings: RunOrder?) throws -> String {
        guard let settings else { return try storing.named.pathOfHistory() }
        guard settings.lab == nil || storing.named.store != nil else {
            throw Failure.usage(
                "--lab: simulated resolvers are kept out of your own history; name a store with "
                    + "--store"
            )
        }
        return try storing.path(settings.options)
    }

    private func accessSettings() throws -> DashboardSettings {
        let address = try address()
        let known = try tokenFile.map { path in
            try InputFile.token(path, form: "16 to 512 letters, digits and -._~") {
                AccessToken($0)
            }
        }
        let isNeeded = token || !address.isLoopback
        var settings = DashboardSettings(
            address: address,
            toolVersion: Version.text,
            now: { .now }
        )
        settings.port = port
        settings.token = known ?? (isNeeded ? .random() : nil)
        settings.hosts = try Set(host.map { name throws(Failure) in try Self.authority(name) })
        return settings
    }

    /// The name and the port as a browser sends them.
    private static func authority(_ name: String) throws(Failure) -> String {
        let (host, port) = Endpoint.split(name[...])
        let isName =
            IPAddress(String(host)) != nil
            || (1...253).contains(host.utf8.count)
                && host.utf8.allSatisfy { $0.isAlphanumeric || "-._".utf8.contains($0) }
        guard isName, port.map({ Endpoint.port($0) != nil }) ?? true else {
            throw Failure.usage(
                "--host '\(name)': write a name that browsers use, such as dns.example or "
                    + "localhost:8080"
            )
        }
        return name.lowercased()
    }

    private func address() throws(Failure) -> IPAddress {
        let text = listen ?? "127.0.0.1"
        guard let address = IPAddress(text) else {
            throw Failure.usage(
                "--listen: '\(text)' is not an address; write one of this machine's, such as "
                    + "192.168.1.5 or ::1, and the port with --port"
            )
        }
        return address
    }

    /// The configuration of a watch that stores its `rounds` there. `nil` if nothing is measured.
    private func configuration(
        rounds: @escaping @Sendable (RunOptions) throws -> String?
    ) async throws -> WatchConfiguration? {
        try refused.refuse("serve runs rounds as --sample-every says; leave it out, or use watch")
        guard let sampleEvery else {
            try following.refuse("and it takes rounds to fill it: add --sample-every 1m")
            guard try request() == RunRequest(), checking.check, storing.durability == nil
            else {
                throw Failure.usage(
                    "resolvers, names and other options of rounds need rounds: add --sample-every "
                        + "1m, or leave them out"
                )
            }
            return nil
        }
        _ = try Duration.read(sampleEvery, of: "--sample-every")
        return try await WatchConfiguration(
            request((nil, nil, sampleEvery, nil)),
            TerminalConsole(),
            isEndless: true,
            rounds: rounds
        )
    }
}

extension ArgumentVisibility {
    /// The visibility of options for rounds in a command with another main purpose.
    fileprivate static var ofRounds: ArgumentVisibility { "".forExperts.visibility }
}
