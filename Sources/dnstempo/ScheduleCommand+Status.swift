import ArgumentParser
import Measurement
import Scheduling

extension ScheduleCommand {
    /// What is installed, and whether it does what it should.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what is installed, the last round, how many were missed, the next.",
            discussion: "A slot is missed once the next one has come and no round began in it."
        )

        @Option(help: "Only this schedule. (default: all that are installed)")
        var name: String?

        func run() async throws {
            let name = try name.map { try ScheduleName($0) }
            let found = try (inCrontab() + ofSystemd())
                .filter { name == nil || $0.name == name }
            guard !found.isEmpty else {
                let what = name.map { "The schedule '\($0)' is not installed" }
                try Terminal.output.write(
                    "\(what ?? "No schedule is installed"); "
                        + "install it with 'dnstempo schedule install --every 5m"
                        + "\(name.map { " --name \($0)" } ?? "")'.\n"
                )
                return
            }
            let now = Timestamp.now
            let texts = try found.map { try $0.text(now: now, rounds: StoredRounds.times) }
            try Terminal.output.write(texts.joined(separator: "\n"))
        }

        /// None where this machine has no cron.
        private func inCrontab() throws -> [InstalledSchedule] {
            try CrontabProgram.readIfAny().blocks.map { block in
                InstalledSchedule(
                    name: block.name,
                    interval: block.interval,
                    installed: block.installed,
                    command: block.command,
                    daemon: "cron",
                    warning: block.command == nil
                        ? "its line in the crontab was changed by hand" : nil
                )
            }
        }

        private func ofSystemd() throws -> [InstalledSchedule] {
            try UserUnits.names().compactMap { name in
                let units = try UserUnits(name)
                guard let entry = try units.read() else { return nil }
                let timer = SystemdUnits.timerName(name)
                let isActive = try units.isActive()
                return InstalledSchedule(
                    name: name,
                    interval: entry.interval,
                    installed: entry.installed,
                    command: entry.command,
                    daemon: "systemd",
                    warning: isActive == true
                        ? nil
                        : isActive == nil
                            ? "systemd cannot be asked whether \(timer) runs"
                            : "\(timer) does not run: systemctl --user enable --now \(timer)"
                )
            }
        }
    }
}

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

    /// A table of facts; `rounds` gives the times at which the rounds of a store began, `nil` where
    /// it cannot.
    func text(now: Timestamp, rounds: (String) throws -> [Timestamp]?) throws -> String {
        var table = PlainTable(nil)
        table.add(["schedule", "\(name): every \(interval), by \(daemon)"])
        let since = Timestamp(installed)
        table.add(["installed", since.map(LocalClock.text) ?? installed])
        if let since {
            let times = try command?.store.flatMap(rounds)
            let progress = ScheduleProgress(
                grid: ScheduleGrid(interval, offset: LocalClock.offset),
                installed: since.wholeSeconds,
                rounds: times?.map(\.wholeSeconds) ?? [],
                now: now.wholeSeconds
            )
            table.add(["last round", progress.shownLastRound(isKnown: times != nil)])
            table.add(["missed", times == nil ? "unknown" : progress.shownMissed])
            table.add(["next due", LocalClock.text(progress.next)])
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
}

extension ScheduleProgress {
    fileprivate func shownLastRound(isKnown: Bool) -> String {
        if let lastRound { return LocalClock.text(lastRound) }
        return isKnown ? "none yet" : "unknown: the store cannot be read"
    }

    fileprivate var shownMissed: String {
        slots == 0 ? "none: no slot is over yet" : "\(missed) of \(slots)"
    }
}

extension Timestamp {
    /// Since 1970; what is before the epoch counts down.
    fileprivate var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }
}
