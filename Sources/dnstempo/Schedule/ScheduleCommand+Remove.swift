import ArgumentParser
import Scheduling

extension ScheduleCommand {
    /// Takes a schedule away again; what was measured stays.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a schedule; what it stored stays."
        )

        @OptionGroup var naming: ScheduleNameOption

        @Flag(help: "The timer of systemd, not the line in the crontab.")
        var systemd = false

        func run() async throws {
            let name = try ScheduleName(naming.name)
            let removed = try systemd ? removeTimer(name) : removeLine(name)
            if removed {
                try Terminal.output.write("Removed the schedule '\(name)'.\n")
                return
            }
            var text = "There is no schedule '\(name)' in the crontab"
            if systemd { text = "There is no timer '\(SystemdUnits.timerName(name))'" }
            if try !systemd && UserUnits(name).exists {
                text += "; systemd has one: add --systemd"
            }
            try Terminal.output.write("\(text).\n")
        }

        private func removeLine(_ name: ScheduleName) throws -> Bool {
            let before = try CrontabProgram.read()
            guard before.block(named: name) != nil else { return false }
            try CrontabProgram.write(before.removing(name))
            return true
        }

        private func removeTimer(_ name: ScheduleName) throws -> Bool {
            let units = try UserUnits(name)
            guard units.exists else { return false }
            _ = try units.read()
            try units.remove()
            return true
        }
    }
}
