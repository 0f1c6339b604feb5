import ArgumentParser
import Failures
import Processes
import Runs
import Samples
import Scheduling
import Store

struct SampleCommand: MeasuringCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Run one round into the store; made for cron.",
        discussion: """
            Silent unless it cannot do its work: dead resolvers, or no network, are recorded. Once \
            a day it checks first that resolvers and network return true answers, and prints a \
            line if not. 'dnstempo schedule install' has cron run it. Queries request the server's \
            name (NSID), unless you add --no-nsid. --help-hidden adds options for experts.

            Examples:
              dnstempo sample system cloudflare quad9 --splay 30s
              dnstempo sample --campaign home.toml --store home.sqlite
              dnstempo sample system quad9 --notify desktop --notify ./tell-me
              dnstempo sample system --textfile /var/lib/prometheus/node-exporter/dns.prom
              dnstempo sample --lab --store lab.sqlite
            """
    )

    @OptionGroup(title: "Resolvers") var choice: ResolverOptions
    @OptionGroup(title: "Names") var names: NameOptions
    @OptionGroup var refused: RefusedLength
    @OptionGroup(title: "Length of the run") var pacing: PacingOptions
    @OptionGroup(title: "Encryption") var trust: TrustOptions
    @OptionGroup(title: "Queries") var message: MessageOptions
    @OptionGroup(title: "Resolvers") var place: PlaceOptions
    @OptionGroup(title: "Store") var storing: StoreOptions
    @OptionGroup var following: FollowingOptions
    @OptionGroup(title: "Output") var checking: TamperOption

    @Option(
        help: "Start at a random time within this, such as 30s. (default: at once)".naming("time")
    )
    var splay: String?

    @Option(
        help: "Schedule that this round belongs to; 'schedule install' adds it.".naming("name")
            .forExperts
    )
    var schedule: String?

    @Flag(name: [.short, .long], help: "Print errors only (the default).")
    var quiet = false

    var measuring: MeasuringOptions { MeasuringOptions(self) }

    /// Throws where its options are refused before any round, which `store` is named for.
    func check(store: String?) throws {
        try refused.refuse("sample runs one round; leave it out, or use compare or watch")
        guard choice.lab == nil || store != nil else {
            throw Failure.usage(
                "sample --lab: name a store with --store, so that yours keeps to real resolvers"
            )
        }
        _ = try storing.kind()
    }

    func run() async throws {
        let splay = try Duration.read(self.splay, of: "--splay") ?? .zero
        let schedule = try self.schedule.map {
            try ScheduleName($0, option: "--schedule").description
        }
        try check(store: storing.named.store)
        let durability = try storing.kind()
        let order = try await OrderBuilder(measuring.request(), TerminalConsole()).order(
            remembering: storing.path
        )
        let path = try storing.path(order.options)
        let work = try following.work(after: order, WatchConsole(quiet: true))
        // Opened before anything is sent: what cannot be stored need not be asked. Before the lock
        // too, which stands in the store's folder.
        let store = try Store(path: path, durability: durability)
        let lock = try StoreLock(store: path)
        if schedule == nil { try lock.takeNow() }
        try await Task.sleep(for: splay * Double.random(in: 0..<1))
        // Schedules that share a store begin at the same second: one waits for the other.
        if schedule != nil { try await lock.take(within: .seconds(60)) }
        let run = Run(order, origin: .sample, schedule: schedule)
        let latest = try store.latestResponses(from: run.vantage, count: 1).last?.started
        let isFirstOfDay = latest.map { $0.startOfDay < run.started.startOfDay }
        // The first round of all is quick.
        let checks = checking.check && isFirstOfDay == true
        let measuring = await Signals.whileRunning {
            Task {
                let tampering =
                    checks
                    ? await TamperCheck.tampering(order) { Terminal.mention($0) } : [:]
                let session = Session(order, run: run, tampering: tampering)
                let round = await session.round(1)
                if isFirstOfDay != false {
                    await session.siteQueries.sentences(after: round)
                        .forEach { Terminal.mention($0) }
                }
                session.distrust.takeNews(among: order.resolvers).forEach(Terminal.mention)
                return round
            }
        }
        // A round that was cut short says nothing of those that were not asked yet.
        guard let round = await measuring.value else { throw Failure(.interrupted, "") }
        try store.append(round.recording)
        // Without a network no name can be looked up, which the round says.
        if !round.round.marks.contains(.offline) {
            order.rememberedNotes.forEach(Terminal.mention)
        }
        let figures = Result { try work.metrics?(store) }
        func follow(_ target: any RoundTarget) async {
            let follower = RoundFollower(target, path, durability) { Terminal.mention($0) }
            follower.roundStored(round)
            await follower.finish()
        }
        await follow(work.judge)
        lock.release()
        for other in work.others { await follow(other) }
        try figures.get()
    }
}
