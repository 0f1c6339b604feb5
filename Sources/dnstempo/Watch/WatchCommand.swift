import ArgumentParser

/// Rounds on a schedule, until told to stop.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Take rounds into the store on a schedule, until it is stopped.",
        discussion: """
            A round starts every --interval (5m), by a clock that goes on in suspend and that \
            nobody sets; a slot that is over before its round could start is left out. Each round \
            is a line on standard output once it is stored; on a terminal there is a live view.

            Ctrl-C ends it with 130, SIGTERM with 0, after the round that is being stored. SIGHUP \
            has it read campaign, configuration and names again. As a systemd service it needs \
            only ExecStart=/usr/local/bin/dnstempo watch --store /var/lib/dnstempo/home.sqlite, \
            ExecReload=kill -HUP $MAINPID and Restart=on-failure.

            Examples:
              dnstempo watch system cloudflare quad9 --interval 1m
              dnstempo watch --campaign 2009-is-8888-faster --store 2009.sqlite
              dnstempo watch --notify desktop --notify /usr/local/bin/tell-me
              dnstempo watch --lab --interval 1s
            """
    )

    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup var keeping: StoreChoice
    @OptionGroup var notices: NoticeOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var looking: LiveOptions

    @Flag(name: [.short, .long], help: "Print nothing but what goes wrong.")
    var quiet = false

    @Flag(help: "No colour, as with NO_COLOR.")
    var noColor = false

    func run() async throws {
        let durability = try keeping.storing.kind()
        let live = try looking.kind(quiet: quiet)
        let wishes = try await WatchSettings(measuring) { [keeping, measuring] options in
            try keeping.path(options, isLab: measuring.lab != nil)
        }
        let settings = wishes.settings
        let path = try keeping.path(settings.options, isLab: settings.lab != nil)
        // Opened before anything is sent: what cannot be stored need not be asked.
        let backlog = try path.map { try RoundBacklog(path: $0, durability: durability) }
        let lock = try path.map { try StoreLock(store: $0) }
        let terminals = Terminal.standard.filter(\.isTerminal)
        // Without a table, each round is a line in any case.
        let view = live == .table ? WatchView(settings, colour: !noColor) : nil
        let console = WatchConsole(quiet: quiet, view: view)
        let notifier = try notifier(console, store: path)
        let metrics = try metricsFile(store: path)
        for note in settings.notes + settings.rememberedNotes { console.mention(note) }
        let starter = RoundStarter(lock: lock, console: console)
        let ending = WatchEnding()
        let measuring = Task { await starter.run(wishes) }
        let drawing = Task { await console.follow() }
        var log = WatchLog(
            backlog: backlog,
            console: console,
            notifier: notifier,
            metrics: metrics
        )
        await Interruption.whileServing {
            await log.follow(starter.rounds) { measuring.cancel() }
        } stop: { signal in
            ending.note(signal)
            measuring.cancel()
        } reload: {
            if terminals.allSatisfy(\.isTerminal) {
                starter.reload()
            } else {
                // The window was closed: nobody is there to look on any more.
                measuring.cancel()
            }
        }
        drawing.cancel()
        await drawing.value
        if !quiet { console.print(log.summary) }
        try log.check()
        if ending.isInterrupted { throw Failure(.interrupted, "") }
    }

    /// The file of the store's figures.
    private func metricsFile(store path: String?) throws -> MetricsFile? {
        guard path != nil || metrics.textfile == nil else {
            throw Failure(
                .usage,
                "--textfile: the figures are those of a store, and there is none; name one with "
                    + "--store"
            )
        }
        return try MetricsFile(metrics)
    }

    /// Who is told of what happens; looked at now, while somebody is there who can mend it.
    private func notifier(_ console: WatchConsole, store path: String?) throws -> Notifier? {
        guard path != nil || notices.notify.isEmpty else {
            throw Failure(
                .usage,
                "--notify: what was told is kept in a store, and there is none; name one with "
                    + "--store"
            )
        }
        for word in notices.notify { _ = try NoticeRecipient.absolute(word) }
        return try Notifier(notices) { console.warn($0) }
    }
}
