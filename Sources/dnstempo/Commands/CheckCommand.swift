import Analysis
import ArgumentParser
import Catalogue
import Failures
import Integrity
import Processes
import Reports
import Runs
import Samples

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether resolvers, and the network, return true answers.",
        discussion: """
            Queries names that do not exist, that have wrong signatures, that point to private \
            addresses and that filters block. Then checks which server answers, from which address \
            it queries others, and whether it passes on the client's subnet. The last checks are \
            of port 53 (interception), TCP and EDNS. Each check is passed, failed or inconclusive, \
            with the query and its answer. A failed check is a result: the exit code is 0 without \
            --fail-if.

            Examples:
              dnstempo check
              dnstempo check system quad9 router=192.168.1.1
              dnstempo check quad9 --format json -o checks.txt -o checks.html
              dnstempo check --lab hostile
              dnstempo check --fail-if 'failed-checks > 0' system
              dnstempo check 127.0.0.1:5353 --checks my-names.toml
            """
    )

    @Argument(
        help: """
            Resolvers to check, written as for 'dnstempo compare'. (default: system, the gateway \
            and four public ones)
            """.naming("resolver"),
        completion: .resolvers
    )
    var resolvers: [String] = []

    @OptionGroup var options: CheckOptions

    @OptionGroup var simulation: LabOption

    @OptionGroup var redacting: RedactOptions

    @Option(
        help: "Exit with 1 if 'failed-checks > 0', 'quad9:failed-checks > 2' …".naming("condition")
    )
    var failIf: [String] = []

    private var lab: String? { simulation.lab }

    mutating func validate() { JoinedWords.split(&resolvers) }

    func run() async throws {
        var redaction = try redacting.redaction()
        var destinations = try await Destinations(options)
        try destinations.keep([options.checks, lab].compactMap(\.self))
        let gate = try Gate(failIf, metrics: [.failedChecks])
        let lab = try lab.map { name in
            try LabSession(LabProfile(name), families: options.family.families)
        }
        let chosen = try chosenResolvers(lab)
        try chosen.checkZones()
        try gate.check(chosen.map { ($0.label, $0.label) }, baseline: nil)
        let session = try options.session(for: chosen, isLab: lab != nil)
        let started = Timestamp.now
        let (findings, interrupted) = await session.examine(
            chosen,
            onAsked: Terminal.noteAsked(isRedacted: redacting.redact)
        )
        lab?.stop()
        redaction = redaction.map { redaction in
            findings.reduce(into: redaction) { $1.note(in: &$0) }
        }
        let document = CheckReport(
            findings: redaction.map { redaction in findings.map { $0.redacted(by: redaction) } }
                ?? findings,
            context: .command(since: started, redaction)
        )
        destinations.redaction = redaction
        try await destinations.write(document)
        if interrupted { throw Failure(.interrupted, "") }
        if !findings.contains(where: \.answers) {
            throw Failure.noAnswer("is there a network, and are they resolvers?")
        }
        try gate.redacted(by: redaction).pass(document)
    }

    private func chosenResolvers(_ lab: LabSession?) throws -> [Resolver] {
        let (system, families) = (SystemResolvers(), options.family.families)
        let catalogue = try ResolverCatalogue.forUser()
            .preferringRoutes(families, within: options.reach.allowed(UserConfiguration.current()))
        guard !resolvers.isEmpty else {
            return try lab?.resolvers
                ?? catalogue.defaultResolvers(families: families, system: system)
        }
        return try catalogue.resolvers(named: resolvers, lab, families: families, system: system)
            .checkedPlain("check queries over udp and tcp only")
    }
}

struct CheckOptions: ParsableArguments {
    @Option(
        help: "File of test names; it replaces those of the same keys in data/checks.toml."
            .naming("file"),
        completion: .file()
    )
    var checks: String?

    @OptionGroup var pace: PaceOptions

    @Option(
        help: "Timeout of a query, which is sent twice at most. (default: 2s)".naming("time")
    )
    var timeout: String?

    @OptionGroup var family: FamilyOptions

    @OptionGroup var reach: ReachOption

    @Option(
        help: "Format of standard output: table or json.",
        completion: .list(["table", "json"])
    )
    var format = "table"

    @OptionGroup var characters: CharacterOptions

    @Option(
        name: [.short, .long],
        help: "Write a file too: .txt .json or .html; repeatable.".naming("file"),
        completion: .file()
    )
    var output: [String] = []
}

extension CheckContext {
    /// The context of this command's completed checks, which began at `started`.
    static func command(since started: Timestamp, _ redaction: Redaction? = nil) -> CheckContext {
        CheckContext(
            started: started,
            finished: .now,
            toolVersion: Version.text,
            command: redaction?.command(Array(CommandLine.arguments.dropFirst()))
                ?? CommandLine.shown
        )
    }
}

extension CheckOptions {
    /// Checks of `resolvers`, before any query is sent.
    func session(for resolvers: [Resolver], isLab: Bool = false) throws -> CheckSession {
        let configuration = try UserConfiguration.current()
        var paced = RunOptions()
        pace.set(in: &paced)
        paced = paced.over(configuration.options)
        paced[.timeout] = try Duration.read(timeout, of: "--timeout")
        return try CheckSession(
            paced,
            for: resolvers,
            within: reach.allowed(configuration),
            isLab: isLab,
            runsResolvers: pace.iRunTheseResolvers,
            names: checks
        )
    }
}

extension Terminal {
    /// A function that shows on an interactive terminal that a resolver was queried, unless the outputs are
    /// redacted.
    static func noteAsked(isRedacted: Bool) -> @Sendable (Resolver) -> Void {
        guard error.isTerminal, !isRedacted else { return { _ in } }
        return { try? error.write("asked \($0.label)\n") }
    }
}
