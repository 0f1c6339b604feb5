package import ArgumentParser
import Failures
package import Processes
import Runs
import Samples

package struct Dnstempo: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "dnstempo",
        abstract: "Measure how fast DNS resolvers answer from where you are.",
        discussion: """
            Examples:
              dnstempo compare             your current resolver and four public ones
              dnstempo compare --lab       simulated resolvers, without a network
              dnstempo compare system quad9 192.0.2.53 -o result.json -o charts.svg
              dnstempo plan --for 10m      the smallest difference that ten minutes find
              dnstempo watch               one round every five minutes, stored
              dnstempo report --by hour    the last 7 days, by hour of the day
              dnstempo resolvers list      resolvers known by name
              dnstempo help guide          pages of the guide, such as: dnstempo help cron
            """,
        version: Version.text,
        subcommands: subcommands
    )

    /// The commands by name, in the order of the help.
    private static let commands: KeyValuePairs<String, @Sendable () -> any ParsableCommand.Type> = [
        "compare": { CompareCommand.self }, "plan": { PlanCommand.self },
        "sample": { SampleCommand.self }, "watch": { WatchCommand.self },
        "schedule": { ScheduleCommand.self }, "store": { StoreCommand.self },
        "report": { ReportCommand.self }, "chart": { ChartCommand.self },
        "digest": { DigestCommand.self }, "resolvers": { ResolversCommand.self },
        "export": { ExportCommand.self },
        "serve": { ServeCommand.self }, "check": { CheckCommand.self },
        "connections": { ConnectionsCommand.self },
        "instrument": { InstrumentCommand.self }, "lab": { LabCommand.self },
        "load-peer": { LoadPeerCommand.self },
        "formats": { FormatsCommand.self },
    ]

    /// Only the command that the first word names, or all commands. Naming a command makes the runtime lay
    /// out all of its options, which takes longer than parsing one command.
    private static var subcommands: [any ParsableCommand.Type] {
        let word = CommandLine.arguments.dropFirst().first
        let named = commands.first { $0.key == word }
        return named.map { [$0.value()] } ?? commands.map { $0.value() }
    }

    package init() {}

    /// Runs the command in the arguments of the process, and ends the process.
    package static func main() -> Never {
        Terminal.reserve()
        do throws(Failure) { try SystemLimits.checkStack() } catch { end(with: error) }
        // Version, help and parse errors are printed before any resource of a command is created.
        let parsed: any ParsableCommand
        do {
            try Environment.checkText()
            parsed = try command(of: CommandLine.arguments.dropFirst())
        } catch { end(with: error) }
        do throws(Failure) { try SystemLimits.check() } catch { end(with: error) }
        Signals.prepare()
        // Safe because no other code has the command, and it is passed on once.
        nonisolated(unsafe) let command = parsed
        Task.detached {
            do { try await unsafe execute(command) } catch { end(with: error) }
            exit(withError: nil)
        }
        Signals.serve()
    }

    /// Runs the command in `words` within this process, with its own environment variables and interruptions.
    /// `output` gets what it prints. Returns the exit code.
    package static func run(
        _ words: [String],
        environment: [String: String],
        output: CapturedOutput,
        interruptions: Signals.Interruptions = Signals.Interruptions()
    ) async -> Int32 {
        await Environment.$ofTask.withValue(environment) {
            await Terminal.$capture.withValue(output) {
                await Signals.$ofTask.withValue(interruptions) {
                    do {
                        try await execute(command(of: words))
                        return 0
                    } catch {
                        return tell(error).rawValue
                    }
                }
            }
        }
    }

    private static func command(
        of words: some Sequence<String>
    ) throws -> sending any ParsableCommand {
        let arguments = OptionalValues.joined(words)
        if arguments == ["--version"] { throw RequestedText(text: Version.text) }
        let names = commands.map(\.key)
        if let page = try GuidePage.requested(by: arguments, commands: names) {
            let width = min(Terminal.output.size.columns, 100)
            throw RequestedText(text: String(page.text(width: width, commands: names).dropLast()))
        }
        let chosen = try ChosenCommand(of: arguments)
        if let help = chosen.help { throw RequestedText(text: help) }
        return try chosen.parsed()
    }

    private static func execute(_ parsed: sending any ParsableCommand) async throws {
        while true {
            do {
                if var command = parsed as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    var command = parsed
                    try command.run()
                }
                return
            } catch is SourceChanged {
                // An unreadable place is excluded from the start of the next attempt.
            }
        }
    }

    private static func end(with error: any Error) -> Never {
        let code = tell(error)
        exit(withError: code == .success ? nil : code)
    }

    /// Prints the error that ended a command, and returns the exit code.
    private static func tell(_ error: any Error) -> ExitCode {
        // A command may finish early, for example if its reader closed the pipe.
        if let code = error as? ExitCode { return code }
        let failure: Failure
        if let requested = error as? RequestedText {
            do {
                try Terminal.output.write("\(requested.text)\n")
                return .success
            } catch { failure = Failure(describing: error) }
        } else {
            failure = Failure(describing: error)
        }
        if !failure.description.isEmpty { Terminal.mention(failure.description) }
        return ExitCode(failure.status.rawValue)
    }
}
