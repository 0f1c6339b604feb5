import ArgumentParser
import Failures

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Detects repeated options that take one value. The parser would keep only the last value.
enum RepeatedOptions {
    /// A command in the parser's description.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
                var written: String { (kind == "long" ? "--" : "-") + name }
            }

            var kind: String
            var isRepeating: Bool
            var names: [Name]?
        }

        var arguments: [Argument]?
    }

    private struct Description: Decodable {
        var command: Command
    }

    /// The options that accept several values, in every command that has them.
    private static let lists: Set = [
        "-d", "--domain", "-t", "--type", "--source", "--expect", "--zone", "--pin",
        "--edns-option",
        "--notify", "--notify-url", "--host",
    ]

    /// Throws if `arguments` contains a repeated option of the command that takes one value.
    static func check(
        _ arguments: [String],
        of command: any ParsableCommand.Type
    ) throws(Failure) {
        let words = arguments.prefix { $0 != "--" }
        let written = words.filter { $0.hasPrefix("-") }
            .map { String($0.prefix { $0 != "=" }) }.map { $0 == "-o" ? "--output" : $0 }
        let counts = written.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // Describing all options takes longer than parsing them.
        guard counts.contains(where: { $0.value > 1 && !lists.contains($0.key) }) else { return }
        let options = options(of: command)
        for word in written where counts[word] ?? 0 > 1 {
            let option = options.first { $0.names?.contains { $0.written == word } ?? false }
            guard let option, option.kind == "option", !option.isRepeating else { continue }
            throw Failure.usage("\(word) takes one value and is written twice: leave one out")
        }
    }

    /// The options of a command, and of the command that receives the remaining options.
    private static func options(of command: any ParsableCommand.Type) -> [Command.Argument] {
        let passedOn = ScheduleCommand.isParent(of: command) ? [SampleCommand.self] : []
        return ([command] + passedOn).flatMap { command in
            let text = Data(command._dumpHelp().utf8)
            let description = try? JSONDecoder().decode(Description.self, from: text)
            return description?.command.arguments ?? []
        }
    }
}

extension ScheduleCommand {
    /// Whether options unknown to `command` are passed to another command.
    static func isParent(of command: any ParsableCommand.Type) -> Bool {
        configuration.subcommands.contains { $0 == command }
    }
}
