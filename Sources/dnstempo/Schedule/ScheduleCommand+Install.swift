import ArgumentParser
import Scheduling

extension ScheduleCommand {
    /// Puts a schedule into the crontab, or in the place of the one that has its name.
    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Install a schedule; one of the same name is replaced.",
            discussion: "All else that is written here goes to 'dnstempo sample', checked before."
        )

        @OptionGroup var naming: ScheduleNameOption
        @OptionGroup var options: ScheduleOptions

        @Flag(help: "A timer of systemd for this user, in place of a line in the crontab.")
        var systemd = false

        func run() async throws {
            let name = try ScheduleName(naming.name)
            let entry = try options.entry(named: name)
            if systemd { try installTimer(entry) } else { try installLine(entry) }
        }

        private func installLine(_ entry: ScheduleEntry) throws {
            let before = try CrontabProgram.read()
            let after = try before.installing(entry)
            if after != before { try CrontabProgram.write(after) }
            let old = before.block(named: entry.name)
            try report(
                entry,
                by: "cron",
                before: old?.interval,
                unchanged: after == before
            )
            if try UserUnits(entry.name).exists {
                try Terminal.error.write(
                    "dnstempo: systemd runs '\(entry.name)' too; take that away with "
                        + "'dnstempo schedule remove --systemd --name \(entry.name)'\n"
                )
            }
        }

        private func installTimer(_ entry: ScheduleEntry) throws {
            let units = try UserUnits(entry.name)
            let before = try units.read()
            if before?.isSame(as: entry) != true { try units.write(SystemdUnits(entry)) }
            try report(
                entry,
                by: "systemd",
                before: before?.interval,
                unchanged: before?.isSame(as: entry) == true
            )
            try units.enable()
        }

        private func report(
            _ entry: ScheduleEntry,
            by daemon: String,
            before: ScheduleInterval?,
            unchanged: Bool
        ) throws {
            var text = "Installed the schedule '\(entry.name)'"
            if let before {
                text = "Replaced the schedule '\(entry.name)' (it was every \(before)"
                text += unchanged ? ", with the same options: nothing changed)" : ")"
            }
            text += ": a round every \(entry.interval), by \(daemon)"
            if let store = entry.command.store { text += ", into \(store)" }
            try Terminal.output.write("\(text).\n")
        }
    }
}
