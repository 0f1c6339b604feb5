/// A user's timer and service for systemd (systemd.timer(5), systemd.service(5)).
package struct SystemdUnits: Hashable, Sendable {
    package let entry: ScheduleEntry

    package init(_ entry: ScheduleEntry) { self.entry = entry }

    /// The name `dnstempo-NAME.timer` of the unit that is enabled.
    package static func timerName(_ name: ScheduleName) -> String { "dnstempo-\(name).timer" }

    package static func serviceName(_ name: ScheduleName) -> String { "dnstempo-\(name).service" }

    /// Starts the service at every slot of the clock. Slots during suspension are not repeated
    /// later.
    package var timer: String {
        """
        [Unit]
        Description=\(entry.heading.slots.purpose), \(entry.heading.slots) (\(entry.heading.name))

        [Timer]
        OnCalendar=\(entry.heading.slots.calendarEvent)
        AccuracySec=1s
        Persistent=false

        [Install]
        WantedBy=timers.target

        """
    }

    /// Runs the command once. Another round in progress is not a failure.
    package var service: String {
        let environment = entry.command.configurationHome.map {
            "Environment=\(SystemdWord.quoted(ScheduledCommand.assignment + $0, doubling: "%"))\n"
        }
        return """
            \(Self.beginning)\(entry.heading)
            [Unit]
            Description=\(entry.heading.slots.purpose) (\(entry.heading.name))

            [Service]
            Type=oneshot
            \(environment ?? "")ExecStart=\(execStart)
            SuccessExitStatus=75

            """
    }

    /// systemd does not accept quotes and backslashes in a program's path, and does not expand `$`
    /// in it. Such a path is passed to sh as an argument.
    private var execStart: String {
        let binary = entry.command.binary
        let isSafe = !binary.unicodeScalars.contains { "\"'\\$".unicodeScalars.contains($0) }
        let words = (isSafe ? [] : Self.shell) + entry.command.words
        // `%` begins a specifier and `$` a variable.
        return words.map { SystemdWord.quoted($0, doubling: "%$") }.joined(separator: " ")
    }

    private static let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\""]
    private static let beginning = "# dnstempo schedule "

    /// Whether `text` is the service of a schedule, also if it was changed by hand.
    package static func isOwn(service text: String) -> Bool {
        text.split(separator: "\n").contains { $0.hasPrefix(beginning) }
    }

    package static func entry(service text: String) -> ScheduleEntry? {
        let lines = text.split(separator: "\n")
        func value(_ prefix: String) -> Substring? {
            lines.first { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        }
        guard let heading = value(beginning).flatMap({ ScheduleHeading($0) }),
            var words = value("ExecStart=").flatMap(SystemdWord.words)
        else { return nil }
        if words.starts(with: shell) { words.removeFirst(shell.count) }
        let assignment = value("Environment=").flatMap(SystemdWord.words) ?? []
        return ScheduledCommand(words: assignment.prefix(1) + words).map {
            ScheduleEntry(heading: heading, command: $0)
        }
    }
}

extension ScheduleSlots {
    /// The purpose of the command, for the journal.
    fileprivate var purpose: String {
        interval == nil ? "Digest of DNS measurements" : "Round of DNS measurements"
    }
}

extension ScheduleInterval {
    /// A calendar event (systemd.time(7)), in local time as in cron.
    var calendarEvent: String {
        switch minutes {
        case 1: "*-*-* *:*:00"
        case ..<60: "*-*-* *:00/\(minutes):00"
        case 60: "*-*-* *:00:00"
        case ..<1440: "*-*-* 00/\(minutes / 60):00:00"
        default: "*-*-* 00:00:00"
        }
    }
}

/// The words of a unit file, always in double quotes (systemd.syntax(7), "Quoting").
enum SystemdWord {
    static func quoted(_ word: String, doubling doubled: String) -> String {
        let characters = word.unicodeScalars.map { character in
            if doubled.unicodeScalars.contains(character) { return "\(character)\(character)" }
            return character == "\"" || character == "\\" ? "\\\(character)" : "\(character)"
        }
        return "\"\(characters.joined())\""
    }

    /// The words of a line, with a doubled `%` or `$` as one character; `nil` for other syntax.
    static func words(_ line: Substring) -> [String]? {
        var words: [String] = []
        var characters = line.unicodeScalars
        while let first = characters.popFirst() {
            guard first == "\"" else { return nil }
            var word = String.UnicodeScalarView()
            while let character = characters.popFirst(), character != "\"" {
                switch character {
                case "\\":
                    guard let next = characters.popFirst() else { return nil }
                    word.append(next)
                case "%", "$":
                    if characters.first == character { characters.removeFirst() }
                    word.append(character)
                default: word.append(character)
                }
            }
            words.append(String(word))
            if let next = characters.popFirst(), next != " " { return nil }
        }
        return words
    }
}
