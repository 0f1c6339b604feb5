/// A launchd agent for macOS (launchd.plist(5)).
package struct LaunchdPropertyList: Hashable, Sendable {
    package let entry: ScheduleEntry

    package init(_ entry: ScheduleEntry) { self.entry = entry }

    package var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>Label</key>
            \(Self.string("dnstempo.\(entry.heading.name)"))
        \(environment)    <key>ProgramArguments</key>
            <array>
        \(programArguments)
            </array>
            <key>StartCalendarInterval</key>
            <array>
        \(calendar)
            </array>
        </dict>
        </plist>

        """
    }

    private var programArguments: String {
        entry.command.words.map { "        " + Self.string($0) }.joined(separator: "\n")
    }

    private var environment: String {
        guard let home = entry.command.configurationHome else { return "" }
        return """
                <key>EnvironmentVariables</key>
                <dict>
                    <key>\(ScheduledCommand.variable)</key>
                    \(Self.string(home))
                </dict>

            """
    }

    /// The times of day. An absent key means every value.
    private var calendar: String {
        entry.heading.slots.calendarKeys.map { keys in
            let keys = keys.map { "<key>\($0)</key><integer>\($1)</integer>" }
            return "        <dict>\(keys.joined())</dict>"
        }.joined(separator: "\n")
    }

    private static func string(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
        return "<string>\(text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())</string>"
    }
}

extension ScheduleSlots {
    /// The slots by the keys of launchd.
    fileprivate var calendarKeys: [KeyValuePairs<String, Int>] {
        switch self {
        case .every(let interval): interval.calendarKeys
        case .weekly: [["Weekday": 1, "Hour": 7, "Minute": 0]]
        case .monthly: [["Day": 1, "Hour": 7, "Minute": 0]]
        }
    }
}

extension ScheduleInterval {
    fileprivate var calendarKeys: [KeyValuePairs<String, Int>] {
        switch minutes {
        case 1: [[:]]
        case ..<60: stride(from: 0, to: 60, by: minutes).map { ["Minute": $0] }
        case 60: [["Minute": 0]]
        default: stride(from: 0, to: 24, by: minutes / 60).map { ["Hour": $0, "Minute": 0] }
        }
    }
}
