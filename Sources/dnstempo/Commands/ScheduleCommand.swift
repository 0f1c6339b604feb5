import ArgumentParser
import Failures
import Processes
import Reports
import Runs
import Samples
import Scheduling
import Store

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Run rounds or digests on a schedule, by cron or systemd.",
        discussion: """
            In the crontab, only the lines between dnstempo's own markers are changed.

            Examples:
              dnstempo schedule install --every 5m
              dnstempo schedule install --name office quad9 --splay 1m
              dnstempo schedule install --every 1h --systemd
              dnstempo schedule status
              dnstempo schedule remove --name office
              dnstempo schedule print --every 5m --launchd
            """,
        subcommands: [Install.self, Status.self, Remove.self, Print.self]
    )

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Install a schedule; one of the same name is replaced.",
            discussion: """
                All other words are checked and passed to 'dnstempo sample', or to 'dnstempo \
                digest'. cron mails what a digest prints.

                Examples:
                  dnstempo schedule install --every 5m
                  dnstempo schedule install --name office quad9 --splay 1m
                  dnstempo schedule install --digest weekly --mail you@example.com
                  dnstempo schedule install --digest monthly -q --objective 'p95 < 50ms'
                """
        )

        @OptionGroup var naming: ScheduleNameOption
        @OptionGroup var options: ScheduleOptions

        @Flag(help: "Use a systemd timer of this user instead of the crontab.")
        var systemd = false

        func run() async throws {
            let entry = try await options.entry(naming)
            try await ScheduleLock.holding {
                if systemd { try await installTimer(entry) } else { try await installLine(entry) }
            }
        }

        private func installLine(_ entry: ScheduleEntry) async throws {
            let name = entry.heading.name
            let (before, after) = try await CrontabProgram.change(name) { try $0.installing(entry) }
            let old = before.block(named: name)?.heading
            try report(entry, by: "cron", replacing: old, unchanged: after == before)
            if try UserUnits(name).exists {
                Terminal.mention(
                    "systemd runs '\(name)' too; remove that schedule with "
                        + "'dnstempo schedule remove --systemd --name \(name)'"
                )
            }
        }

        private func installTimer(_ entry: ScheduleEntry) async throws {
            let units = try UserUnits(entry.heading.name)
            let before = try units.read()
            let isSame = before?.isSame(as: entry) == true
            try await units.install(isSame ? nil : SystemdUnits(entry))
            try report(entry, by: "systemd", replacing: before?.heading, unchanged: isSame)
            try Terminal.output.write(
                "It runs while you are logged in; to run it always: loginctl enable-linger\n"
            )
        }

        private func report(
            _ entry: ScheduleEntry,
            by daemon: String,
            replacing before: ScheduleHeading?,
            unchanged: Bool
        ) throws {
            var text = "Installed the schedule '\(entry.heading.name)'"
            if let before {
                text = "Replaced the schedule '\(before.name)' (it was \(before.slots)"
                text += unchanged ? ", with the same options: nothing changed)" : ")"
            }
            let slots = entry.heading.slots
            let isOfRounds = slots.interval != nil
            text += ": a \(isOfRounds ? "round \(slots)" : "\(slots) digest"), by \(daemon)"
            if let store = entry.command.store {
                text += ", \(isOfRounds ? "into" : "of") \(store)"
            }
            try Terminal.output.write("\(text).\n")
        }
    }

    struct Print: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a schedule for cron, systemd or launchd; nothing is installed.",
            discussion: """
                Examples:
                  dnstempo schedule print --every 5m
                  dnstempo schedule print --every 5m --launchd
                """
        )

        @OptionGroup var naming: ScheduleNameOption
        @OptionGroup var options: ScheduleOptions

        @Flag(help: "Print the timer and service of systemd.")
        var systemd = false

        @Flag(help: "Print a property list for launchd (macOS).")
        var launchd = false

        func run() async throws {
            if systemd && launchd {
                throw Failure.usage("--systemd and --launchd cannot be combined; write one")
            }
            let entry = try await options.entry(naming)
            try Terminal.output.write(data: text(entry))
        }

        private func text(_ entry: ScheduleEntry) throws -> String {
            if launchd { return LaunchdPropertyList(entry).text }
            guard systemd else { return try entry.crontabBlock() }
            let units = SystemdUnits(entry)
            return """
                # \(SystemdUnits.serviceName(entry.heading.name))
                \(units.service)
                # \(SystemdUnits.timerName(entry.heading.name))
                \(units.timer)
                """
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a schedule; what it stored stays.",
            discussion: """
                Examples:
                  dnstempo schedule remove
                  dnstempo schedule remove --name office
                """
        )

        @OptionGroup var naming: ScheduleNameOption

        @Flag(help: "Remove the systemd timer, not the line in the crontab.")
        var systemd = false

        func run() async throws {
            let name = try naming.wanted()
            let isRemoved = try await ScheduleLock.holding {
                try await systemd ? removeTimer(name) : removeLine(name)
            }
            let text =
                if isRemoved {
                    "Removed the schedule '\(name)'"
                } else if systemd {
                    "There is no timer '\(SystemdUnits.timerName(name))'"
                } else {
                    "There is no schedule '\(name)' in the crontab"
                        + (try UserUnits(name).exists ? "; systemd has one: add --systemd" : "")
                }
            try Terminal.output.write("\(text).\n")
        }

        private func removeLine(_ name: ScheduleName) async throws -> Bool {
            try await CrontabProgram.change(name) { try $0.removing(name) }.before
                .block(named: name) != nil
        }

        private func removeTimer(_ name: ScheduleName) async throws -> Bool {
            let units = try UserUnits(name)
            guard units.exists else { return false }
            _ = try units.read()
            try await units.remove()
            return true
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show schedules with their last, missed and next rounds.",
            discussion: """
                A slot is missed if no round began in it before the next slot.

                Examples:
                  dnstempo schedule status
                  dnstempo schedule status --name office
                """
        )

        @Option(help: "Only this schedule. (default: all that are installed)")
        var name: String?

        func run() async throws {
            let name = try name.map { try ScheduleName($0) }
            let ofCron = try await inCrontab().filter { name == nil || $0.heading.name == name }
            let found = try await ofCron + ofSystemd(named: name)
            guard !found.isEmpty else {
                let what = name.map { "The schedule '\($0)' is not installed" }
                return try Terminal.output.write(
                    "\(what ?? "No schedule is installed"); "
                        + "install it with 'dnstempo schedule install --every 5m"
                        + "\(name.map { " --name \($0)" } ?? "")'.\n"
                )
            }
            let now = Timestamp.now
            try Terminal.output.write(found.map { $0.text(now: now) }.joined(separator: "\n"))
        }

        /// The schedules in the crontab. Empty if this machine has no cron.
        private func inCrontab() async throws -> [InstalledSchedule] {
            try await (CrontabProgram.readIfAny()?.blocks ?? []).map { block in
                InstalledSchedule(
                    heading: block.heading,
                    command: block.command,
                    daemon: "cron",
                    warning: block.command == nil
                        ? "its line in the crontab was changed by hand" : nil
                )
            }
        }

        private func ofSystemd(named wanted: ScheduleName?) async throws -> [InstalledSchedule] {
            var found: [InstalledSchedule] = []
            for name in try UserUnits.names() where wanted == nil || name == wanted {
                let units = try UserUnits(name)
                guard let entry = try units.read() else { continue }
                let timer = SystemdUnits.timerName(name)
                let warning: String? =
                    switch try await units.isActive() {
                    case true?: nil
                    case false?: "\(timer) does not run: systemctl --user enable --now \(timer)"
                    case nil: "systemd cannot be asked whether \(timer) runs"
                    }
                found.append(
                    InstalledSchedule(
                        heading: entry.heading,
                        command: entry.command,
                        daemon: "systemd",
                        warning: warning
                    )
                )
            }
            return found
        }
    }
}

struct InstalledSchedule {
    let heading: ScheduleHeading
    /// The command. `nil` if it can no longer be determined.
    let command: ScheduledCommand?
    let daemon: String
    let warning: String?

    func text(now: Timestamp) -> String {
        let kind = heading.slots.interval == nil ? " digest" : ""
        var facts = [("schedule", "\(heading.name): \(heading.slots)\(kind), by \(daemon)")]
        let installed = Timestamp(heading.installed)
        if let installed, let interval = heading.slots.interval {
            facts += progress(every: interval, since: installed, now)
        } else {
            let clock = installed.map { LocalClock.system(from: $0, to: now) }
            let moment = installed.flatMap { clock?.text($0) }
            facts.append(("installed", moment ?? heading.installed))
        }
        if let command {
            let isThere = AbsolutePath.isProgram(command.binary)
            let note = isThere ? "" : " is gone or not executable: install again"
            facts.append(("binary", command.binary + note))
            if let store = command.store { facts.append(("store", store)) }
        }
        if let warning { facts.append(("warning", warning)) }
        return Table(facts: facts).text()
    }

    private func progress(
        every interval: ScheduleInterval,
        since: Timestamp,
        _ now: Timestamp
    ) -> [(String, String)] {
        let clock = LocalClock.system(from: since, to: now)
        let times = Result { try command?.rounds() ?? [] }
        let progress = ScheduleProgress(
            grid: ScheduleGrid(interval) { second in
                Int(clock.offset(at: Timestamp(wholeSeconds: second)))
            },
            installed: since.wholeSeconds,
            rounds: (try? times.get())?.map(\.wholeSeconds) ?? [],
            now: now.wholeSeconds
        )
        var last = progress.lastRound.map { clock.text(Timestamp(wholeSeconds: $0)) } ?? "none yet"
        var missed =
            progress.slots == 0
            ? "none: no slot is over yet" : "\(progress.missed) of \(progress.slots)"
        if case .failure(let error) = times {
            last = "unknown: \(error)"
            missed = "unknown"
        }
        return [
            ("installed", clock.text(since)),
            ("last round", last),
            ("missed", missed),
            ("next due", clock.text(Timestamp(wholeSeconds: progress.next))),
        ]
    }
}

extension Timestamp {
    fileprivate var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Clamps `seconds` to the last representable moment.
    fileprivate init(wholeSeconds seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }
}

extension ScheduledCommand {
    /// The start times of the schedule's rounds. If `sample` does not record which rounds belong to the
    /// schedule, the start times of all its rounds. Empty if there is no store yet.
    fileprivate func rounds() throws -> [Timestamp] {
        guard let store, !AbsolutePath.isMissing(store) else { return [] }
        let scheduled = Store.Window(origins: [.sample], includesMarked: true)
        return try Store(path: store, access: .readOnly).rounds(scheduled)
            .filter { schedule == nil || $0.run.schedule == schedule }
            .map(\.round.started)
    }
}
