import ArgumentParser
import Catalogue
import Failures
import Reports
import Runs
import Samples
import Transports

struct ResolversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolvers",
        abstract: "List, verify and import resolvers, and find this machine's.",
        discussion: """
            Examples:
              dnstempo resolvers list --group family
              dnstempo resolvers show quad9
              dnstempo resolvers detect
              dnstempo resolvers verify quad9
              dnstempo resolvers import dnscrypt public-resolvers.md
            """,
        subcommands: [List.self, Show.self, Detect.self, Verify.self, Import.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the catalogue and your own resolvers.",
            discussion: """
                Filtering is shown as the operator declares it; nothing is sent.

                Examples:
                  dnstempo resolvers list
                  dnstempo resolvers list --group family
                """
        )

        @Option(
            help: "Only this group, such as family or europe.",
            completion: .custom { _, _, _ in (try? ResolverCatalogue.forUser().groups) ?? [] }
        )
        var group: String?

        @Flag(help: .ascii)
        var ascii = false

        /// Words that the command does not accept. The error names the command that does.
        @Argument(help: .private) var words: [String] = []

        mutating func validate() { JoinedWords.split(&words) }

        func run() async throws {
            let catalogue = try ResolverCatalogue.forUser()
            if let word = words.first { throw Failure.usage(catalogue.refusal(ofListing: word)) }
            let entries = try group.map { try catalogue.members(ofGroup: $0) } ?? catalogue.entries
            let table = Table(of: entries)
            let terminal = Terminal.output
            try terminal.write(
                terminal.isTerminal ? table.text(width: terminal.size.columns) : table.text()
            )
            let groups = catalogue.groups.joined(separator: ", ")
            if Terminal.error.isTerminal {
                try Terminal.error.write("Groups for --group: \(groups).\n")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one resolver of the catalogue, or a DNS stamp.",
            discussion: """
                Filtering, DNSSEC, ECS and logging are as declared, not as measured.

                Examples:
                  dnstempo resolvers show quad9
                  dnstempo resolvers show sdns://AAcAAAAAAAAABzkuOS45Ljk
                """
        )

        @Argument(
            help: "A name that 'resolvers list' shows, or a DNS stamp (sdns://).",
            completion: .resolvers
        )
        var name: String

        @Flag(help: .ascii)
        var ascii = false

        func run() async throws {
            let facts =
                ServerStamp.isStamp(name)
                ? try ServerStamp(parsing: name).facts
                : try ResolverCatalogue.forUser().entry(named: name).facts
            try Terminal.output.write(Table(facts: facts).text())
        }
    }

    struct Detect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which resolvers this machine uses; nothing is sent.",
            discussion: """
                With --discover, queries the resolvers for the encrypted resolvers that they \
                designate (RFC 9462), and connects to each designated one. A designation is \
                verified if the certificate contains the address of the designating resolver. The \
                output uses the notation of 'dnstempo compare'. At most four designations per \
                resolver are checked. A public resolver cannot designate a private address.

                Examples:
                  dnstempo resolvers detect
                  dnstempo resolvers detect --discover
                  dnstempo resolvers detect --discover 192.168.1.1
                """
        )

        @Flag(help: "Query them for the encrypted resolvers that they designate.")
        var discover = false

        @Flag(help: .ascii)
        var ascii = false

        @Argument(
            help: "With --discover: query these instead of this machine's.".naming("resolver"),
            completion: .resolvers
        )
        var resolvers: [String] = []

        @OptionGroup var authority: AuthorityOption

        @OptionGroup var reach: ReachOption

        mutating func validate() { JoinedWords.split(&resolvers) }

        func run() async throws {
            let system = SystemResolvers()
            guard discover else {
                let advice = "goes with --discover; add it or leave it out"
                try Failure.refuse([
                    "a resolver \(advice)": !resolvers.isEmpty,
                    "--ca \(advice)": authority.file != nil,
                    "--allow-net \(advice)": reach.allowNet != nil,
                ])
                return try Terminal.output.write(Self.table(of: system))
            }
            let allowed = try reach.allowed(UserConfiguration.current())
            let asked = try resolvers.isEmpty ? Self.found(system) : named(system, within: allowed)
            let discovery = try Discovery(
                TLSCredentials(authority: authority.file),
                within: allowed
            )
            let findings = await discovery.findings(of: asked)
            let found = resolvers.isEmpty ? Self.table(of: system) + "\n" : ""
            try Terminal.output.write(found + Self.table(of: findings))
            if !findings.contains(where: \.isAnswered) { throw Failure.noAnswer() }
        }

        private static func table(of system: SystemResolvers) -> String {
            let rows = places(system).map { [$0.name, "\($0.address)", $0.source] }
            let remarks = system.remarks.isEmpty ? "" : "\n"
            return Table(["name", "address", "found in"], rows).text() + remarks
                + system.remarks.map { EscapedText.terminal($0) + "\n" }.joined()
        }

        private static func places(
            _ system: SystemResolvers
        ) -> [(name: String, address: IPAddress, source: String)] {
            system.nameservers.enumerated().map { index, nameserver in
                let name = index == 0 ? "system" : "system-\(index + 1)"
                return (name, nameserver.address, nameserver.source)
            } + [system.gateway].compactMap(\.self).map { ("gateway", $0, "the default route") }
        }

        private static func table(of findings: [Discovery.Finding]) -> String {
            Table(["resolver", "designates", "verified"], findings.flatMap(\.rows)).text()
        }

        private static func found(_ system: SystemResolvers) -> [Resolver] {
            var found: [Resolver] = []
            for (name, address, _) in places(system)
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
                .checkedPlain("only a resolver queried over udp or tcp designates others")
            try allowed.check(named)
            return named
        }
    }
}

extension ResolverCatalogue {
    static func forUser() throws -> ResolverCatalogue {
        try bundled().adding(UserConfiguration.current().resolvers)
    }

    /// The error for a word after `resolvers list`, with the intended command.
    fileprivate func refusal(ofListing word: String) -> String {
        let names = entries.map(\.name)
        let advice =
            if groups.contains(word) {
                "did you mean 'dnstempo resolvers list --group \(word)'?"
            } else if let name = NearestName.find(word, among: names) {
                "did you mean 'dnstempo resolvers show \(name)'?"
            } else {
                "see 'dnstempo resolvers list --help'"
            }
        return "'resolvers list' takes no name, such as '\(word)'; \(advice)"
    }
}

extension [Resolver] {
    /// Rejects resolvers with an encrypted transport. `reason` is part of the error.
    func checkedPlain(_ reason: String) throws(Failure) -> Self {
        guard let other = first(where: \.endpoint.transport.isEncrypted) else { return self }
        throw Failure.usage("resolver '\(other.label)': \(reason); give its address")
    }
}
