import Failures
import Testing

@testable import Catalogue

struct SelectionTests {
    private static func catalogue() throws -> ResolverCatalogue {
        try ResolverCatalogue.bundled()
    }

    private static func system(_ folder: String = "plain") throws -> SystemResolvers {
        try Fixture.system(folder)
    }

    private static func labels(
        _ notations: [String],
        _ families: Set<IPAddress.Family> = []
    ) throws -> [String] {
        try catalogue().resolvers(named: notations, families: families, system: system())
            .map { "\($0.label) \($0.endpoint)" }
    }

    @Test(arguments: [
        ["192.0.2.53", "router=192.168.1.1", "tcp://[::1]:5311", "system", "gateway"],
        ["cloudflare"],
        ["192.0.2.53", "quad9/all"], ["tls://192.0.2.53#dns.example"], ["wikimedia"],
    ])
    func `the catalogue is read only for notations that need it`(notations: [String]) throws {
        let (catalogue, system) = (try ResolverCatalogue.bundled(for: notations), try Self.system())
        let found = try catalogue.resolvers(named: notations, system: system)
        let known = try Self.catalogue().resolvers(named: notations, system: system)
        #expect(
            found.map { "\($0.label) \($0.endpoint)" } == known.map { "\($0.label) \($0.endpoint)" }
        )
        #expect(catalogue.entries.isEmpty == notations.contains("gateway"))
    }

    @Test(arguments: [
        ("cloudflare", ["cloudflare 1.1.1.1:53"]),
        ("cf=cloudflare", ["cf 1.1.1.1:53"]),
        ("192.0.2.53", ["192.0.2.53 192.0.2.53:53"]),
        ("127.0.0.1:5311", ["127.0.0.1:5311 127.0.0.1:5311"]),
        ("[2001:db8::1]:53", ["2001:db8::1 [2001:db8::1]:53"]),
        ("fe80::1%eth0", ["fe80::1%eth0 [fe80::1%eth0]:53"]),
        ("tcp://192.0.2.1", ["tcp://192.0.2.1 192.0.2.1:53"]),
        ("router=192.168.1.1", ["router 192.168.1.1:53"]),
        ("x=udp://[::1]:5311", ["x [::1]:5311"]),
        ("system", ["system 192.0.2.1:53"]),
        ("system-2", ["system-2 [2001:db8::53]:53"]),
        ("home=system", ["home 192.0.2.1:53"]),
        ("wikimedia", ["wikimedia 185.71.138.138:853"]),
        ("gateway", ["gateway 192.0.2.254:53"]),
        (
            "dnspod/all",
            ["dnspod@119.29.29.29 119.29.29.29:53", "dnspod@2402:4e00:: [2402:4e00::]:53"]
        ),
        (
            "w=114dns/all",
            ["w@114.114.114.114 114.114.114.114:53", "w@114.114.115.115 114.114.115.115:53"]
        ),
    ])
    func `a notation selects its resolvers`(notation: String, expected: [String]) throws {
        #expect(try Self.labels([notation]) == expected)
    }

    @Test(
        arguments: [
            ("google", [.v4], ["google 8.8.8.8:53"]),
            ("google", [.v6], ["google [2001:4860:4860::8888]:53"]),
            (
                "google", [.v4, .v6],
                [
                    "google@8.8.8.8 8.8.8.8:53",
                    "google@2001:4860:4860::8888 [2001:4860:4860::8888]:53",
                ]
            ),
            ("google/all", [.v4], ["google@8.8.8.8 8.8.8.8:53", "google@8.8.4.4 8.8.4.4:53"]),
            ("comodo", [.v4, .v6], ["comodo 8.26.56.26:53"]),
            ("system", [.v6], ["system 192.0.2.1:53"]),
            ("192.0.2.7", [.v6], ["192.0.2.7 192.0.2.7:53"]),
        ] as [(String, Set<IPAddress.Family>, [String])]
    )
    func `the address families select among the addresses of a name`(
        notation: String,
        families: Set<IPAddress.Family>,
        expected: [String]
    ) throws {
        #expect(try Self.labels([notation], families) == expected)
    }

    @Test func `two labels may name one endpoint`() throws {
        #expect(
            try Self.labels(["a=192.0.2.1", "b=192.0.2.1"]) == ["a 192.0.2.1:53", "b 192.0.2.1:53"]
        )
    }

    @Test func `one label over several transports is one resolver`() throws {
        let resolvers = try Self.catalogue().resolvers(
            named: ["home=192.0.2.1", "home=tcp://192.0.2.2", "home=tls://192.0.2.1#dns.example"],
            system: Self.system()
        )
        #expect(resolvers.map(\.label) == ["home", "home", "home"])
        #expect(resolvers.map(\.endpoint.transport) == [.udp, .tcp, .tls])
    }

    @Test func `only the first nameserver is the current resolver`() throws {
        let resolvers = try Self.catalogue()
            .resolvers(named: ["mine=system", "system-2", "google"], system: Self.system())
        #expect(resolvers.map(\.isSystem) == [true, false, false])
        #expect(resolvers.map { $0.entry?.title } == [nil, nil, "Google Public DNS"])
    }

    @Test(arguments: [
        (["", "google"], "a resolver is empty; give a name or an address"),
        (
            ["google", "google=1.1.1.1"],
            "two resolvers have the label 'google'; give one another label, such as other=1.1.1.1"
        ),
        (
            ["https://127.0.0.1/" + String(repeating: "a", count: 238)],
            "'https://127.0.0.1/" + String(repeating: "a", count: 82)
                + "…' has 256 bytes: shorten its path or name to 255 in all"
        ),
        (
            ["short=https://127.0.0.1/" + String(repeating: "a", count: 242)],
            "'127.0.0.1:443/" + String(repeating: "a", count: 86)
                + "…' has 256 bytes: shorten its path or name to 255 in all"
        ),
        (["cloudflair"], "unknown resolver 'cloudflair'; did you mean 'cloudflare'?"),
        (["Google"], "unknown resolver 'Google'; did you mean 'google'?"),
        (["sytsem"], "unknown resolver 'sytsem'; did you mean 'system'?"),
        (
            ["router"],
            "unknown resolver 'router'; give an address or a name that"
                + " 'dnstempo resolvers list' shows, or udp://router for a host"
        ),
        (
            ["dns.google"],
            "'dns.google' is a host name, which is looked up as udp://dns.google;"
                + " the catalogue has that resolver as 'google'"
        ),
        (
            ["udp://dns.google"],
            "'dns.google' is a host name, and no name is looked up here; write its address"
        ),
        (
            ["my router=1.1.1.1"],
            "'my router' cannot be a label: use letters, digits, '.', '_' and '-', at most 63,"
                + " beginning with a letter or digit"
        ),
        (["a="], "the label 'a' stands alone; write a=ADDRESS or a=NAME"),
        (
            ["system-3"],
            "there is no 'system-3': this machine has 2 nameservers; see"
                + " 'dnstempo resolvers detect'"
        ),
        (
            ["system/all"],
            "'system/all' cannot be resolved; name this machine's nameservers one by one:"
                + " system, system-2 …"
        ),
        (
            ["dns0"],
            "'dns0' is out of service since 2025-10 (discontinued; security.nl, 2025-10-21);"
                + " ask 'dns4eu-protective' or 'nextdns' instead"
        ),
        (
            ["mullvad"],
            "'mullvad' is out of service since 2026-11-02 (shut down, announced on 2026-09-03;"
                + " Mullvad sponsors Quad9 instead); ask 'quad9' or 'quad9-unsecured' instead"
        ),
        (
            ["mullvad-family"],
            "'mullvad-family' is out of service since 2026-11-02 (shut down, announced on"
                + " 2026-09-03; Mullvad sponsors Quad9 instead); ask 'quad9' instead"
        ),
        (
            ["freenom"],
            "'freenom' is out of service (every query was lost in the published run of dnsdiag);"
                + " ask 'quad9-unsecured' or 'cloudflare' instead"
        ),
    ])
    func `an unusable address is rejected in one line`(notations: [String], line: String) throws {
        let (catalogue, system) = (try Self.catalogue(), try Self.system())
        #expect(throws: CatalogueError(.usage, line)) {
            try catalogue.resolvers(named: notations, system: system)
        }
    }

    #if QUIC
    @Test(arguments: [
        ("quic://1.1.1.1", "1.1.1.1:853"), ("h3://[2001:db8::1]/q", "[2001:db8::1]:443"),
        ("m=quic://192.0.2.1:8853#dns.example", "192.0.2.1:8853"),
    ])
    func `resolvers can be queried over QUIC`(notation: String, place: String) throws {
        let (catalogue, system) = (try Self.catalogue(), try Self.system())
        let resolvers = try catalogue.resolvers(named: [notation], system: system)
        #expect(resolvers.map(\.endpoint.description) == [place])
    }
    #else
    @Test(arguments: [
        (
            ["quic://1.1.1.1"],
            "'quic://1.1.1.1': this build has no QUIC;"
                + " 'cloudflare' asks the same resolver over udp"
        ),
        (
            ["h3://dns.google/dns-query?x=y"],
            "'h3://dns.google/dns-query?x=y': this build has no QUIC;"
                + " 'google' asks the same resolver over udp"
        ),
        (
            ["w=quic://wikimedia-dns.org:853#wikimedia-dns.org"],
            "'quic://wikimedia-dns.org:853#wikimedia-dns.org': this build has no QUIC;"
                + " 'wikimedia' does not serve udp, choose another resolver"
        ),
        (
            ["h3://[2001:db8::1]:443"],
            "'h3://[2001:db8::1]:443': this build has no QUIC;"
                + " '2001:db8::1' asks the same address over udp"
        ),
        (
            ["h3://doh.example/"],
            "'h3://doh.example/': this build has no QUIC;"
                + " give the resolver's address to ask it over udp"
        ),
    ])
    func `a build without QUIC reports it`(notations: [String], line: String) throws {
        let (catalogue, system) = (try Self.catalogue(), try Self.system())
        #expect(throws: CatalogueError(.usage, line)) {
            try catalogue.resolvers(named: notations, system: system)
        }
    }
    #endif

    @Test func `a name without an address of the family is rejected`() throws {
        let (catalogue, system) = (try Self.catalogue(), try Self.system())
        let line =
            "'comodo' has no IPv6 address in the catalogue; leave out -6 or the resolver"
        #expect(throws: CatalogueError(.usage, line)) {
            try catalogue.resolvers(named: ["comodo"], families: [.v6], system: system)
        }
    }

    @Test func `a missing gateway is reported`() throws {
        let catalogue = try Self.catalogue()
        let system = try Self.system("stub")
        let line = "no gateway is known on this machine; give the router's address"
        #expect(throws: CatalogueError(.usage, line)) {
            try catalogue.resolvers(named: ["gateway"], system: system)
        }
    }

    @Test func `the default is the system, the gateway and four public resolvers`() throws {
        let resolvers = try Self.catalogue().defaultResolvers(system: Self.system())
        #expect(
            resolvers.map(\.label) == [
                "system", "gateway", "google", "cloudflare", "quad9-unsecured", "opendns-sandbox",
            ]
        )
    }

    @Test func `a gateway that is the nameserver is queried once`() throws {
        let resolvers = try Self.catalogue().defaultResolvers(system: Self.system("gateway"))
        #expect(resolvers.map(\.label).prefix(2) == ["system", "google"])
    }

    @Test(arguments: [
        ("famly", "unknown group 'famly'; did you mean 'family'?"),
        (
            "asia",
            "unknown group 'asia'; the groups are canada, china, europe, family, filtering, privacy"
        ),
    ])
    func `an unknown group is rejected`(group: String, line: String) throws {
        let catalogue = try Self.catalogue()
        #expect(throws: CatalogueError(.usage, line)) { try catalogue.members(ofGroup: group) }
    }

    @Test func `a group has only members that can be queried`() throws {
        let members = try Self.catalogue().members(ofGroup: "europe").map(\.name)
        #expect(members.contains("dnsforge"))
        #expect(!members.contains("dns0") && !members.contains("uncensoreddns"))
    }

    @Test(arguments: [
        ("a", true), ("9lives", true), ("a.b_c-d", true), (String(repeating: "a", count: 63), true),
        (String(repeating: "a", count: 64), false), ("", false), ("-a", false), (".a", false),
        ("a b", false), ("é", false), ("a=b", false),
    ])
    func `a label has letters, digits and three punctuation marks`(text: String, isLabel: Bool) {
        #expect(Resolver.isLabel(text) == isLabel)
    }

    @Test(
        arguments: [
            ([.v4, .v6], [], "1.1.1.1:53"), ([.v4], [], "1.1.1.1:53"), ([], [], "1.1.1.1:53"),
            ([.v6], [], "[2606:4700:4700::1111]:53"), ([.v6], [.v4], "1.1.1.1:53"),
        ] as [(Set<IPAddress.Family>, Set<IPAddress.Family>, String)]
    )
    func `the first family with a route is selected`(
        routed: Set<IPAddress.Family>,
        families: Set<IPAddress.Family>,
        place: String
    ) throws {
        let catalogue = try Self.catalogue().preferringFamilies { routed.contains($0.family) }
        func places(_ notation: String) throws -> [String] {
            try catalogue.resolvers(named: [notation], families: families, system: Self.system())
                .map(\.endpoint.description)
        }
        #expect(try places("cloudflare") == [place])
        // The route has no effect on a service with only one family, or on a selection of all
        // addresses.
        #expect(try places("114dns") == ["114.114.114.114:53"])
        let all = try Self.catalogue().resolvers(
            named: ["cloudflare/all"],
            families: families,
            system: Self.system()
        )
        #expect(try places("cloudflare/all") == all.map(\.endpoint.description))
    }

    @Test func `an unknown route does not change the family`() throws {
        let catalogue = try Self.catalogue()
        #expect(catalogue.preferringFamilies { _ in nil } == catalogue)
        #expect(catalogue.preferringFamilies { $0.family == .v4 ? nil : true } == catalogue)
        #expect(catalogue.preferringFamilies { $0.family == .v4 ? false : nil } == catalogue)
    }

    @Test func `an encrypted service is queried at an address with a route`() throws {
        let catalogue = try Self.catalogue().preferringFamilies { $0.family == .v6 }
        for notation in ["tls://dns.google", "wikimedia"] {
            let found = try catalogue.resolvers(named: [notation], system: Self.system())
            #expect(found.map(\.endpoint.address.family) == [.v6], "\(notation)")
        }
    }
}
