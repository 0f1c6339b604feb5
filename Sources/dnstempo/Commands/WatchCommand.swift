import ArgumentParser
import Failures
import Processes
import Runs
import Samples

struct WatchCommand: MeasuringCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Run rounds into the store on a schedule, until stopped.",
        discussion: """
            A round starts every --interval (5m); a slot that passes before its round could start \
            is skipped. Prints one line per stored round, or a live table on a terminal. Ctrl-C \
            ends it with 130, SIGTERM with 0. On SIGHUP it reads campaign, configuration and names \
            again. Queries request the server's name (NSID), unless you add --no-nsid. \
            --help-hidden adds options for experts.

            Examples:
              dnstempo watch system cloudflare quad9 --interval 1m
              dnstempo watch --campaign 2009-is-8888-faster --store 2009.sqlite
              dnstempo watch --notify desktop --notify /usr/local/bin/tell-me
              dnstempo watch --notify desktop --objective 'p95 < 50ms' --trace
              dnstempo watch --lab --interval 1s
            """
    )

    @OptionGroup(title: "Resolvers") var choice: ResolverOptions
    @OptionGroup(title: "Names") var names: NameOptions
    @OptionGroup(title: "Length of the run") var length: LengthOptions
    @OptionGroup(title: "Length of the run") var pacing: PacingOptions
    @OptionGroup(title: "Length of the run") var waking: WakeOption
    @OptionGroup(title: "Encryption") var trust: TrustOptions
    @OptionGroup(title: "Queries") var message: MessageOptions
    @OptionGroup(title: "Resolvers") var place: PlaceOptions
    @OptionGroup(title: "Store") var keeping: StoreChoice
    @OptionGroup var following: FollowingOptions
    @OptionGroup(title: "Output") var proving: EvidenceOption
    @OptionGroup(title: "Output") var looking: LiveOptions
    @OptionGroup(title: "Output") var checking: TamperOption

    @Flag(name: [.short, .long], help: "Print errors only.")
    var quiet = false

    @OptionGroup var style: TextStyleOptions

    func run() async throws {
        let durability = try keeping.storing.kind()
        let live = try looking.kind(quiet: quiet)
        let evidence = try proving.folder()
        let request = try request(length.given)
        let configuration = try await WatchConfiguration(request, TerminalConsole()) {
            [keeping, isLab = choice.lab != nil] options in
            try keeping.path(options, isLab: isLab)
        }
        let order = configuration.order
        let path = try keeping.path(order.options, isLab: order.lab != nil)
        // Without a table, each round is always a line.
        let console = WatchConsole(
            quiet: quiet,
            table: live == .table ? order : nil,
            colour: !style.noColor
        )
        if path == nil { try following.refuse("and there is no store; name one with --store") }
        try following.notices.checkRecipients()
        // The session opens its store before any query, so that no unstorable data is measured.
        let session = try ScheduledSession(
            configuration,
            store: path,
            durability,
            console,
            checks: checking.check,
            work: following.work(after: order, console),
            evidence: evidence
        )
        for note in order.notes + order.rememberedNotes { console.mention(note) }
        let awake = waking.lock()
        defer { awake?.release() }
        let watching = await Signals.whileRunning(reload: session.onHangUp) {
            Task {
                let drawing = Task { await console.follow() }
                let log = await session.run()
                drawing.cancel()
                await drawing.value
                return log
            }
        }
        let ended = await watching.value
        if !quiet { console.print(await ended.summary) }
        try await ended.check()
        try session.checkEvidence()
        if Signals.haveInterrupted { throw Failure(.interrupted, "") }
    }
}
