import Foundation
import Servers
import Testing

/// Schedules that systemd timers run.
struct ScheduleTimerTests {
    @Test func `a timer is installed and removed through systemctl`() async throws {
        let sandbox = try ScheduleSandbox(crontab: nil)
        let output = try await sandbox.run("install", "--systemd", "--name", "n", "127.0.0.1")
        #expect(output.code == 0)
        #expect(output.output.hasPrefix("Installed the schedule 'n': a round every 5m, by systemd"))
        let folder = ".config/systemd/user/dnstempo-n"
        #expect(sandbox.folder.text("\(folder).service").contains("\nExecStart=\""))
        #expect(sandbox.folder.text("\(folder).timer").contains("\nOnCalendar="))
        let again = try await sandbox.run("install", "--systemd", "--name", "n", "127.0.0.2")
        #expect(again.output.hasPrefix("Replaced the schedule 'n' (it was every 5m)"))
        #expect(sandbox.folder.text("\(folder).service").contains("\"127.0.0.2\"\n"))
        let removed = try await sandbox.run("remove", "--systemd", "--name", "n")
        #expect(removed.output == "Removed the schedule 'n'.\n")
        #expect(sandbox.folder.read("\(folder).service").isEmpty)
        #expect(sandbox.folder.read("\(folder).timer").isEmpty)
        let install = "--user daemon-reload\n--user enable --now dnstempo-n.timer\n"
        #expect(
            sandbox.folder.text("asked") == install + install
                + "--user disable --now dnstempo-n.timer\n--user daemon-reload\n"
        )
    }

    @Test(arguments: ["echo 'no bus' >&2; exit 1", nil])
    func `a timer that systemd cannot start is not installed`(systemctl: String?) async throws {
        let sandbox = try ScheduleSandbox(systemctl: systemctl)
        let output = try await sandbox.run("install", "--systemd", "127.0.0.1")
        #expect(output.code == 73 && output.output == "")
        let reason = systemctl == nil ? "there is no such program" : "no bus"
        #expect(
            output.errors == """
                dnstempo: systemctl: \(reason); nothing was installed: log in as this user, so that \
                there is a user bus, and try again, or leave out --systemd to use cron

                """
        )
        #expect(try await sandbox.run("status").output.hasPrefix("No schedule is installed"))
        for suffix in ["service", "timer"] {
            let file = ".config/systemd/user/dnstempo-default.\(suffix)"
            #expect(sandbox.folder.read(file).isEmpty)
        }
    }

    @Test func `if systemctl fails, the error contains the command to run`() async throws {
        let sandbox = try ScheduleSandbox()
        #expect(try await sandbox.run("install", "--systemd", "127.0.0.1").code == 0)
        try sandbox.addProgram("systemctl", "echo 'no bus' >&2; exit 1")
        let again = try await sandbox.run("install", "--systemd", "127.0.0.2")
        #expect(again.code == 73 && again.output == "")
        #expect(again.errors.contains("no bus; its units are written, and may not be read: "))
        #expect(try await sandbox.run("remove").output.contains("systemd has one: add --systemd"))
        let removed = try await sandbox.run("remove", "--systemd")
        #expect(removed.code == 73)
        #expect(
            removed.errors == """
                dnstempo: systemctl: no bus; nothing was removed: make this work, then try again: \
                systemctl --user disable --now dnstempo-default.timer

                """
        )
        #expect(try await sandbox.run("status").output.contains("dnstempo-default"))
    }

    @Test func `a foreign unit with the same name is kept`() async throws {
        let sandbox = try ScheduleSandbox()
        let folder = sandbox.folder.file(".config/systemd/user")
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let file = ".config/systemd/user/dnstempo-default.service"
        try sandbox.folder.write("[Unit]\n", to: file)
        for command in ["install", "remove"] {
            let output = try await sandbox.run(command, "--systemd")
            #expect(output.code == 65)
            #expect(output.errors.contains("is not as dnstempo wrote it; move it away"))
        }
        #expect(sandbox.folder.text(file) == "[Unit]\n")
        #expect(try await sandbox.run("status").output.hasPrefix("No schedule is installed"))
    }
}
