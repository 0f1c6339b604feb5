import ArgumentParser
import Catalogue
import Failures

/// The command named by the first words of the command line, and the words after them.
///
/// The parser finds the command too. However, it describes all of its options to itself twice, and once more
/// for each text about them.
struct ChosenCommand {
    private let type: any ParsableCommand.Type
    private let words: [String]
    private let all: [String]

    /// Rejects a word that is not a command, with a clear error. The parser would only call it unexpected.
    init(of arguments: [String]) throws(Failure) {
        var type: any ParsableCommand.Type = Dnstempo.self
        var path: [String] = []
        for word in arguments {
            let choices = type.configuration.subcommands
            guard !choices.isEmpty, !word.hasPrefix("-"), word != "help" else { break }
            path.append(word)
            guard let next = choices.first(where: { $0._commandName == word }) else {
                let near = NearestName.find(word, among: choices.map { $0._commandName })
                let advice =
                    near.map { "did you mean '\($0)'?" }
                    ?? "see \((["dnstempo"] + path.dropLast()).joined(separator: " ")) --help"
                let given = path.joined(separator: " ")
                throw Failure.usage("unknown command '\(given)'; \(advice)")
            }
            type = next
        }
        self.type = type
        words = Array(arguments.dropFirst(path.count))
        all = arguments
    }

    /// Whether the command only has subcommands.
    private var isParent: Bool { !type.configuration.subcommands.isEmpty }

    /// The help, if the words ask only for help.
    var help: String? {
        switch words {
        case ["--help"], ["-h"]: return help()
        case ["--help-hidden"]: return help(includeHidden: true)
        default: return isParent && words.isEmpty ? help() : nil
        }
    }

    private func help(includeHidden: Bool = false) -> String {
        Dnstempo.helpMessage(for: type, includeHidden: includeHidden)
    }

    /// The command to run. Throws a requested text, such as help, as an error.
    func parsed() throws -> any ParsableCommand {
        try RepeatedOptions.check(words, of: type)
        guard !isParent, !words.contains(where: Self.isOfParser) else { return try parsedByRoot() }
        let command = try type.parseAsRoot(
            ScheduleCommand.isParent(of: type) ? words : JoinedWords.joined(words)
        )
        return Self.isHelp(command) ? try parsedByRoot() : command
    }

    /// Parses with the whole program, which knows its version and the names of commands for help.
    private func parsedByRoot() throws -> any ParsableCommand {
        do {
            var command = try Dnstempo.parseAsRoot(all)
            if Self.isHelp(command) { try command.run() }
            return command
        } catch {
            // Version, completions and help are errors too.
            guard Dnstempo.exitCode(for: error) == .success else { throw error }
            throw RequestedText(text: Dnstempo.fullMessage(for: error))
        }
    }

    private static func isHelp(_ command: any ParsableCommand) -> Bool {
        Swift.type(of: command).configuration.commandName == "help"
    }

    /// Whether the parser itself handles `word`.
    private static func isOfParser(_ word: String) -> Bool {
        ["-h", "--help", "--version", "--generate-", "--experimental-"]
            .contains { word.hasPrefix($0) }
    }
}

/// A text that was requested instead of a command's work.
struct RequestedText: Error {
    var text: String
}
