import ArgumentParser
import Catalogue
import Dashboard
import Samples
import Store

/// The store in a browser.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the store in a browser, as it grows.",
        discussion: """
            Prints the address to open, and serves until Ctrl-C (130) or SIGTERM (0). Only this \
            machine can look, with every account of it, unless --listen says otherwise: then, and \
            with --token, a token is needed, which is part of the address that is printed. What pages show, programs get as JSON below \
            /api/, and Prometheus below /metrics. With --sample-every it takes rounds too, as \
            watch does.

            Examples:
              dnstempo serve
              dnstempo serve --store home.sqlite --port 8080
              dnstempo serve --sample-every 1m system cloudflare quad9
              dnstempo serve --token
              dnstempo serve --listen 192.168.1.5 --token-file /etc/dnstempo/token
            """
    )

    @OptionGroup var access: AccessOptions
    @OptionGroup var storing: StoreOptions

    @Option(
        help: ArgumentHelp(
            """
            What the rounds that are shown were measured for: sample, watch, compare, import; or \
            all. (default: sample,watch)
            """,
            valueName: "list"
        )
    )
    var origin: String?

    @OptionGroup var sampling: SamplingOptions

    func run() async throws {
        let origins = try Run.Origin.list(origin, usual: [.sample, .watch])
        let durability = try storing.kind()
        let wishes = try await sampling.wishes { [storing, sampling] options in
            sampling.measuring.lab == nil ? try storing.path(options) : storing.store
        }
        var settings = try access.settings()
        settings.inUse = inUse(wishes?.settings)
        let path = try path(wishes?.settings)
        let sampler = try wishes.map { try Sampler($0, store: path, durability: durability) }
        let dashboard = try Dashboard(settings, of: path) {
            try HistorySource(stores: [path], origins: origins)
        }
        if let settings = wishes?.settings {
            Terminal.mention(settings.notes + settings.rememberedNotes)
        }
        let ending = WatchEnding()
        let serving = Task {
            try await dashboard.run { address in
                try? Terminal.output.write("dnstempo: serving \(address)\n")
            }
        }
        let measuring = sampler.map { sampler in
            Task {
                var sampler = sampler
                try await sampler.run()
            }
        }
        let stop: @Sendable () -> Void = {
            serving.cancel()
            measuring?.cancel()
        }
        try await Interruption.whileServing {
            let served = await serving.result
            stop()
            // What was measured is stored by now.
            try await measuring?.value
            try served.get()
        } stop: { signal in
            ending.note(signal)
            stop()
        } reload: { [sampler] in
            if let sampler, Terminal.standard.contains(where: { !$0.isTerminal }) {
                sampler.reload()
            } else {
                stop()
            }
        }
        if ending.isInterrupted { throw Failure(.interrupted, "") }
    }

    /// The label of what the user has, as far as it is told.
    private func inUse(_ settings: Settings?) -> String {
        if let label = sampling.measuring.baseline { return label }
        return settings.flatMap { $0.isBaselineInUse ? $0.baseline : nil } ?? "system"
    }

    /// The store that is shown, and made where rounds are taken.
    private func path(_ settings: Settings?) throws -> String {
        guard let settings else { return try HistorySource.path(storing.store) }
        guard settings.lab == nil || storing.store != nil else {
            throw Failure(
                .usage,
                "--lab: simulated resolvers are kept out of your own history; name a store with "
                    + "--store"
            )
        }
        return try storing.path(settings.options)
    }
}
