import Testing

@Suite(.serialized) struct BadResolverTests {
    /// One command line for each command that sends queries, without options.
    private static let commands = [
        "compare 127.0.0.2:9", "sample 127.0.0.2:9", "watch 127.0.0.2:9", "check 127.0.0.2:9",
        "serve --sample-every 1m 127.0.0.2:9", "resolvers detect --discover 127.0.0.2:9",
        "schedule install 127.0.0.2:9", "schedule print 127.0.0.2:9", "compare --campaign c.toml",
        "resolvers verify mine",
    ]

    @Test(arguments: commands)
    func `no option allows networks that the configuration forbids`(command: String) async throws {
        let isNamed = command.hasSuffix("verify mine")
        let label = command.contains("c.toml") ? "far" : isNamed ? "mine@127.0.0.2:9" : nil
        let option = command.contains("c.toml") ? "" : " --allow-net 127.0.0.0/8"
        try await BadInput(
            command + option,
            64,
            "resolver '\(label ?? "127.0.0.2:9")' at 127.0.0.2 is outside the allowed networks "
                + "(127.0.0.0/8,::1/128 and 127.0.0.1/32 and 127.0.0.0/8); leave it out or allow "
                + "its network",
            files: [
                ".config/": "", ".config/dnstempo/": "",
                ".config/dnstempo/config.toml": """
                allow-net = "127.0.0.1"
                [[resolver]]
                name = "mine"
                address = "127.0.0.2:9"
                """,
                "c.toml": """
                allow-net = "127.0.0.0/8"
                [[resolver]]
                name = "far"
                address = "127.0.0.2:9"
                """,
            ]
        ).check(isHome: true)
    }

    @Test(arguments: try BadInput.cases("resolvers"))
    func `a resolver that cannot be queried is rejected`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: try BadInput.cases("networks"))
    func `no query is sent outside the allowed networks`(input: BadInput) async throws {
        try await input.check()
    }
}
