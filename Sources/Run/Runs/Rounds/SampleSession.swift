import Failures
import Processes
import Samples
package import Store

/// Measures one round for a store, and does the work that follows.
package struct SampleSession {
    private let order: RunOrder
    private let path: String
    private let durability: Store.Durability
    private let console: any RunConsole
    private let checks: Bool
    private let work: StoredRoundWork
    /// Name of the schedule that the round belongs to.
    private let schedule: String?
    private let store: Store
    private let lock: StoreLock

    /// The maximum wait for rounds of other schedules, which begin at the same second.
    private static let patience = Duration.seconds(60)

    /// Opens or creates the store at `path` before any query is sent. With `checks`, the first
    /// round of a day checks first that resolvers and network return true answers.
    package init(
        _ order: RunOrder,
        store path: String,
        _ durability: Store.Durability,
        _ console: any RunConsole,
        checks: Bool,
        work: StoredRoundWork,
        schedule: String? = nil
    ) throws {
        self.order = order
        (self.path, self.durability, self.console) = (path, durability, console)
        (self.checks, self.work, self.schedule) = (checks, work, schedule)
        // Opened before the lock, whose file is in the store's folder.
        store = try Store(path: path, durability: durability)
        lock = try StoreLock(store: path)
    }

    /// Measures and stores the round after a random part of `splay`.
    ///
    /// - Throws: an error if another program measures for the same store, or if the round was
    ///   interrupted or cannot be stored. Also throws if the metrics cannot be written.
    package func run(splay: Duration = .zero) async throws {
        if schedule == nil { try lock.takeNow() }
        try await Task.sleep(for: splay * Double.random(in: 0..<1))
        if schedule != nil { try await lock.take(within: Self.patience) }
        let run = Run(order, origin: .sample, schedule: schedule)
        let isFirstOfDay = try isFirstOfDay(run)
        let measuring = await Signals.whileRunning { Task { await measure(run, isFirstOfDay) } }
        // An interrupted round has no samples of the resolvers that were not queried yet.
        guard let round = await measuring.value else { throw Failure(.interrupted, "") }
        try store.append(round.recording)
        // Without a network no name can be looked up, and the round is marked as offline.
        if !round.round.marks.contains(.offline) {
            order.rememberedNotes.forEach(console.mention)
        }
        let figures = Result { try work.metrics?(store) }
        await follow(round, with: work.judge)
        lock.release()
        for other in work.others { await follow(round, with: other) }
        try figures.get()
    }

    /// Whether all rounds of the store are from days before `run`; `nil` if the store has no
    /// rounds.
    private func isFirstOfDay(_ run: Run) throws -> Bool? {
        try store.latestResponses(from: run.vantage, count: 1).last
            .map { $0.started.startOfDay < run.started.startOfDay }
    }

    /// Returns `nil` if it was interrupted. The first round in a store is measured without checks.
    private func measure(_ run: Run, _ isFirstOfDay: Bool?) async -> MeasuredRound? {
        var tampering: [String: String] = [:]
        if checks, isFirstOfDay == true {
            tampering = await TamperCheck.tampering(order, warn: console.mention)
        }
        let session = Session(order, run: run, tampering: tampering)
        let round = await session.round(1)
        if isFirstOfDay != false {
            await session.siteQueries.sentences(after: round).forEach(console.mention)
        }
        session.distrust.takeNews(among: order.resolvers).forEach(console.mention)
        return round
    }

    private func follow(_ round: MeasuredRound, with target: any RoundTarget) async {
        let follower = RoundFollower(target, path, durability) { [console] in console.mention($0) }
        follower.roundStored(round)
        await follower.finish()
    }
}
