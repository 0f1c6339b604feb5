import ArgumentParser
import Catalogue

/// Where queries may go at all.
struct ReachOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Send only within these networks; they narrow those of DNSTEMPO_ALLOW_NET, campaign and \
            configuration. (default: no limit)
            """,
            valueName: "cidr,..."
        )
    )
    var allowNet: String?

    private static let option = "--allow-net"
    private static let variable = "DNSTEMPO_ALLOW_NET"

    /// What the option says; `nil` without it.
    func networks() throws -> AllowedNetworks? {
        try RunOptions.read(allowNet, of: Self.option, AllowedNetworks.init(parsing:))
    }

    /// What is left of all that limits a command with no other options than this one.
    func allowed(_ configuration: UserConfiguration) throws -> AllowedNetworks {
        var options = RunOptions()
        options.allowedNetworks = try networks()
        return try Self.allowed(options.over(configuration.options))
    }

    /// What the options allow, within what the environment does: a host that was locked down stays
    /// so.
    static func allowed(_ options: RunOptions) throws -> AllowedNetworks {
        try (environment() ?? .everywhere).narrowed(to: options.allowedNetworks ?? .everywhere)
    }

    /// What the environment allows; `nil` where it says nothing.
    static func environment() throws -> AllowedNetworks? {
        try RunOptions.read(Environment[variable], of: variable, AllowedNetworks.init(parsing:))
    }

    /// The option's value as it has to be where this environment does not hold any more.
    static func narrowed(_ value: String) throws -> String {
        let networks = try RunOptions.read(value, of: option, AllowedNetworks.init(parsing:))
        guard let outer = try environment(), let networks else { return value }
        guard let common = outer.narrowed(to: networks).common else {
            throw Failure(
                .usage,
                "\(option) \(value): none of it is within \(variable) (\(outer)); name a network "
                    + "that is"
            )
        }
        return common
    }
}
