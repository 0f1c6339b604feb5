import Failures
import Testing

@testable import Catalogue

@Suite struct HostLookupTests {
    private static func catalogue() throws -> ResolverCatalogue {
        var nameless = CatalogueEntry(name: "nameless", title: "Nameless", endpoints: [])
        nameless.isEncryptedOnly = true
        nameless.encrypted.tls = "dns.nameless.example"
        var sealed = CatalogueEntry(name: "sealed", title: "Sealed", endpoints: [])
        sealed.isEncryptedOnly = true
        sealed.encrypted.tls = "dns.sealed.example"
        sealed.bootstrap = ["192.0.2.7", "2001:db8::7"].compactMap { IPAddress($0) }
        return try ResolverCatalogue.bundled().adding([nameless, sealed])
    }

    private static func resolvers(
        _ notation: String,
        _ families: Set<IPAddress.Family> = [],
        knowing addresses: [String: String] = [:]
    ) throws -> [Resolver] {
        try catalogue().knowing(addresses.compactMapValues { IPAddress($0) })
            .resolvers(named: [notation], families: families, system: Fixture.system("plain"))
    }

    @Test(
        arguments: [
            ("tls://dns.example", [], ["dns.example"]),
            ("x=tls://DNS.example:8853#other.example", [], ["dns.example"]),
            ("tls://dns.google", [], []),
            ("tls://dns.google", [.v6], []),
            ("tls://192.0.2.1#dns.example", [], []),
            ("udp://dns.example", [], ["dns.example"]), ("localhost:5353", [], ["localhost"]),
            ("x=tcp://DNS.example:5353", [.v6], ["dns.example"]), ("udp://pihole", [], ["pihole"]),
            ("my_container:53", [], ["my_container"]), ("pihole", [], []), ("1.1.1:53", [], []),
            ("udp://192.0.2.1", [], []), ("[::1]:53", [], []), ("udp://a/b", [], []),
            ("google", [], []),
            ("sealed", [], []),
            ("sealed", [.v6], []),
            ("nameless", [], ["dns.nameless.example"]),
            ("n=nameless", [.v4], ["dns.nameless.example"]),
            ("a/b=c", [], []),
        ] as [(String, Set<IPAddress.Family>, [String])]
    )
    func `names without an address are looked up`(
        notation: String,
        families: Set<IPAddress.Family>,
        hosts: [String]
    ) throws {
        let notations = [notation, notation]
        #expect(try Self.catalogue().unknownHosts(in: notations, families: families) == hosts)
    }

    @Test func `a looked-up address keeps the name as written`() throws {
        let known = ["dns.example": "192.0.2.9"]
        let resolver = try #require(
            try Self.resolvers("tls://DNS.example:8853", knowing: known).first
        )
        #expect(resolver.label == "tls://DNS.example:8853")
        #expect(resolver.place == "192.0.2.9:8853#dns.example")
        #expect(resolver.isLookedUp)
        let named = try #require(
            try Self.resolvers("tls://dns.example#other.example", knowing: known).first
        )
        #expect(named.serverName == "other.example")
    }

    @Test(
        arguments: [
            ("DNS.example:5353", "dns.example:5353", .udp, 5353, false),
            ("udp://dns.example", "dns.example", .udp, 53, true),
            ("tcp://dns.example", "tcp://dns.example", .tcp, 53, true),
            ("x=dns.example:53", "x", .udp, 53, false),
        ] as [(String, String, TransportKind, UInt16, Bool)]
    )
    func `plain DNS queries go to the address of the host`(
        notation: String,
        label: String,
        transport: TransportKind,
        port: UInt16,
        isWrittenOut: Bool
    ) throws {
        let resolver = try #require(
            try Self.resolvers(notation, knowing: ["dns.example": "192.0.2.9"]).first
        )
        #expect(resolver.label == label)
        #expect(resolver.endpoint.transport == transport)
        #expect(resolver.place == "192.0.2.9:\(port)")
        #expect(resolver.lookedUpHost == "dns.example")
        #expect(resolver.isWrittenOut == isWrittenOut)
        #expect(ResolverNotation.plainHosts(in: [notation, "tls://x.example"]) == ["dns.example"])
        #expect(try resolver.over(.tls).serverName == "dns.example")
    }

    @Test(
        arguments: [
            ("sealed", [], ["sealed 192.0.2.7:853#dns.sealed.example"]),
            ("s=sealed", [.v6], ["s [2001:db8::7]:853#dns.sealed.example"]),
            (
                "sealed/all", [],
                [
                    "sealed@192.0.2.7 192.0.2.7:853#dns.sealed.example",
                    "sealed@2001:db8::7 [2001:db8::7]:853#dns.sealed.example",
                ]
            ),
            ("nameless", [], ["nameless 192.0.2.9:853#dns.nameless.example"]),
        ] as [(String, Set<IPAddress.Family>, [String])]
    )
    func `a service without plain DNS is queried over its first encrypted transport`(
        notation: String,
        families: Set<IPAddress.Family>,
        expected: [String]
    ) throws {
        let found = try Self.resolvers(
            notation,
            families,
            knowing: ["dns.nameless.example": "192.0.2.9"]
        )
        #expect(found.map { "\($0.label) \($0.place)" } == expected)
        #expect(found.allSatisfy { $0.endpoint.transport == .tls })
    }

    @Test func `only an address that the user named is rejected before the run`() throws {
        let allowed = try AllowedNetworks(parsing: "127.0.0.0/8")
        let learnt = try Self.resolvers(
            "tls://dns.example",
            knowing: ["dns.example": "192.0.2.9"]
        )
        try allowed.check(learnt)
        #expect(throws: CatalogueError.self) {
            try allowed.check(Self.resolvers("tls://192.0.2.9"))
        }
        #expect(throws: CatalogueError.self) { try allowed.check(Self.resolvers("sealed")) }
    }

    @Test(arguments: [
        (
            "nameless",
            "'nameless' has no address in the catalogue, and its name 'dns.nameless.example' is not"
                + " looked up here; give an address of it as tls://ADDRESS#dns.nameless.example"
        ),
        (
            "tls://dns.example",
            "'dns.example' is a host name, and no name is looked up here; write"
                + " tls://ADDRESS#dns.example"
        ),
        (
            "dns.example:53",
            "'dns.example' is a host name, and no name is looked up here; write its address"
        ),
        ("dns.example:0", "'dns.example:0' has no usable port; write a number from 1 to 65535"),
    ])
    func `a name that was not looked up cannot be queried`(notation: String, line: String) throws {
        #expect(throws: CatalogueError(.usage, line)) { try Self.resolvers(notation) }
    }
}
