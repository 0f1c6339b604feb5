import ArgumentParser
import Catalogue

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
