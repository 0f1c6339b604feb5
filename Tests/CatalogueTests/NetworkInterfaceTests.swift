import Failures
import Testing

@testable import Catalogue

@Suite struct NetworkInterfaceTests {
    private static func resolver(_ notation: String) throws -> Resolver {
        let catalogue = ResolverCatalogue(entries: [])
        let found = try catalogue.resolvers(named: [notation], system: Fixture.system("plain"))
        return try #require(found.first)
    }

    #if os(Linux)
    @Test func `a zone number is replaced by the zone name`() throws {
        let number = try #require(NetworkInterface.number(ofZone: "lo"))
        #expect(NetworkInterface.number(ofZone: "\(number)") == number)
        for text in ["fe80::1%\(number)", "[FE80::0:1%\(number)]:53", "tls://[fe80::1%\(number)]"] {
            let resolver = try Self.resolver(text)
            #expect(resolver.endpoint.address == IPAddress("fe80::1%lo"), "\(text)")
        }
        #expect(try Self.resolver("fe80::1%\(number)").label == "fe80::1%lo")
        #expect(ResolverNotation.usualLabel(of: "udp://[fe80::1%\(number)]:53") == "fe80::1%lo")
    }

    @Test(arguments: ["fe80::1%lo", "::1%lo"])
    func `an existing interface is accepted`(text: String) throws {
        try [Self.resolver(text)].checkZones()
    }
    #endif

    @Test(arguments: ["nowhere0", "0", "4294967295", "4294967296", "+1", "1x"])
    func `a missing zone has no number`(zone: String) throws {
        #expect(NetworkInterface.number(ofZone: zone) == nil)
        let address = try #require(IPAddress("fe80::1%\(zone)"))
        #expect(address.withNamedZone == address)
        #expect(
            address.zoneFault
                == "names no interface of this machine: '\(zone)'; 'ip address' shows those"
        )
    }

    @Test func `a missing zone makes the address invalid`() throws {
        #expect(
            throws: CatalogueError(
                .usage,
                "resolver 'x': the address fe80::1%nowhere0 names no interface of this machine:"
                    + " 'nowhere0'; 'ip address' shows those"
            )
        ) {
            try [Self.resolver("192.0.2.1"), Self.resolver("x=fe80::1%nowhere0")].checkZones()
        }
    }

    @Test func `a link-local address without a zone is invalid`() throws {
        #expect(
            throws: CatalogueError(
                .usage,
                "resolver 'tcp://[fe80::1]': the address fe80::1 needs an interface, as in"
                    + " fe80::1%eth0; 'ip address' shows this machine's"
            )
        ) { try [Self.resolver("tcp://[fe80::1]")].checkZones() }
    }

    @Test(arguments: ["192.0.2.1", "::1", "2001:db8::1", "fec0::1", "169.254.0.1"])
    func `other addresses need no zone`(text: String) throws {
        try [Self.resolver(text)].checkZones()
    }

    @Test(arguments: [
        ("[2001:DB8:0::1]:53", "[2001:db8::1]:53"), ("[::ffff:c000:201]:53", "192.0.2.1:53"),
        ("[FE80::1%eth0]:853#dns.example", "[fe80::1%eth0]:853#dns.example"),
        ("[2001:DB8::1]:443/q/A#dns.example", "[2001:db8::1]:443/q/A#dns.example"),
        ("2001:DB8::1", "2001:db8::1"), ("[2001:DB8::1]", "[2001:db8::1]"),
        ("192.0.2.1:53", "192.0.2.1:53"), ("lab:Harbour", "lab:Harbour"), ("", ""),
        ("A:B:C", "A:B:C"), ("https://[2001:DB8::1]", "https://[2001:DB8::1]"),
    ])
    func `locations have canonical addresses`(text: String, place: String) {
        #expect(Endpoint.canonicalPlace(text) == place)
    }

    @Test(arguments: [
        ("127.0.0.1:53", "127.0.0.1"), ("2001:DB8::1", "2001:db8::1"),
        ("tcp://[2001:db8:0::1]", "tcp://[2001:db8::1]"), ("cloudflare", "cloudflare"),
        ("x=127.0.0.1:53", "x=127.0.0.1:53"), ("home router", "home router"),
    ])
    func `all notations of an address have one label`(text: String, label: String) {
        #expect(ResolverNotation.usualLabel(of: text) == label)
    }
}
