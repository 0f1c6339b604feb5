import ArgumentParser
import Catalogue
import Integrity
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
