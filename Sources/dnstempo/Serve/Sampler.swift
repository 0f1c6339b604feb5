import Store

/// Takes rounds into the store while it is served, as a watch does that prints nothing.
struct Sampler {
    private let wishes: WatchSettings
    private let starter: RoundStarter
    private let console = WatchConsole(quiet: true, view: nil)
    private var log: WatchLog

    /// Opens the store at `path`, which is made where there is none.
    init(_ wishes: WatchSettings, store path: String, durability: Store.Durability) throws {
        self.wishes = wishes
        let backlog = try RoundBacklog(path: path, durability: durability)
        starter = RoundStarter(lock: try StoreLock(store: path), console: console)
        log = WatchLog(backlog: backlog, console: console, notifier: nil, metrics: nil)
    }

    /// Goes on until all rounds were taken, or the task is cancelled: then those under way are
    /// dropped. Throws where not all could be stored.
    mutating func run() async throws {
        let measuring = Task { [starter, wishes] in await starter.run(wishes) }
        await withTaskCancellationHandler {
            // What is measured is stored to its end.
            await log.follow(starter.rounds) { measuring.cancel() }
        } onCancel: {
            measuring.cancel()
        }
        try log.check()
    }

    /// Reads campaign, configuration and names again.
    func reload() { starter.reload() }
}
