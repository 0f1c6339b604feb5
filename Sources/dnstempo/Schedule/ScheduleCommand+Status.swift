import ArgumentParser
import Samples
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
            let texts = found.map { $0.text(now: now, rounds: StoredRounds.times(of:)) }
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
