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
            Prints errors only; dead resolvers, or a missing network, are recorded. Once a day it \
            first checks that resolvers and network return true answers, and prints a line if not. \
            'dnstempo schedule install' makes cron run it. Queries request the server's name \
            (NSID), unless you add --no-nsid. --help-hidden adds options for experts.

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

    /// Throws if the options are invalid, before any round. `store` is the named store.
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
        let order = try await OrderBuilder(request(), TerminalConsole()).order(
            remembering: storing.path
        )
        let session = try SampleSession(
            order,
            store: storing.path(order.options),
            durability,
            TerminalConsole(),
            checks: checking.check,
            work: following.work(after: order, WatchConsole(quiet: true)),
            schedule: schedule
        )
        try await session.run(splay: splay)
    }
}
