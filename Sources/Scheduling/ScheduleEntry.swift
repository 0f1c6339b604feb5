/// One schedule: its name, how often, what to run, and since when.
package struct ScheduleEntry: Hashable, Sendable {
    package var name: ScheduleName
    package var interval: ScheduleInterval
    package var command: ScheduledCommand
    /// When it was installed, as the caller writes times: one word.
    package var installed: String

    package init(
        name: ScheduleName,
        interval: ScheduleInterval,
        command: ScheduledCommand,
        installed: String
    ) {
        self.name = name
        self.interval = interval
        self.command = command
        self.installed = installed
    }

    /// Whether both run the same equally often.
    package func isSame(as other: ScheduleEntry) -> Bool {
        interval == other.interval && command == other.command
    }

    /// The lines that a crontab gets, its markers with them.
    package func crontabBlock() throws(ScheduleError) -> String {
        try CrontabBlock.text(self, origin: .ordinary)
    }

    /// What the comment above an entry says: `default: every 5m, installed 2026-11-21T05:02:00Z`.
    var heading: String { "\(name): every \(interval), installed \(installed)" }
}

/// A heading that was read back.
struct ScheduleHeading: Hashable, Sendable {
    let name: ScheduleName
    let interval: ScheduleInterval
    let installed: String
    /// What stands behind the installation's time.
    let rest: String

    /// `nil` where `text` is not what ``ScheduleEntry/heading`` gives.
    init?(_ text: some StringProtocol) {
        let parts = String(text).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = try? ScheduleName(String(parts[0])) else { return nil }
        let words = parts[1].split(separator: ", ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix(" every "), words[1].hasPrefix("installed "),
            let interval = ScheduleInterval(words[0].dropFirst(" every ".count))
        else { return nil }
        self.name = name
        self.interval = interval
        installed = String(words[1].dropFirst("installed ".count))
        rest = words.count == 3 ? String(words[2]) : ""
    }
}
