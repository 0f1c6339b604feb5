import Failures

/// One entry of a crontab: five fields and a command for sh.
enum CronLine {
    /// The maximum length of a command. cron truncates a longer command silently (MAX_COMMAND of
    /// Vixie's cron, including the end).
    static let longestCommand = 998

    static func text(_ entry: ScheduleEntry) throws(Failure) -> String {
        let home = entry.command.configurationHome.map {
            ScheduledCommand.assignment + quoted($0)
        }
        let words = [home].compactMap(\.self) + entry.command.words.map(quoted)
        let command = words.joined(separator: " ")
        guard command.utf8.count <= longestCommand else {
            throw .usage(
                "the command has \(command.utf8.count) bytes and cron takes \(longestCommand): move "
                    + "options into a campaign file or the configuration, or use --systemd"
            )
        }
        return "\(entry.heading.slots.cronFields) \(command)"
    }

    /// The command of the line; `nil` if `text` would not write the line like this for the
    /// slots.
    static func command(of line: some StringProtocol, at slots: ScheduleSlots)
        -> ScheduledCommand?
    {
        let fields = slots.cronFields + " "
        guard line.hasPrefix(fields) else { return nil }
        return words(of: line.dropFirst(fields.count)).flatMap(ScheduledCommand.init(words:))
    }

    /// One word, quoted for cron and then for sh.
    ///
    /// cron ends the command at a `%` without a `\` before it. Whether `\\` counts as one `\`
    /// depends on the cron. A backslash therefore never precedes another character of the word: the
    /// quotes are closed before it and opened again after it.
    static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
        let escapes: [Unicode.Scalar: String] = ["'": "'\\''", "\\": "\\''", "%": "\\%"]
        return "'\(word.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "@+=:,./_-".utf8.contains(byte)
    }

    /// The words as sh reads them, with single quotes and backslashes; `nil` for any other syntax.
    private static func words(of text: some StringProtocol) -> [String]? {
        var words: [String] = []
        var word: String?
        var quoted = false
        var characters = Substring(text).unicodeScalars
        while let character = characters.popFirst() {
            switch (character, quoted) {
            case ("'", _):
                quoted.toggle()
                word = word ?? ""
            case (" ", false):
                if let ended = word { words.append(ended) }
                word = nil
            case ("\\", _) where characters.first == "%", ("\\", false):
                guard let next = characters.popFirst() else { return nil }
                word = (word ?? "") + String(next)
            case ("%", _): return nil
            default:
                guard quoted || !character.isASCII || isPlain(UInt8(character.value)) else {
                    return nil
                }
                word = (word ?? "") + String(character)
            }
        }
        if let ended = word { words.append(ended) }
        return quoted ? nil : words
    }
}

extension ScheduleInterval {
    /// The fields minute, hour, day, month and weekday (crontab(5)).
    var cronFields: String {
        switch minutes {
        case 1: "* * * * *"
        case ..<60: "*/\(minutes) * * * *"
        case 60: "0 * * * *"
        case ..<1440: "0 */\(minutes / 60) * * *"
        default: "0 0 * * *"
        }
    }
}
