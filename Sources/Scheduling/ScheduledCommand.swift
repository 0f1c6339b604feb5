/// What is run at each slot, without a shell in between as far as its words go.
package struct ScheduledCommand: Hashable, Sendable {
    /// An absolute path.
    package let binary: String
    package let arguments: [String]
    /// The folder that holds `dnstempo/config.toml`; `nil` leaves it to the home of whoever runs it.
    package let configurationHome: String?

    /// The variable that names ``configurationHome`` (XDG Base Directory Specification).
    static let variable = "XDG_CONFIG_HOME"

    /// Refuses what no line can carry: relative paths and control characters.
    package init(
        binary: String,
        arguments: [String],
        configurationHome: String?
    ) throws(ScheduleError) {
        for path in [binary, configurationHome ?? "/"] where !path.hasPrefix("/") {
            throw ScheduleError(.usage, "'\(path.printable)' is not an absolute path")
        }
        for word in [binary, configurationHome ?? ""] + arguments {
            guard let control = word.unicodeScalars.first(where: \.isControl) else { continue }
            throw ScheduleError(
                .usage,
                "'\(word.printable)' has a \(control == "\n" ? "newline" : "control character") "
                    + "in it, which a schedule cannot carry; rename it"
            )
        }
        self.binary = binary
        self.arguments = arguments
        self.configurationHome = configurationHome
    }

    /// As ``init(binary:arguments:configurationHome:)``, from words that were read back.
    init?(words: [String], configurationHome: String?) {
        guard let binary = words.first,
            let command = try? ScheduledCommand(
                binary: binary,
                arguments: Array(words.dropFirst()),
                configurationHome: configurationHome
            )
        else { return nil }
        self = command
    }

    /// The path behind `--store`.
    package var store: String? { value(of: "--store") }

    /// What tells its rounds from those of another schedule that shares its store; `nil` where an
    /// earlier version installed it.
    package var schedule: String? { value(of: "--schedule") }

    private func value(of option: String) -> String? {
        guard let place = arguments.firstIndex(of: option), place + 1 < arguments.endIndex else {
            return nil
        }
        return arguments[place + 1]
    }
}
