import Measurement
import Reports
import Samples
import Store
import Synchronization

/// Begins the rounds of a watch at their times. Each is measured by a task of its own: one that
/// still waits for late answers holds up none after it.
final class RoundStarter: Sendable {
    /// The rounds, in their order.
    let rounds = RoundQueue<TakenRound>()
    /// `nil` where nothing is stored.
    private let lock: StoreLock?
    private let console: WatchConsole
    private let clock = ContinuousClock()
    private let alarm = Alarm()
    private let isToReload = Mutex(false)

    init(lock: StoreLock?, console: WatchConsole) {
        self.lock = lock
        self.console = console
    }

    /// Has the settings read again, at once.
    func reload() {
        isToReload.withLock { $0 = true }
        alarm.ring()
    }

    /// Goes on until all rounds were taken, or the task is cancelled: then those under way are
    /// dropped.
    func run(_ wishes: WatchSettings) async {
        var wishes = wishes
        var schedule = RoundSchedule(interval: wishes.interval, length: wishes.length)
        tell(schedule.period, wanting: wishes)
        var session = RoundSession(wishes.settings, every: schedule.period, console)
        let start = clock.now
        var count = 0
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = start.duration(to: clock.now)
                let next = schedule.next(at: now)
                if wishes.isOver(after: count, at: next) { break }
                console.show(next: count + 1, in: max(.zero, next - now))
                await alarm.sleep(until: start.advanced(by: next), on: clock)
                if await update(&wishes) {
                    let time = start.duration(to: clock.now)
                    schedule.change(interval: wishes.interval, length: wishes.length, at: time)
                    tell(schedule.period, wanting: wishes)
                    session = RoundSession(wishes.settings, every: schedule.period, console)
                    continue
                }
                guard let hasWaited = await takeLock() else { break }
                let time = start.duration(to: clock.now)
                guard let missed = schedule.begin(at: time, hasWaited: hasWaited) else {
                    lock?.release()
                    continue
                }
                count += 1
                console.show(round: count, isUnderWay: true)
                let place = rounds.open()
                group.addTask { [self, session, count] in
                    var taken = await session.take(round: count)
                    taken?.missed = missed
                    lock?.release()
                    console.show(round: count, isUnderWay: false)
                    rounds.close(place, with: taken)
                }
            }
        }
        rounds.finish()
    }

    /// Says it to who looks on where rounds are further apart than was asked for.
    private func tell(_ period: Duration, wanting wishes: WatchSettings) {
        guard wishes.interval > .zero, period > wishes.interval, Terminal.error.isTerminal else {
            return
        }
        let times = [period, wishes.interval].map {
            LatencyFormat.plain(Double($0.nanoseconds) / 1e6)
        }
        console.mention(
            "rounds start every \(times[0]), not \(times[1]): at this pace (--rate, --total-rate) the "
                + "queries of one take that long"
        )
    }

    /// Makes the settings again where that is due; whether they are others now.
    private func update(_ wishes: inout WatchSettings) async -> Bool {
        let isToReload = isToReload.withLock { flag in
            defer { flag = false }
            return flag
        }
        do {
            if isToReload {
                try await wishes.reload()
                console.mention("the settings were read again")
                return true
            }
            guard let change = try await wishes.followSystem() else { return false }
            console.mention(change)
            return true
        } catch {
            console.warn("\(Failure(describing: error)); going on with the old settings")
            return false
        }
    }

    /// Waits until no other program takes a round for the store, and tells whether one did; `nil`
    /// where cancelled.
    private func takeLock() async -> Bool? {
        var hasWaited = false
        while !Task.isCancelled {
            if lock?.take() ?? true { return hasWaited }
            hasWaited = true
            // Evenly, it could look each time while the other one is at work.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 5...50)))
        }
        return nil
    }
}

/// Rounds of one run, and who counts their samples, if somebody does.
private struct RoundSession: Sendable {
    private let taker: RoundTaker
    private let progress: RunProgress?

    init(_ settings: Settings, every period: Duration, _ console: WatchConsole) {
        taker = RoundTaker(settings, origin: .watch, interval: period)
        progress = console.begin(settings)
    }

    func take(round number: Int) async -> TakenRound? {
        let taken = await taker.take(round: number) { [progress] in
            progress?.note($0, inRound: $1)
        }
        progress?.settle(round: number, taken?.recording.counted.samples ?? [])
        return taken
    }
}
