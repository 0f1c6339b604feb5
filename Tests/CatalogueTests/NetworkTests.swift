import Catalogue
import Failures
import Testing

struct NetworkTests {
    @Test(arguments: [
        ("127.0.0.0/8", "127.255.255.255", true), ("127.0.0.0/8", "128.0.0.0", false),
        ("10.0.0.0/9", "10.127.0.1", true), ("10.0.0.0/9", "10.128.0.1", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "::1", false),
        ("::1/128", "::1", true), ("::1", "::2", false), ("fe80::/10", "fe80::1%eth0", true),
        ("::/0", "2001:db8::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
    ])
    func `a network contains its addresses`(network: String, address: String, inside: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(try Network(parsing: network).contains(address) == inside)
    }

    @Test(arguments: [
        ("8.8.8.0/24", true), ("::ffff:8.8.8.0/120", true), ("::/0", false), ("::/64", false),
        ("127.0.0.0/8", false),
    ])
    func `a mapped address is handled as the IPv4 address`(network: String, inside: Bool) throws {
        let mapped = try #require(IPAddress("::ffff:8.8.8.8"))
        #expect(try Network(parsing: network).contains(mapped) == inside)
    }

    @Test func `bits beyond the prefix are cleared`() throws {
        #expect(try Network(parsing: "10.1.2.3/8").description == "10.0.0.0/8")
        #expect(try Network(parsing: "::ffff:10.1.2.3/104").description == "10.0.0.0/8")
    }

    @Test(arguments: [
        ("", "'' is not a network; write one such as 127.0.0.0/8 or ::1/128"),
        ("a/8", "'a/8' is not a network; write one such as 127.0.0.0/8 or ::1/128"),
        ("1.2.3.4/8/9", "'1.2.3.4/8/9' is not a network; write one such as 127.0.0.0/8 or ::1/128"),
        (
            "1.2.3.4/33",
            "'1.2.3.4/33' has no usable prefix length; write a number from 0 to 32 after the slash"
        ),
        (
            "::1/",
            "'::1/' has no usable prefix length; write a number from 0 to 128 after the slash"
        ),
        (
            "::/99999999999999999999",
            "'::/99999999999999999999' has no usable prefix length;"
                + " write a number from 0 to 128 after the slash"
        ),
    ])
    func `a malformed network is rejected`(text: String, line: String) {
        #expect(throws: CatalogueError(.usage, line)) { try Network(parsing: text) }
    }
}

struct AllowedNetworksTests {
    private let loopback = "127.0.0.0/8, ::1/128"

    @Test(arguments: [
        ("127.0.0.53", true), ("::1", true), ("192.0.2.1", false), ("2001:db8::1", false),
        ("::ffff:192.0.2.1", false), ("::ffff:127.0.0.1", true),
    ])
    func `only the listed networks are allowed`(text: String, allowed: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(try AllowedNetworks(parsing: loopback).allows(address) == allowed)
        #expect(AllowedNetworks.everywhere.allows(address))
    }

    @Test(
        arguments: [
            ("127.0.0.0/8,::1", "127.0.0.1,10.0.0.0/8", "127.0.0.1/32"),
            ("127.0.0.1,::1", "0.0.0.0/0,::/0", "127.0.0.1/32,::1/128"),
            ("10.0.0.0/8", "10.0.0.0/8", "10.0.0.0/8"),
            ("10.0.0.0/8", "11.0.0.0/8,::/0", nil),
        ] as [(String, String, String?)]
    )
    func `allowed networks are intersected`(one: String, other: String, common: String?) throws {
        let (one, other) = try (AllowedNetworks(parsing: one), AllowedNetworks(parsing: other))
        #expect(one.narrowed(to: other).common == common)
        #expect(other.narrowed(to: one).common == common)
    }

    @Test func `a resolver outside the networks is named`() throws {
        let endpoint = try Endpoint(parsing: "192.0.2.1")
        let line =
            "resolver 'router' at 192.0.2.1 is outside the allowed networks"
            + " (127.0.0.0/8,::1/128); leave it out or allow its network"
        #expect(throws: CatalogueError(.usage, line)) {
            try AllowedNetworks(parsing: loopback)
                .check([Resolver(label: "router", endpoint: endpoint)])
        }
    }

    @Test(arguments: ["", "127.0.0.0/8,", ","])
    func `an empty entry is rejected`(text: String) {
        let line =
            "the list of allowed networks '\(text)' has an empty entry;"
            + " write networks such as 127.0.0.0/8,::1/128"
        #expect(throws: CatalogueError(.usage, line)) { try AllowedNetworks(parsing: text) }
    }
}
