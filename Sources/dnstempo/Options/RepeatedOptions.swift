import ArgumentParser

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds options that are written twice and take one value: the parser would keep the last alone.
enum RepeatedOptions {
    /// A command as the parser describes it.
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

        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        /// The options and the one that options left over go to.
        func options(of path: some Sequence<String>) -> [Argument] {
            var command = self
            for word in path {
                command = command.subcommands?.first { $0.commandName == word } ?? command
            }
            let isSchedule = path.contains("schedule")
            let passed = isSchedule ? subcommands?.first { $0.commandName == "sample" } : nil
            return (command.arguments ?? []) + (passed?.arguments ?? [])
        }
    }

    private struct Description: Decodable {
        var command: Command
    }

    static func check(_ arguments: [String]) throws(Failure) {
        let words = arguments.prefix { $0 != "--" }
        let written = words.filter { $0.hasPrefix("-") }
            .map { String($0.prefix { $0 != "=" }) }.map { $0 == "-o" ? "--output" : $0 }
        let counts = written.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // To describe all options takes longer than to read them.
        guard counts.values.contains(where: { $0 > 1 }) else { return }
        let text = Data(Dnstempo._dumpHelp().utf8)
        guard let root = try? JSONDecoder().decode(Description.self, from: text) else { return }
        let path = words.prefix { !$0.hasPrefix("-") }
        let options = root.command.options(of: path)
        for word in written where counts[word] ?? 0 > 1 {
            let option = options.first { $0.names?.contains { $0.written == word } ?? false }
            guard let option, option.kind == "option", !option.isRepeating else { continue }
            throw Failure.usage("\(word) takes one value and is written twice: leave one out")
        }
    }
}
