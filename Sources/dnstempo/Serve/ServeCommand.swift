import ArgumentParser
import Catalogue
import Dashboard
import Measurement
import Store

/// The store in a browser.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the store in a browser, as it grows.",
        discussion: """
            Prints the address to open, and serves until Ctrl-C (130) or SIGTERM (0). Only this \
            machine can look, unless --listen says otherwise: then a token is needed, which is \
            part of the address that is printed. What pages show, programs get as JSON below /api/.

            Examples:
              dnstempo serve
              dnstempo serve --store home.sqlite --port 8080
              dnstempo serve --listen 192.168.1.5 --token-file /etc/dnstempo/token
            """
    )

    @OptionGroup var named: NamedStore
    @OptionGroup var access: AccessOptions

    @Option(
        help: ArgumentHelp(
            "The resolver that you use, which the others are held against. (default: system)",
            valueName: "label"
        )
    )
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            """
            What the rounds were measured for: sample, watch, compare, import; or all. (default: \
            sample,watch)
            """,
            valueName: "list"
        )
    )
    var origin: String?

    func run() async throws {
        let origins = try Store.Origin.list(origin, usual: [.sample, .watch])
        let settings = try access.settings(inUse: baseline ?? "system")
        let path = try HistorySource.path(named)
        let dashboard = try Dashboard(settings, of: [path]) {
            try HistorySource(stores: [path], origins: origins)
        }
        let ending = WatchEnding()
        let serving = Task {
            try await dashboard.run { address in
                try? Terminal.output.write("dnstempo: serving \(address)\n")
            }
        }
        try await Interruption.whileServing {
            try await serving.value
        } stop: { signal in
            ending.note(signal)
            serving.cancel()
        } reload: {
            serving.cancel()
        }
        if ending.isInterrupted { throw Failure(.interrupted, "") }
    }
}
