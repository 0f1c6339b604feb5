@testable import Scheduling

/// Entries of schedules for the tests.
enum Example {
    /// A path with characters that are special in cron, sh and systemd, such as a careless administrator may
    /// choose.
    static let wild = #"/home/o'neil/50% "off" \ $HOME/a\%b\'c"#

    static func entry(
        _ name: String = "default",
        every interval: ScheduleInterval? = nil,
        at slots: ScheduleSlots? = nil,
        binary: String = "/usr/local/bin/dnstempo",
        arguments: [String] = ["sample", "--store", "/home/me/rounds.sqlite"],
        configurationHome: String? = nil,
        installed: String = "2026-11-21T05:02:00Z"
    ) throws -> ScheduleEntry {
        try ScheduleEntry(
            name: ScheduleName(name),
            slots: slots ?? .every(interval ?? ScheduleInterval(.seconds(300), written: "5m")),
            command: ScheduledCommand(
                binary: binary,
                arguments: arguments,
                configurationHome: configurationHome
            ),
            installed: installed
        )
    }

    static func interval(_ minutes: Int) throws -> ScheduleInterval {
        try ScheduleInterval(.seconds(60 * minutes), written: "\(minutes)m")
    }
}
