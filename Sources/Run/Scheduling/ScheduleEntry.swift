package import Failures

/// One schedule: its heading and its command.
package struct ScheduleEntry: Hashable, Sendable {
    package let heading: ScheduleHeading
    package let command: ScheduledCommand

    /// Whether both entries run the same command at the same times.
    package func isSame(as other: ScheduleEntry) -> Bool {
        heading.slots == other.heading.slots && command == other.command
    }

    /// The lines for a crontab, including the markers.
    package func crontabBlock() throws(Failure) -> String {
        try CrontabBlock.text(self, origin: .ordinary)
    }
}

extension ScheduleEntry {
    package init(
        name: ScheduleName,
        slots: ScheduleSlots,
        command: ScheduledCommand,
        installed: String
    ) {
        heading = ScheduleHeading(name: name, slots: slots, installed: installed)
        self.command = command
    }
}

/// The comment above an entry: `default: every 5m, installed 2026-11-21T05:02:00Z`.
package struct ScheduleHeading: Hashable, Sendable, CustomStringConvertible {
    package let name: ScheduleName
    package let slots: ScheduleSlots
    /// The time of installation, one word in the caller's notation.
    package let installed: String

    package var description: String { "\(name): \(slots), installed \(installed)" }
}

extension ScheduleHeading {
    init?(_ text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = try? ScheduleName(String(parts[0])) else { return nil }
        let words = parts[1].split(separator: ", ")
        guard words.count == 2, words[0].hasPrefix(" "), words[1].hasPrefix("installed "),
            let slots = ScheduleSlots(words[0].dropFirst())
        else { return nil }
        let installed = String(words[1].dropFirst("installed ".count))
        self.init(name: name, slots: slots, installed: installed)
    }
}

/// The name of a schedule: `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
package struct ScheduleName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String, option: String = "--name") throws(Failure) {
        guard text.utf8.count <= 63, text.utf8.first?.isAlphanumeric == true,
            text.utf8.allSatisfy({ $0.isAlphanumeric || "._-".utf8.contains($0) })
        else {
            throw .usage(
                "\(option): '\(text.printable)' is not valid; write up to 63 letters, digits, '.', "
                    + "'_' or '-' and begin with a letter or digit"
            )
        }
        description = text
    }
}

extension UInt8 {
    var isAlphanumeric: Bool { (0x30...0x39).contains(self) || (0x61...0x7a).contains(self | 0x20) }
}

extension String {
    /// The text for messages of one line, with a question mark for each control character.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether the character moves the cursor or ends a line, instead of being visible.
    var isControl: Bool { properties.generalCategory == .control || value == 0x2028 }
}

/// The command of each slot. Its words need no shell.
package struct ScheduledCommand: Hashable, Sendable {
    package let binary: String
    package let arguments: [String]
    /// The folder that contains `dnstempo/config.toml`; `nil` for the default in the user's home.
    package let configurationHome: String?

    /// The variable that names ``configurationHome`` (XDG Base Directory Specification).
    static let variable = "XDG_CONFIG_HOME"
    static let assignment = "\(variable)="

    /// Rejects input that no line can contain: relative paths and control characters.
    package init(
        binary: String,
        arguments: [String],
        configurationHome: String?
    ) throws(Failure) {
        for path in [binary, configurationHome ?? "/"] where !path.hasPrefix("/") {
            throw .usage("'\(path.printable)' is not an absolute path")
        }
        for word in [binary, configurationHome ?? ""] + arguments {
            guard let control = word.unicodeScalars.first(where: \.isControl) else { continue }
            throw .usage(
                "'\(word.printable)' has a \(control == "\n" ? "newline" : "control character") "
                    + "in it, which a schedule cannot contain; rename it"
            )
        }
        self.binary = binary
        self.arguments = arguments
        self.configurationHome = configurationHome
    }

    /// Reads the words of a line, with an optional assignment of ``configurationHome`` first.
    init?(words: [String]) {
        var words = words[...]
        var home: String?
        if let first = words.first, first.hasPrefix(Self.assignment) {
            home = String(first.dropFirst(Self.assignment.count))
            words.removeFirst()
        }
        guard let binary = words.popFirst(),
            let command = try? Self(
                binary: binary,
                arguments: Array(words),
                configurationHome: home
            )
        else { return nil }
        self = command
    }

    var words: [String] { [binary] + arguments }

    package var store: String? { value(of: "--store") }

    /// The name that distinguishes its rounds from other rounds in the same store; `nil` if an
    /// earlier version installed it.
    package var schedule: String? { value(of: "--schedule") }

    private func value(of option: String) -> String? {
        zip(arguments, arguments.dropFirst()).first { $0.0 == option }?.1
    }
}
