import Testing

@Suite(.serialized) struct BadResolverTests {
    private static let loopback = "(127.0.0.0/8,::1/128); leave it out or allow its network"
    private static let label =
        "cannot be a label: use letters, digits, '.', '_' and '-', at most 63, "
        + "beginning with a letter or digit"
    private static let network = "is not a network; write one such as 127.0.0.0/8 or ::1/128"

    static let resolvers = [
        BadInput(
            "compare --catalogue quad9",
            "--catalogue is every resolver of the catalogue: leave out those that are named"
        ),
        BadInput(
            "compare --catalogue --lab",
            "--catalogue and --lab cannot be combined; give one"
        ),
        BadInput("compare clodflare", "unknown resolver 'clodflare'; did you mean 'cloudflare'?"),
        BadInput("compare --lab harbor", "unknown resolver 'harbor'; did you mean 'harbour'?"),
        BadInput("check --lab harbor", "unknown resolver 'harbor'; did you mean 'harbour'?"),
        BadInput("compare --lab hostle", "unknown resolver 'hostle'; did you mean 'hostile'?"),
        BadInput(
            "compare --lab --transport dot",
            "--transport: unknown transport 'dot'; did you mean 'tls'?"
        ),
        BadInput(
            "compare tls:127.0.0.1",
            "'tls:127.0.0.1' is no address; did you mean 'tls://127.0.0.1'?"
        ),
        BadInput(
            "compare https:/127.0.0.1/dns-query",
            "'https:/127.0.0.1/dns-query' is no address; did you mean "
                + "'https://127.0.0.1/dns-query'?"
        ),
        BadInput(
            "resolvers list google",
            "'resolvers list' takes no name, such as 'google'; did you mean "
                + "'dnstempo resolvers show google'?"
        ),
        BadInput(
            "resolvers list gogle",
            "'resolvers list' takes no name, such as 'gogle'; did you mean "
                + "'dnstempo resolvers show google'?"
        ),
        BadInput(
            "resolvers list family",
            "'resolvers list' takes no name, such as 'family'; did you mean "
                + "'dnstempo resolvers list --group family'?"
        ),
        BadInput(
            "resolvers list zzzzzz",
            "'resolvers list' takes no name, such as 'zzzzzz'; see 'dnstempo resolvers list --help'"
        ),
        BadInput(
            "compare --lab --format jsno",
            "--format: unknown value 'jsno': did you mean 'json'?"
        ),
        BadInput(
            "compare --lab --connections reus",
            "--connections: unknown choice of connections 'reus'; did you mean 'reuse'?"
        ),
        BadInput(
            "compare --lab -t AAA",
            "--type: 'AAA' is not a record type to ask for; did you mean 'AAAA'?"
        ),
        BadInput(
            "compare zzzzzz",
            "unknown resolver 'zzzzzz'; give an address or a name that 'dnstempo resolvers list' "
                + "shows, or udp://zzzzzz for a host"
        ),
        BadInput(
            "compare [::1%nowhere0]:5353",
            "resolver '[::1%nowhere0]:5353': the address ::1%nowhere0 names no interface of this "
                + "machine: 'nowhere0'; 'ip address' shows those"
        ),
        BadInput(
            "sample --no-check ::1%nowhere0",
            "resolver '::1%nowhere0': the address ::1%nowhere0 names no interface of this "
                + "machine: 'nowhere0'; 'ip address' shows those"
        ),
        BadInput(
            "check ::1%nowhere0",
            "resolver '::1%nowhere0': the address ::1%nowhere0 names no interface of this "
                + "machine: 'nowhere0'; 'ip address' shows those"
        ),
        BadInput(
            "compare dns0",
            "'dns0' is out of service since 2025-10 (discontinued; security.nl, 2025-10-21); ask "
                + "'dns4eu-protective' or 'nextdns' instead"
        ),
        BadInput(
            "check wikimedia",
            "resolver 'wikimedia': check asks over udp and tcp alone; give its address"
        ),
        BadInput(
            "compare quic://127.0.0.1/dns-query",
            "'quic://127.0.0.1/dns-query': DNS over QUIC has no path; write quic://ADDRESS#NAME"
        ),
        BadInput(
            "check tls://dns.example",
            "'dns.example' is a host name, and no name is looked up here; write "
                + "tls://ADDRESS#dns.example"
        ),
        BadInput(
            "compare tls://dns.example --bootstrap dns.example",
            "--bootstrap: 'dns.example' is a host name, and no name is looked up here; give an "
                + "address"
        ),
        BadInput(
            "compare sdns://AQcAAAAAAAAADjIxMi40",
            "the DNS stamp 'sdns://AQcAAAAAAAAADjIxMi40' is for DNSCrypt, which is not supported"
                + "; give a stamp for plain DNS, DoT, DoH or DoQ"
        ),
        BadInput(
            "compare tls://127.0.0.1#a_b",
            "'tls://127.0.0.1#a_b': 'a_b' cannot be the name in a certificate; write a host name "
                + "or an address behind #"
        ),
        BadInput(
            "compare tls://127.0.0.1/dns-query",
            "'tls://127.0.0.1/dns-query': DNS over TLS has no path; write tls://ADDRESS#NAME"
        ),
        BadInput(
            "compare https://127.0.0.1/a\\_b",
            "'https://127.0.0.1/a b': '/a b' cannot be a path; write one such as /dns-query"
        ),
        BadInput(
            "compare https://127.0.0.1 --http-method put",
            "--http-method: unknown method of HTTP 'put'; write post or get"
        ),
        BadInput(
            "compare tls://127.0.0.1 --pin abc",
            "--pin 'abc': give the base64 of a SHA-256, 44 characters"
        ),
        BadInput(
            "compare tls://127.0.0.1 --connections slow",
            "--connections: unknown choice of connections 'slow'; write fresh, reuse or resume"
        ),
        BadInput(
            "compare --lab --transport tls",
            "simulated resolvers have no TLS; leave out --lab, tls or both"
        ),
        BadInput(
            "check tls://127.0.0.1",
            "resolver 'tls://127.0.0.1': check asks over udp and tcp alone; give its address"
        ),
        BadInput(
            "check udp://example.com",
            "'example.com' is a host name, and no name is looked up here; write its address"
        ),
        BadInput(
            "compare 127.0.0.1:0",
            "'127.0.0.1:0' has no usable port; write a number from 1 to 65535"
        ),
        BadInput(
            "compare 127.1",
            "'127.1' is not an IPv4 address; write four numbers from 0 to 255"
        ),
        BadInput("compare ", "a resolver is empty; give a name or an address"),
        BadInput("compare a=", "the label 'a' stands alone; write a=ADDRESS or a=NAME"),
        BadInput("compare a\\_b=127.0.0.1:9", "'a b' \(label)"),
        BadInput("compare =127.0.0.1:9", "'' \(label)"),
        BadInput(
            "compare a=127.0.0.1:9 a=127.0.0.1:10",
            "two resolvers have the label 'a'; give one another label, such as other=127.0.0.1:10"
        ),
        BadInput(
            "compare a=127.0.0.1:9 a=tcp://127.0.0.1:10 --transport tcp",
            "two resolvers have the label 'a'; give one another label, such as "
                + "other=tcp://127.0.0.1:10"
        ),
        BadInput(
            "compare 127.0.0.1:9 127.0.0.1:9",
            "two resolvers have the label '127.0.0.1:9'; give one another label, such as "
                + "other=127.0.0.1:9"
        ),
        BadInput(
            "compare --lab meadow meadow",
            "two resolvers have the label 'meadow'; name each simulated resolver once"
        ),
        BadInput(
            "check --lab meadow brook meadow",
            "two resolvers have the label 'meadow'; name each simulated resolver once"
        ),
        BadInput(
            "compare --lab meadow meadow=127.0.0.1:9",
            "two resolvers have the label 'meadow'; give one another label, such as "
                + "other=127.0.0.1:9"
        ),
        BadInput(
            "compare --lab --baseline nobody",
            "--baseline: 'nobody' is not among the resolvers asked; choose one of harbour, meadow, "
                + "brook, cliff, marsh, glacier"
        ),
        BadInput(
            "resolvers show nobody",
            "unknown resolver 'nobody'; give an address or a name that 'dnstempo resolvers list' "
                + "shows, or udp://nobody for a host"
        ),
        BadInput(
            "resolvers list --group famly",
            "unknown group 'famly'; did you mean 'family'?"
        ),
        BadInput(
            "lab --port 65535",
            "port 65536 does not exist; choose a base port from 1 to 65535"
        ),
        BadInput(
            "compare --lab --transport ",
            "--transport: unknown transport ''; write udp, tcp, tls, https, quic, "
                + "h3, several as udp,tls, or all"
        ),
    ]

    static let networks = [
        BadInput(
            "compare wikimedia",
            "resolver 'wikimedia' at 185.71.138.138 is outside the allowed networks \(loopback)"
        ),
        BadInput(
            "compare tls://dns.example --bootstrap 192.0.2.1",
            "--bootstrap: 192.0.2.1 is outside the allowed networks (127.0.0.0/8,::1/128); give "
                + "another resolver or allow its network"
        ),
        BadInput(
            "compare tls://dns.example 192.0.2.1 --bootstrap 127.0.0.1:9",
            "resolver '192.0.2.1' at 192.0.2.1 is outside the allowed networks \(loopback)"
        ),
        BadInput(
            "compare sdns://AAEAAAAAAAAABzguOC44Ljg",
            "resolver '8.8.8.8' at 8.8.8.8 is outside the allowed networks \(loopback)"
        ),
        BadInput(
            "compare 8.8.8.8",
            "resolver '8.8.8.8' at 8.8.8.8 is outside the allowed networks \(loopback)"
        ),
        BadInput(
            "compare cloudflare",
            "resolver 'cloudflare' at 1.1.1.1 is outside the allowed networks \(loopback)"
        ),
        BadInput(
            "compare 127.0.0.2:9 --allow-net 127.0.0.1",
            "resolver '127.0.0.2:9' at 127.0.0.2 is outside the allowed networks (127.0.0.0/8,"
                + "::1/128 and 127.0.0.1/32); leave it out or allow its network"
        ),
        BadInput(
            "compare 127.0.0.2:9 --allow-net 127.0.0.0/8",
            64,
            "resolver '127.0.0.2:9' at 127.0.0.2 is outside the allowed networks (127.0.0.1/32 "
                + "and 127.0.0.0/8); leave it out or allow its network",
            environment: ["DNSTEMPO_ALLOW_NET": "127.0.0.1/32"]
        ),
        BadInput(
            "compare --lab --allow-net 127.0.0.0/33",
            "--allow-net: '127.0.0.0/33' has no usable prefix length; write a number from 0 to 32 "
                + "after the slash"
        ),
        BadInput("compare --lab --allow-net here", "--allow-net: 'here' \(network)"),
        BadInput(
            "compare --lab --allow-net ",
            "--allow-net: the list of allowed networks '' has an empty entry; write networks such "
                + "as 127.0.0.0/8,::1/128"
        ),
        BadInput(
            "compare --lab",
            64,
            "DNSTEMPO_ALLOW_NET: 'here' \(network)",
            environment: ["DNSTEMPO_ALLOW_NET": "here"]
        ),
    ]

    /// What each command that sends is asked to do beyond its configuration.
    private static let commands = [
        "compare 127.0.0.2:9", "sample 127.0.0.2:9", "watch 127.0.0.2:9", "check 127.0.0.2:9",
        "serve --sample-every 1m 127.0.0.2:9", "resolvers detect --discover 127.0.0.2:9",
        "schedule install 127.0.0.2:9", "schedule print 127.0.0.2:9", "compare --campaign c.toml",
        "resolvers verify mine",
    ]

    @Test(arguments: commands)
    func `an option never widens what the configuration allows`(command: String) async throws {
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

    @Test(arguments: resolvers)
    func `a resolver that cannot be asked is refused`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: networks)
    func `nothing is sent outside the allowed networks`(input: BadInput) async throws {
        try await input.check()
    }
}
