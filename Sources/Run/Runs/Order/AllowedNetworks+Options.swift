package import Catalogue
import Failures
import Processes

extension AllowedNetworks {
    private static let variable = "DNSTEMPO_ALLOW_NET"

    /// The allowed networks of the options, within the networks of the environment: an option
    /// cannot extend the limits of a host.
    package static func of(_ options: RunOptions) throws -> AllowedNetworks {
        try (environment() ?? .everywhere).narrowed(to: options[.allowedNetworks] ?? .everywhere)
    }

    package static func environment() throws -> AllowedNetworks? {
        try AllowedNetworks.read(Environment[variable], of: variable)
    }

    /// The option's value for a place without this environment.
    package static func narrowed(_ value: String) throws -> String {
        let networks = try AllowedNetworks.read(value, of: "--allow-net")
        guard let outer = try environment(), let networks else { return value }
        guard let common = outer.narrowed(to: networks).common else {
            throw Failure.usage(
                "--allow-net \(value): it is outside \(variable) (\(outer)); name a network inside"
            )
        }
        return common
    }
}
