import ArgumentParser
import Catalogue
import Integrity
import Reports
import Samples

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look whether resolvers, and the way to them, tell the truth.",
        discussion: """
            Names that do not exist, names with wrong signatures, names of private addresses and \
            names that filters block are asked for; then who answers, from where it asks others \
            and whom it tells who asked, whether addresses that nobody has answer, TCP and EDNS. \
            Each is passed, failed or inconclusive, with what was asked and what came back. To \
            fail is a result: the exit code stays 0.

            Examples:
              dnstempo check
              dnstempo check system quad9 router=192.168.1.1
              dnstempo check quad9 --format json -o checks.txt -o checks.html
              dnstempo check --lab hostile
              dnstempo check 127.0.0.1:5353 --checks my-names.toml
            """
    )

    @Argument(
        help: """
            Whom to look at, written as for 'dnstempo compare'. (default: system, the gateway and \
            four public ones)
            """.naming("resolver")
    )
    var resolvers: [String] = []

    @OptionGroup var options: CheckOptions

    @Option(
        help:
            "Look at simulated resolvers on this machine; the profile is hostile or a .toml file, or is left out."
            .naming("profile")
    )
    var lab: String?

    func run() async throws {
        let destinations = try ReportDestinations(options)
        let lab = try lab.map { name in
            try LabSession(LabProfile(name), families: options.family.families)
        }
        let chosen = try chosenResolvers(lab)
        let session = try CheckSession(options, for: chosen, isLab: lab != nil)
        let started = Timestamp.now
        let (findings, interrupted) = await session.examine(chosen)
        lab?.stop()
        let document = CheckDocument(findings: findings, started: started, finished: .now)
        try destinations.write(document) { .lookAgain }
        if interrupted { throw Failure(.interrupted, "") }
        if !findings.contains(where: \.answers) {
            throw Failure.noAnswer("is there a network, and are they resolvers?")
        }
    }

    /// Those of the lab by their names, any others as they are written.
    private func chosenResolvers(_ lab: LabSession?) throws -> [Resolver] {
        let (system, families) = (SystemResolvers(), options.family.families)
        let catalogue = try ResolverCatalogue.forUser()
        guard !resolvers.isEmpty else {
            return try lab?.resolvers
                ?? catalogue.defaultResolvers(families: families, system: system)
        }
        let named = try catalogue.resolvers(
            named: resolvers,
            lab,
            families: families,
            system: system
        )
        if let encrypted = named.first(where: { $0.endpoint.transport.isEncrypted }) {
            throw Failure.usage(
                "resolver '\(encrypted.label)': check asks over udp and tcp alone; give its address"
            )
        }
        return named
    }
}

/// Options of the commands that look for the truth.
struct CheckOptions: ParsableArguments {
    @Option(
        help: "A file of test names; it replaces those of the same keys in data/checks.toml."
            .naming("file")
    )
    var checks: String?

    @OptionGroup var pace: PaceOptions

    @Option(help: "How long an answer may take; one without is asked for twice. (default: 2s)")
    var timeout: String?

    @OptionGroup var family: FamilyOptions

    @OptionGroup var reach: ReachOption

    @Option(help: "What standard output gets: table or json.")
    var format = "table"

    @Option(
        name: [.short, .long],
        help: "Write the result to a file too; .txt .json or .html; repeatable.".naming("file")
    )
    var output: [String] = []
}

extension ReportDestinations {
    init(_ options: CheckOptions) throws {
        try self.init(
            OutputFormat(tableOrJSON: options.format),
            files: options.output,
            in: [.text, .json, .html]
        ) { path, _ in "-o '\(path)': end its name in .txt, .json or .html" }
    }
}

/// The result of checks: text that resolvers had a hand in, JSON, and a page.
protocol TruthDocument: PagedReport {
    var started: Timestamp { get }
    var finished: Timestamp { get }
    /// Lines of at most `width` columns.
    func text(_ width: Int) -> String
    var json: JSONValue { get }
}

extension TruthDocument {
    func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        if format == .json { return json.text() + "\n" }
        return text(width).split(separator: "\n", omittingEmptySubsequences: false)
            .map { EscapedText.terminal(String($0)) }.joined(separator: "\n")
    }

    /// `members` after what every such document begins with.
    func json(_ schema: String, resolvers: [JSONValue]) -> JSONValue {
        [
            "schema": .string("dnstempo.\(schema)/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(Version.text)],
            "started": .string(started.description),
            "finished": .string(finished.description),
            "resolvers": .array(resolvers),
        ]
    }

    /// A page that begins with `answer`, and ends with when that was found and by which command.
    func page(_ title: String, _ answer: [HTML], _ extras: PageExtras) -> ReportPage {
        var page = ReportPage(
            title: title,
            answer: [PageFragments.answer(title)] + answer,
            provenance: "Looked at from \(started) to \(finished), dnstempo \(Version.text)."
        )
        page.command = extras.command
        page.commandHeading = extras.commandHeading
        return page
    }
}

extension PageExtras {
    static var lookAgain: PageExtras {
        PageExtras(command: CommandLine.shown, commandHeading: "Look again")
    }
}
