import ArgumentParser
import Catalogue
import Integrity
import Reports
import Samples

/// Does a resolver tell the truth?
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
        help: ArgumentHelp(
            """
            Whom to look at, written as for 'dnstempo compare'. (default: system, the gateway and \
            four public ones)
            """,
            valueName: "resolver"
        )
    )
    var resolvers: [String] = []

    @OptionGroup var options: CheckOptions

    @Option(
        help: ArgumentHelp(
            "Look at simulated resolvers on this machine; the profile is hostile or a .toml file, or is left out.",
            valueName: "profile"
        )
    )
    var lab: String?

    func run() async throws {
        let destinations = try CheckDestinations(options)
        let lab = try lab.map { name in
            try LabSession(LabChoice.profile(name), families: options.families)
        }
        let chosen = try chosenResolvers(lab)
        let session = try CheckSession(options, for: chosen, isLab: lab != nil)
        let started = Timestamp.now
        let (findings, interrupted) = await session.examine(chosen)
        lab?.stop()
        let document = CheckDocument(findings: findings, started: started, finished: .now)
        try destinations.write(document)
        if interrupted { throw Failure(.interrupted, "") }
        if !findings.contains(where: \.answers) {
            throw Failure(
                .noResolver,
                "no resolver answered; is there a network, and are they resolvers?"
            )
        }
    }

    /// Those of the lab by their names, any others as they are written.
    private func chosenResolvers(_ lab: LabSession?) throws -> [Resolver] {
        let (system, families) = (SystemResolvers(), options.families)
        let catalogue = try ResolverCatalogue.forUser()
        guard !resolvers.isEmpty else {
            return try lab?.resolvers
                ?? catalogue.defaultResolvers(families: families, system: system)
        }
        let simulated = resolvers.flatMap { lab?.resolvers(named: $0) ?? [] }
        let others = resolvers.filter { lab?.resolvers(named: $0).isEmpty ?? true }
        let named = try catalogue.resolvers(named: others, families: families, system: system)
        if let encrypted = named.first(where: { $0.endpoint.transport.isEncrypted }) {
            throw Failure(
                .usage,
                "resolver '\(encrypted.label)': check asks over udp and tcp alone; give its address"
            )
        }
        return simulated + named
    }
}

/// What the commands take that look at whether resolvers tell the truth.
struct CheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file of test names; it replaces those of the same keys in data/checks.toml.",
            valueName: "file"
        )
    )
    var checks: String?

    @Option(
        help: ArgumentHelp(
            "At most so many queries per second to one resolver. (default: 5; lab: 50)",
            valueName: "q/s"
        )
    )
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "At most so many queries per second in all. (default: 15; lab: 50 each)",
            valueName: "q/s"
        )
    )
    var totalRate: Double?

    @Flag(help: "Allow more than 20 queries per second to a resolver.")
    var iRunTheseResolvers = false

    @Option(help: "How long an answer may take; one without is asked for twice. (default: 2s)")
    var timeout: String?

    @Flag(name: .customShort("4"), help: "Ask catalogue names at their IPv4 address.")
    var v4 = false

    @Flag(name: .customShort("6"), help: "Ask catalogue names at their IPv6 address.")
    var v6 = false

    @OptionGroup var reach: ReachOption

    @Option(help: "What standard output gets: table or json.")
    var format = "table"

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write the result to a file too; .txt .json or .html; repeatable.",
            valueName: "file"
        )
    )
    var output: [String] = []

    /// The address families asked for by -4 and -6; empty for the usual choice.
    var families: Set<IPAddress.Family> { Set((v4 ? [.v4] : []) + (v6 ? [.v6] : [])) }
}

/// What checks came to, in every format.
protocol TruthDocument {
    /// Lines of at most `width` columns.
    func text(_ width: Int) -> String
    var json: JSONValue { get }
    /// With the command that does it again.
    func page(command: String) -> HTMLPage
}

/// Where the result of checks goes; all is checked before anything is asked.
struct CheckDestinations {
    private let isJSON: Bool
    private let files: [(path: String, format: OutputFormat)]

    init(_ options: CheckOptions) throws {
        guard ["table", "json"].contains(options.format) else {
            throw Failure(.usage, "--format: '\(options.format)' is none; write table or json")
        }
        isJSON = options.format == "json"
        files = try options.output.map { path in
            guard let format = try? OutputFormat(path: path),
                [.text, .json, .html].contains(format)
            else { throw Failure(.usage, "-o '\(path)': end its name in .txt, .json or .html") }
            return (path, format)
        }
        try OutputFiles.check(options.output)
    }

    /// Standard output first: it is there even where a file then cannot be written, and the files
    /// where it is not.
    func write(_ document: any TruthDocument) throws {
        let width = Terminal.output.size.columns
        try Terminal.output.write(text(document, as: isJSON ? .json : .text, width: width)) {
            try OutputFiles.write(
                files.map { file in
                    OutputFiles.Content(
                        path: file.path,
                        text: text(document, as: file.format, width: 100)
                    )
                }
            )
        }
    }

    private func text(_ document: any TruthDocument, as format: OutputFormat, width: Int) -> String
    {
        switch format {
        case .json: document.json.text() + "\n"
        case .html: document.page(command: CommandLine.shown).text
        default: EscapedText.terminalLines(document.text(width))
        }
    }
}

extension EscapedText {
    /// Each line made harmless, their ends kept.
    fileprivate static func terminalLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { terminal(String($0)) }.joined(separator: "\n")
    }
}
