import Foundation
import Servers
import Testing

@testable import Scheduling

struct SystemdUnitsTests {
    @Test func `the service quotes its words for systemd`() throws {
        let units = try SystemdUnits(
            Example.entry(
                binary: "/opt/100% mine/dnstempo",
                arguments: ["sample", "-d", #"a"b\c$d"#],
                configurationHome: "/home/$me/50%"
            )
        )
        #expect(
            units.service == #"""
                # dnstempo schedule default: every 5m, installed 2026-11-21T05:02:00Z
                [Unit]
                Description=Round of DNS measurements (default)

                [Service]
                Type=oneshot
                Environment="XDG_CONFIG_HOME=/home/$me/50%%"
                ExecStart="/opt/100%% mine/dnstempo" "sample" "-d" "a\"b\\c$$d"
                SuccessExitStatus=75

                """#
        )
    }

    @Test func `the timer runs at fixed times of the clock`() throws {
        #expect(
            try SystemdUnits(Example.entry("home")).timer == """
                [Unit]
                Description=Round of DNS measurements, every 5m (home)

                [Timer]
                OnCalendar=*-*-* *:00/5:00
                AccuracySec=1s
                Persistent=false

                [Install]
                WantedBy=timers.target

                """
        )
    }

    @Test func `a path that systemd rejects is run through sh`() throws {
        let units = try SystemdUnits(Example.entry(binary: #"/o'neil/$a"#, arguments: []))
        #expect(
            units.service.contains(
                #"ExecStart="/bin/sh" "-c" "exec \"$$0\" \"$$@\"" "/o'neil/$$a""# + "\n"
            )
        )
        #expect(SystemdUnits.entry(service: units.service) == units.entry)
    }

    @Test(arguments: 0..<200)
    func `an entry is read back as it was written`(seed: UInt64) throws {
        let entry = try Example.entry(
            binary: seed % 3 == 0 ? Example.wild : "/bin/x",
            arguments: CronLineTests.words(seed: seed),
            configurationHome: seed % 2 == 0 ? Example.wild : nil
        )
        #expect(SystemdUnits.entry(service: SystemdUnits(entry).service) == entry)
    }

    @Test(arguments: [
        "", "[Service]\nExecStart=/bin/x\n", "# dnstempo schedule x\nExecStart=\"/x\"",
    ])
    func `a foreign unit is not read as an entry`(text: String) {
        #expect(SystemdUnits.entry(service: text) == nil)
    }

    /// Slots with the time of day of the first one after midnight.
    private static let slots: [(ScheduleSlots, String)] =
        ScheduleInterval.all.map { interval in
            (.every(interval), interval.minutes == 1440 ? "00:00:00" : clock(interval.minutes))
        } + [(.weekly, "07:00:00"), (.monthly, "07:00:00")]

    @Test(.enabled(if: hasAnalyze), arguments: slots)
    func `systemd accepts each calendar event`(slots: ScheduleSlots, first: String) async throws {
        let events = try await Program("systemd-analyze", package: "systemd").run([
            "calendar", "--iterations=2", "--base-time=2026-11-20 00:00:00 UTC",
            slots.calendarEvent,
        ])
        #expect(events.code == 0)
        let times = events.output.split(separator: "\n").compactMap { line in
            line.contains("UTC") ? line.split(separator: " ").dropLast().last : nil
        }
        #expect(times.contains { $0 == first }, "\(events.output)")
    }

    @Test(.enabled(if: hasAnalyze))
    func `systemd reports no fault in the units`() async throws {
        let folder = TemporaryFolder()
        let entry = try Example.entry(
            binary: "/bin/true",
            arguments: [Example.wild],
            configurationHome: Example.wild
        )
        let units = SystemdUnits(entry)
        let service = try folder.write(
            units.service,
            to: SystemdUnits.serviceName(entry.heading.name)
        )
        let timer = try folder.write(units.timer, to: SystemdUnits.timerName(entry.heading.name))
        let output = try await Program("systemd-analyze", package: "systemd")
            .run(["verify", "--user", service, timer])
        let complaints = output.errors.split(separator: "\n").filter {
            $0.contains(folder.path) || $0.contains("dnstempo-")
        }
        #expect(complaints.isEmpty, "\(complaints)")
    }

    private static func clock(_ minutes: Int) -> String {
        String(format: "%02d:%02d:00", minutes / 60, minutes % 60)
    }

    private static let hasAnalyze =
        (try? Program("systemd-analyze", package: "systemd")) != nil
}
