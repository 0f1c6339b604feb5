import ArgumentParser
import Catalogue
import Failures
import Measurement
import Samples

struct WatchCommand: MeasuringCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Run rounds into the store on a schedule, until stopped.",
        discussion: """
            A round starts every --interval (5m); a slot that passes before its round could start \
            is skipped. Each stored round is a line on standard output; on a terminal there is a \
            live table. Ctrl-C ends it with 130, SIGTERM with 0; SIGHUP has it read campaign, \
            configuration and names again. Queries request the server's name (NSID), unless you add \
            --no-nsid. --help-hidden adds options for experts.

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

    @Flag(help: "Disable colour, as NO_COLOR does.")
    var noColor = false

    @Flag(help: .ascii)
    var ascii = false

    private var measuring: MeasuringOptions { MeasuringOptions(self, length) }

    func run() async throws {
        let durability = try keeping.storing.kind()
        let live = try looking.kind(quiet: quiet)
        let evidence = try proving.folder()
        let configuration = try await WatchConfiguration(measuring) {
            [keeping, measuring] options in
            try keeping.path(options, isLab: measuring.choice.lab != nil)
        }
        let settings = configuration.settings
        let path = try keeping.path(settings.options, isLab: settings.lab != nil)
        // Without a table, each round is a line in any case.
        let console = WatchConsole(
            quiet: quiet,
            table: live == .table ? settings : nil,
            colour: !noColor
        )
        if path == nil { try following.refuse("and there is none; name one with --store") }
        try following.notices.checkRecipients()
        // Its store is opened before anything is sent: what cannot be stored need not be asked.
        let session = try ScheduledSession(
            configuration,
            store: path,
            durability,
            console,
            checks: checking.check,
            work: following.work(after: settings, console),
            evidence: evidence
        )
        for note in settings.notes + settings.rememberedNotes { console.mention(note) }
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

/// Settings of a watch, made again when it is told to or the machine's resolvers changed.
struct WatchConfiguration {
    private var flags: MeasuringOptions
    /// Whether somebody else tells when it is over, and not the options.
    private let isEndless: Bool
    private(set) var settings: Settings
    private var system: SystemResolvers
    /// Those of which settings could not be made when they were found.
    private var failed: SystemResolvers?
    /// The store that knows where resolvers were asked before.
    private let rounds: @Sendable (RunOptions) throws -> String?

    init(
        _ flags: MeasuringOptions,
        isEndless: Bool = false,
        rounds: @escaping @Sendable (RunOptions) throws -> String?
    ) async throws {
        self.flags = flags
        self.isEndless = isEndless
        self.rounds = rounds
        system = SystemResolvers()
        settings = try await Preparation(flags).settings(remembering: rounds)
        // Who agreed to have the history read did so for the whole watch.
        self.flags.names.yes = flags.names.domainsFrom != nil
        try check()
    }

    /// From start to start of rounds, where the pace does not need longer.
    var interval: Duration { settings.options[.interval] ?? .seconds(300) }

    /// How long the queries of a round take to be sent, those of its warm-up too.
    var length: Duration {
        var plan = settings.plan
        (plan.rounds, plan.interval) = (1, .zero)
        return plan.estimatedDuration
    }

    /// Whether no round follows after `rounds`, which would begin `time` after the start.
    func isOver(after rounds: Int, at time: Duration) -> Bool {
        guard !isEndless else { return false }
        let options = settings.options
        return options[.rounds].map { rounds >= $0 } ?? false
            || options[.duration].map { time >= $0 } ?? false
    }

    /// Throws where uncached names would be asked for more often than a resolver should get them.
    private func check() throws {
        let least = settings.plan.uncachedInterval()
        guard settings.lab == nil, settings.plan.zoneCount > 0, interval < least else { return }
        throw Failure.usage(
            "--interval \(DurationText.format(interval)): of uncached names a resolver is asked "
                + "\(Plan.mostUncached) an hour at most; with so many zones take "
                + "\(DurationText.format(.seconds(Int64((least / .seconds(1)).rounded(.up))))) "
                + "or more"
        )
    }

    /// Reads campaign, configuration and names again, or stays as it was.
    mutating func reload() async throws {
        let now = SystemResolvers()
        settings = try await preparedAgain()
        system = now
    }

    private func preparedAgain() async throws -> Settings {
        try await Preparation(flags, keeping: settings.lab).settings(remembering: rounds)
    }

    /// Follows the machine's own resolvers where they are asked: what changed, in words. Where it
    /// cannot, it throws once and tries again each time.
    mutating func followSystem() async throws -> String? {
        guard settings.resolvers.contains(where: \.isOfThisMachine) else { return nil }
        let now = SystemResolvers()
        guard now != system else { return nil }
        let changed: Settings
        do {
            changed = try await preparedAgain()
        } catch {
            guard failed != now else { return nil }
            failed = now
            throw error
        }
        (system, failed) = (now, nil)
        let difference = Self.difference(from: settings.resolvers, to: changed.resolvers)
        if difference != nil { settings = changed }
        return difference
    }

    private static func difference(from old: [Resolver], to new: [Resolver]) -> String? {
        func isSame(_ left: Resolver, _ right: Resolver) -> Bool {
            left.label == right.label && left.endpoint.transport == right.endpoint.transport
        }
        let changes = new.compactMap { resolver -> String? in
            guard let before = old.first(where: { isSame($0, resolver) }) else {
                return "\(resolver.label) (\(resolver.endpoint)) is asked from now on"
            }
            return before.endpoint == resolver.endpoint
                ? nil : "\(resolver.label) is now \(resolver.endpoint), was \(before.endpoint)"
        }
        let gone = old.filter { resolver in !new.contains { isSame($0, resolver) } }
            .map { "\($0.label) (\($0.endpoint)) is not asked any more" }
        let all = changes + gone
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }
}

extension Resolver {
    fileprivate var isOfThisMachine: Bool {
        switch origin {
        case .system, .gateway: true
        case .catalogue, .lab, .address: false
        }
    }
}
