import ArgumentParser
import Catalogue

@main
struct Dnstempo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dnstempo",
        abstract: "Measure how fast DNS resolvers answer from where you are.",
        discussion: """
            Examples:
              dnstempo compare             your current resolver and four public ones
              dnstempo compare --lab       simulated resolvers, without a network
              dnstempo compare system quad9 192.0.2.53 -o result.json -o charts.svg
              dnstempo plan --for 10m      what difference ten minutes find
              dnstempo watch               one round every five minutes, stored
              dnstempo report --by hour    the last 7 days of what the schedule measured
              dnstempo resolvers list      resolvers known by name
            """,
        version: Version.text,
        subcommands: [
            CompareCommand.self, PlanCommand.self, SampleCommand.self, WatchCommand.self,
            ScheduleCommand.self,
            StoreCommand.self, ReportCommand.self, ChartCommand.self, ResolversCommand.self,
            ExportCommand.self, ServeCommand.self,
            CheckCommand.self, InstrumentCommand.self, LabCommand.self,
        ]
    )

    static func main() {
        Terminal.reserve()
        // Version, help and what is wrong are said before anything is made that a command needs.
        let parsed: any ParsableCommand
        do { parsed = try parsedArguments() } catch { end(with: error) }
        do throws(Failure) { try SystemLimits.check() } catch { end(with: error) }
        Signals.prepare()
        // Safe because nobody else has it, and it is handed over once.
        nonisolated(unsafe) let command = parsed
        Task.detached {
            await unsafe execute(command)
            exit(withError: nil)
        }
        Signals.serve()
    }

    private static func parsedArguments() throws -> any ParsableCommand {
        try Environment.checkText()
        let arguments = OptionalValues.joined(CommandLine.arguments.dropFirst())
        try checkCommand(of: arguments)
        try RepeatedOptions.check(arguments)
        var command = try parseAsRoot(arguments)
        // Help is a command of the parser's.
        if type(of: command).configuration.commandName == "help" { try command.run() }
        return command
    }

    private static func execute(_ parsed: sending any ParsableCommand) async {
        do {
            if var command = parsed as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = parsed
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Refuses a word that is no command: the parser would only call it unexpected.
    private static func checkCommand(of arguments: [String]) throws(Failure) {
        var command: any ParsableCommand.Type = Self.self
        var path: [String] = []
        for word in arguments {
            let choices = command.configuration.subcommands
            guard !choices.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            path.append(word)
            guard let next = choices.first(where: { $0._commandName == word }) else {
                let near = NearestName.find(word, among: choices.map { $0._commandName })
                let advice =
                    near.map { "did you mean '\($0)'?" }
                    ?? "see \((["dnstempo"] + path.dropLast()).joined(separator: " ")) --help"
                let given = path.joined(separator: " ")
                throw Failure.usage("unknown command '\(given)'; \(advice)")
            }
            command = next
        }
    }

    private static func end(with error: any Error) -> Never {
        var failure = error as? Failure ?? Failure(describing: error)
        if exitCode(for: error) == .success {
            // Help and version come as errors too.
            do {
                try Terminal.output.write("\(fullMessage(for: error))\n")
                exit(withError: nil)
            } catch { failure = Failure(describing: error) }
        }
        if !failure.description.isEmpty { Terminal.mention(failure.description) }
        exit(withError: ExitCode(failure.kind.rawValue))
    }
}
