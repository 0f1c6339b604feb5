import ArgumentParser
import Catalogue
import Reports

extension ResolversCommand {
    /// What this machine uses.
    struct Detect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which resolvers this machine uses; nothing is sent.",
            discussion: """
                With --discover they are asked which encrypted resolvers they designate as their \
                own (RFC 9462). Each of those is connected to: a certificate that names the \
                address of who designates it verifies that. They are written as 'dnstempo \
                compare' takes them. At most four of each are looked at, and none that is nearer \
                than who designates it: a public resolver has no say over private addresses.

                Examples:
                  dnstempo resolvers detect
                  dnstempo resolvers detect --discover
                  dnstempo resolvers detect --discover 192.168.1.1
                """
        )

        @Flag(help: "Ask them for the encrypted resolvers that they designate.")
        var discover = false

        @Argument(
            help: ArgumentHelp(
                "With --discover: ask these in place of this machine's.",
                valueName: "resolver"
            ),
            completion: .resolvers
        )
        var resolvers: [String] = []

        @OptionGroup var authority: AuthorityOption

        @OptionGroup var reach: ReachOption

        func run() async throws {
            let system = SystemResolvers()
            guard discover else {
                for (option, isGiven) in [
                    ("a resolver", !resolvers.isEmpty), ("--ca", authority.file != nil),
                    ("--allow-net", reach.allowNet != nil),
                ] where isGiven {
                    throw Failure(.usage, "\(option) goes with --discover; add it or leave it out")
                }
                return try Terminal.output.write(Self.table(of: system))
            }
            let allowed = try reach.allowed(UserConfiguration.current())
            let asked = try resolvers.isEmpty ? Self.found(system) : named(system, within: allowed)
            let discovery = try Discovery(authority.credentials(), within: allowed)
            let findings = await discovery.findings(of: asked)
            let found = resolvers.isEmpty ? Self.table(of: system) + "\n" : ""
            try Terminal.output.write(found + Self.table(of: findings))
            guard findings.contains(where: \.isAnswered) else {
                throw Failure(.noResolver, "no resolver answered; is there a network?")
            }
        }

        private static func table(of system: SystemResolvers) -> String {
            var table = PlainTable(["name", "address", "found in"])
            for (index, nameserver) in system.nameservers.enumerated() {
                table.add([
                    index == 0 ? "system" : "system-\(index + 1)",
                    nameserver.address.description,
                    nameserver.source,
                ])
            }
            if let gateway = system.gateway {
                table.add(["gateway", gateway.description, "the default route"])
            }
            return table.text
        }

        private static func table(of findings: [Discovery.Finding]) -> String {
            var table = PlainTable(["resolver", "designates", "verified"])
            for row in findings.flatMap(\.rows) { table.add(row.map(EscapedText.terminal)) }
            return table.text
        }

        // MARK: - Who is asked, and who is trusted

        /// Those of this machine, each address once.
        private static func found(_ system: SystemResolvers) -> [Resolver] {
            var found: [Resolver] = []
            var names = system.nameservers.indices.map { $0 == 0 ? "system" : "system-\($0 + 1)" }
            var addresses = system.nameservers.map(\.address)
            if let gateway = system.gateway {
                names.append("gateway")
                addresses.append(gateway)
            }
            for (name, address) in zip(names, addresses)
            where !found.contains(where: { $0.endpoint.address == address }) {
                let endpoint = Endpoint(transport: .udp, address: address, port: 53)
                found.append(Resolver(label: name, endpoint: endpoint))
            }
            return found
        }

        private func named(
            _ system: SystemResolvers,
            within allowed: AllowedNetworks
        ) throws -> [Resolver] {
            let named = try ResolverCatalogue.forUser().resolvers(named: resolvers, system: system)
            if let encrypted = named.first(where: { $0.endpoint.transport.isEncrypted }) {
                throw Failure(
                    .usage,
                    "resolver '\(encrypted.label)': only one that is asked over udp or tcp "
                        + "designates others; give its address"
                )
            }
            try allowed.check(named)
            return named
        }
    }
}
