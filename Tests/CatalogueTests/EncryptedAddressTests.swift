import Testing

@testable import Catalogue

@Suite struct EncryptedAddressTests {
    private static func resolvers(
        _ notation: String,
        _ families: Set<IPAddress.Family> = []
    ) throws -> [Resolver] {
        try ResolverCatalogue.bundled()
            .resolvers(named: [notation], families: families, system: Fixture.system("plain"))
    }

    @Test(
        arguments: [
            ("tls://192.0.2.1", "192.0.2.1:853", nil),
            ("tls://192.0.2.1:8853#dns.example", "192.0.2.1:8853", "dns.example"),
            ("tls://[2001:db8::1]#dns.example", "[2001:db8::1]:853", "dns.example"),
            ("tls://192.0.2.1#192.0.2.1", "192.0.2.1:853", "192.0.2.1"),
            ("tls://DNS.google", "8.8.8.8:853", "dns.google"),
            ("tls://dns.google:8853#other.example", "8.8.8.8:8853", "other.example"),
        ] as [(String, String, String?)]
    )
    func `an address and a name are read`(text: String, place: String, name: String?) throws {
        let resolver = try #require(try Self.resolvers("x=\(text)").first)
        #expect(resolver.endpoint.transport == .tls)
        #expect(resolver.endpoint.description == place)
        #expect(resolver.serverName == name)
        #expect(resolver.label == "x")
        #expect(try Self.resolvers(text).first?.label == text)
    }

    @Test(
        arguments: [
            ("cloudflare", TransportKind.tls, "1.1.1.1:853", "one.one.one.one"),
            ("127.0.0.1:5311", .tls, "127.0.0.1:5311", nil),
            ("tls://192.0.2.1#dns.example", .udp, "192.0.2.1:53", "dns.example"),
            ("cloudflare", .tcp, "1.1.1.1:53", nil),
        ] as [(String, TransportKind, String, String?)]
    )
    func `another transport uses its own default port`(
        notation: String,
        kind: TransportKind,
        place: String,
        name: String?
    ) throws {
        let resolver = try #require(try Self.resolvers(notation).first).over(kind)
        #expect(resolver.endpoint.transport == kind)
        #expect(resolver.endpoint.description == place)
        #expect(resolver.serverName == name)
    }

    @Test(
        arguments: [
            ("https://192.0.2.1", "192.0.2.1:443", nil),
            ("https://192.0.2.1/dns-query", "192.0.2.1:443", nil),
            (
                "https://192.0.2.1:8443/q?a=b#dns.example", "192.0.2.1:8443/q?a=b#dns.example",
                "/q?a=b"
            ),
            ("https://[2001:db8::1]/", "[2001:db8::1]:443/", "/"),
            ("h3://192.0.2.1/dns-query{?dns}#dns.example", "192.0.2.1:443#dns.example", nil),
        ] as [(String, String, String?)]
    )
    func `a path is read and printed again`(text: String, place: String, path: String?) throws {
        let mark = try #require(text.firstRange(of: "://"))
        let kind = try #require(TransportKind(rawValue: String(text[..<mark.lowerBound])))
        let address = try EncryptedAddress(kind, text[mark.upperBound...], in: text)
        #expect(address.path == path)
        let catalogue = try ResolverCatalogue.bundled()
        let resolver = try catalogue.resolver(at: address, [], label: "x")
        #expect(resolver.place == place)
        let again = try EncryptedAddress(kind, place[...], in: place)
        #expect(try catalogue.resolver(at: again, [], label: "x") == resolver)
    }

    @Test(arguments: [("quad9", nil), ("controld", "/p0")] as [(String, String?)])
    func `the catalogue knows the path`(name: String, path: String?) throws {
        let resolver = try #require(try Self.resolvers(name).first).over(.https)
        #expect(resolver.path == path)
        #expect(resolver.endpoint.port == 443)
        #expect(resolver.serverName?.isEmpty == false)
    }

    @Test(arguments: ["https://192.0.2.1/a b", "https://192.0.2.1?x", "https://192.0.2.1/\u{e9}"])
    func `an invalid path is rejected`(text: String) {
        let error = #expect(throws: CatalogueError.self) {
            try EncryptedAddress(.https, text.dropFirst("https://".count), in: text)
        }
        #expect(error?.description.contains("cannot be a path") == true)
    }

    @Test(arguments: [
        ("tls://dns.example", "'dns.example' is a host name, and no name is looked up here;"),
        ("tls://192.0.2.1#", "'tls://192.0.2.1#': '' is not a valid name in a certificate;"),
        ("tls://192.0.2.1#a b", "'tls://192.0.2.1#a b': 'a b' is not a valid name"),
        ("tls://192.0.2.1/x", "'tls://192.0.2.1/x': DNS over TLS has no path;"),
        ("tls://dns.google:0", "'tls://dns.google:0' has no usable port;"),
        ("tls://", "'' in 'tls://' is not an IPv4 address;"),
    ])
    func `an invalid encrypted address is rejected in one line`(text: String, line: String) {
        let error = #expect(throws: CatalogueError.self) { try Self.resolvers(text) }
        #expect(error?.description.hasPrefix(line) == true)
    }
}
