package import Evidence
import Measurement
import Processes
import Samples
package import Store
import Synchronization

/// Measures rounds at the times of a schedule, for `watch` and `serve`. Each round is a separate
/// task, so that a round that waits for late answers does not delay later rounds.
package final class ScheduledSession: Sendable {
    private let configuration: WatchConfiguration
    private let log: WatchLog
    private let rounds = RoundQueue<MeasuredRound>()
    private let lock: StoreLock?
    private let console: any RoundConsole
    private let checks: Bool
    /// The folder of the evidence. Each new order has a separate folder in it.
    private let evidence: EvidenceFolder?
    private let bundles = Mutex<[RunBundle]>([])
    /// The first error when evidence was written.
    private let evidenceTrouble = Mutex<(any Error)?>(nil)
    private let work: StoredRoundWork
    private let followers: RoundFollowers?
    private let clock = ContinuousClock()
    private let sleep = InterruptibleSleep()
    private let isToReload = Mutex(false)

    /// Opens or creates the store at `path`. Without a store the rounds are only reported.
    package init(
        _ configuration: WatchConfiguration,
        store path: String?,
        _ durability: Store.Durability,
        _ console: any RoundConsole,
        checks: Bool,
        work: StoredRoundWork,
        evidence: EvidenceFolder? = nil
    ) throws {
        self.evidence = evidence
        self.configuration = configuration
        self.console = console
        self.checks = checks
        self.work = work
        followers = path.map { path in
            RoundFollowers(work.targets, path, durability) { console.warn($0) }
        }
        log = try WatchLog(store: path, durability, console)
        lock = try path.map { try StoreLock(store: $0) }
    }

    /// Builds the order again before the next round.
    package func reload() {
        isToReload.withLock { $0 = true }
        sleep.end()
    }

    /// Runs until all rounds are measured and stored, or the task is cancelled, which drops the
    /// rounds in progress. Returns the log of all rounds.
    package func run() async -> WatchLog {
        let measuring = Task { await measure() }
        let stop = { @Sendable [work] in
            measuring.cancel()
            work.judge.tracing?.end()
        }
        // Not cancelled, so that all measured rounds are stored.
        let storing = Task {
            await log.follow(rounds, handingTo: consumers(stop: stop))
            await followers?.finish()
        }
        await withTaskCancellationHandler {
            await storing.value
        } onCancel: {
            stop()
            followers?.hurry()
        }
        for bundle in bundles.withLock(\.self) {
            do { try await bundle.finish() } catch { note(error) }
        }
        return log
    }

    /// The consumers of stored rounds; `stop` is called when the reader of standard output has
    /// gone.
    private func consumers(stop: @escaping @Sendable () -> Void) -> [any RoundConsumer] {
        let console = console
        let all: [(any RoundConsumer)?] = [
            Announcement(console: console, isStored: followers != nil, stop: stop),
            work.metrics.map { MetricsWriting($0) { console.warn($0) } },
            followers,
        ]
        return all.compactMap(\.self)
    }

    /// Throws if evidence could not be written.
    package func checkEvidence() throws {
        if let error = evidenceTrouble.withLock(\.self) { throw error }
    }

    @Sendable private func note(_ error: any Error) {
        let isFirst = evidenceTrouble.withLock { trouble in
            defer { trouble = trouble ?? error }
            return trouble == nil
        }
        if isFirst { console.warn("--evidence: \(error)") }
    }

    private func measure() async {
        var configuration = configuration
        var schedule = RoundSchedule(interval: configuration.interval, length: configuration.length)
        var (session, progress, network) = await begin(configuration)
        let start = clock.now
        var count = 0
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = start.duration(to: clock.now)
                let next = schedule.next(at: now)
                if configuration.isOver(after: count, at: next) { break }
                console.show(next: count + 1, in: max(.zero, next - now))
                await sleep.wait(until: start.advanced(by: next), on: clock)
                if await update(&configuration) {
                    (session, progress, network) = await begin(configuration)
                    schedule.change(
                        interval: configuration.interval,
                        length: configuration.length,
                        at: start.duration(to: clock.now)
                    )
                    continue
                }
                guard let hasWaited = await takeLock() else { break }
                let time = start.duration(to: clock.now)
                guard let missed = schedule.begin(at: time, hasWaited: hasWaited) else {
                    lock?.release()
                    continue
                }
                count += 1
                if network?.look() == true {
                    console.warn("this machine is on another network from round \(count) on")
                }
                console.show(round: count, isUnderWay: true)
                let place = rounds.open()
                group.addTask { [self, session, progress, count] in
                    var round = await session.round(count) { progress?.note($0, inRound: $1) }
                    round?.missed = missed
                    session.distrust.takeNews(among: session.order.resolvers)
                        .forEach(console.warn)
                    lock?.release()
                    console.show(round: count, isUnderWay: false)
                    rounds.close(place, with: round)
                    await session.siteQueries.sentences(after: round).forEach(console.warn)
                }
            }
        }
        rounds.finish()
    }

    /// Begins a run of the current order, with a counter for its samples if a live view is shown.
    private func begin(
        _ configuration: WatchConfiguration
    ) async -> (Session, RunProgress?, NetworkWatch?) {
        let (order, interval) = (configuration.order, configuration.interval)
        let period = RoundSchedule(interval: interval, length: configuration.length).period
        tell(period, wanting: interval)
        var tampering: [String: String] = [:]
        if checks, await takeLock() != nil {
            tampering = await TamperCheck.tampering(order, warn: console.warn)
            lock?.release()
        }
        let run = Run(order, origin: .watch, interval: period)
        let progress = console.begin(order, tampering: Set(tampering.keys))
        let bundle = await bundle(of: run, order, tampering)
        let consumers: [(any RoundConsumer)?] = [
            progress.map { SettledProgress(progress: $0) },
            bundle.map { BundleWriting(bundle: $0, fail: note) },
        ]
        let session = Session(
            order,
            run: run,
            tampering: tampering,
            bundle: bundle,
            consumers: consumers.compactMap(\.self)
        )
        return (session, progress, NetworkWatch(order))
    }

    private func bundle(
        of run: Run,
        _ order: RunOrder,
        _ tampering: [String: String]
    ) async -> RunBundle? {
        do {
            let bundle = try await evidence?.folder(ofRun: run.id).bundle(
                RecordedPlan(order, run: run, tampering: tampering, followsAnswers: false)
            )
            if let bundle { bundles.withLock { $0.append(bundle) } }
            return bundle
        } catch {
            note(error)
            return nil
        }
    }

    private func tell(_ period: Duration, wanting interval: Duration) {
        if interval > .zero, period > interval { console.note(period, wanting: interval) }
    }

    /// Builds the order again if this is due. Returns whether the order has changed.
    private func update(_ configuration: inout WatchConfiguration) async -> Bool {
        let isToReload = isToReload.withLock { flag in
            defer { flag = false }
            return flag
        }
        do {
            if isToReload {
                try await configuration.reload()
                console.mention("the settings were read again")
                return true
            }
            guard let change = try await configuration.followSystem() else { return false }
            console.mention(change)
            return true
        } catch {
            console.warn("\(error); going on with the old settings")
            return false
        }
    }

    /// Waits for other programs that use the store. Returns whether it had to wait, or `nil` if it
    /// was cancelled.
    private func takeLock() async -> Bool? {
        guard let lock else { return Task.isCancelled ? nil : false }
        return try? await lock.take()
    }
}
