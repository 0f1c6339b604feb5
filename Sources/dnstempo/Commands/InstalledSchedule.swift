import Reports
import Samples
import Scheduling
import Store

/// A schedule that was found installed.
struct InstalledSchedule {
    let name: ScheduleName
    let interval: ScheduleInterval
    let installed: String
    /// `nil` where it cannot be told any more.
    let command: ScheduledCommand?
    /// Who runs it.
    let daemon: String
    /// Why it may not do what it should.
    let warning: String?

    /// A table of facts; `rounds` gives the times at which the rounds of a command began.
    func text(now: Timestamp, rounds: (ScheduledCommand) throws -> [Timestamp]) -> String {
        var table = PlainTable(nil)
        table.add(["schedule", "\(name): every \(interval), by \(daemon)"])
        if let since = Timestamp(installed) {
            let times = Result { try command.map(rounds) ?? [] }
            for row in progress(since, now, times) { table.add(row) }
        } else {
            table.add(["installed", installed])
        }
        if let command {
            let isThere = AbsolutePath.isProgram(command.binary)
            table.add([
                "binary",
                command.binary + (isThere ? "" : " is gone or not executable: install again"),
            ])
            if let store = command.store { table.add(["store", store]) }
        }
        if let warning { table.add(["warning", warning]) }
        return table.text
    }

    private func progress(
        _ since: Timestamp,
        _ now: Timestamp,
        _ times: Result<[Timestamp], any Error>
    ) -> [[String]] {
        let clock = LocalClock.system(from: since, to: now)
        let grid = ScheduleGrid(interval) { second in
            Int(clock.offset(at: Timestamp(wholeSeconds: second)))
        }
        let progress = ScheduleProgress(
            grid: grid,
            installed: since.wholeSeconds,
            rounds: (try? times.get())?.map(\.wholeSeconds) ?? [],
            now: now.wholeSeconds
        )
        var last = progress.lastRound.map { clock.text(Timestamp(wholeSeconds: $0)) } ?? "none yet"
        var missed =
            progress.slots == 0
            ? "none: no slot is over yet" : "\(progress.missed) of \(progress.slots)"
        if case .failure(let error) = times {
            last = "unknown: \(Failure(describing: error).description)"
            missed = "unknown"
        }
        return [
            ["installed", clock.text(since)],
            ["last round", last],
            ["missed", missed],
            ["next due", clock.text(Timestamp(wholeSeconds: progress.next))],
        ]
    }
}

extension Timestamp {
    /// Since 1970, without the fraction.
    fileprivate var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// The last moment that there is where `seconds` lies beyond.
    fileprivate init(wholeSeconds seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }
}

/// When the scheduled rounds of a store began.
enum StoredRounds {
    /// Those that a schedule's command took, or all that `sample` did where it does not say which
    /// are its own; none where there is no store yet.
    static func times(of command: ScheduledCommand) throws -> [Timestamp] {
        guard let path = command.store else { return [] }
        if AbsolutePath.isMissing(path) { return [] }
        let scheduled = Store.Window(origins: [.sample], includesMarked: true)
        return try Store(path: path, access: .readOnly).rounds(scheduled)
            .filter { command.schedule == nil || $0.run.schedule == command.schedule }
            .map(\.round.started)
    }
}
