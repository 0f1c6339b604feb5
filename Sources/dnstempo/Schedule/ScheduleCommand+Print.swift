import ArgumentParser
import Scheduling

extension ScheduleCommand {
    /// Shows what would be installed, for other places than this user's own.
    struct Print: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a schedule for cron, systemd or launchd; nothing is installed."
        )

        @OptionGroup var naming: ScheduleNameOption
        @OptionGroup var options: ScheduleOptions

        @Flag(help: "The timer and the service of systemd.")
        var systemd = false

        @Flag(help: "A property list for launchd, which macOS has.")
        var launchd = false

        func run() async throws {
            if systemd && launchd {
                throw Failure(.usage, "--systemd and --launchd exclude each other; write one")
            }
            let entry = try options.entry(named: ScheduleName(naming.name))
            try Terminal.output.write(text(entry))
        }

        private func text(_ entry: ScheduleEntry) throws -> String {
            if launchd { return LaunchdPropertyList(entry).text }
            guard systemd else { return try entry.crontabBlock() }
            let units = SystemdUnits(entry)
            return """
                # \(SystemdUnits.serviceName(entry.name))
                \(units.service)
                # \(SystemdUnits.timerName(entry.name))
                \(units.timer)
                """
        }
    }
}
