import Catalogue
import Testing

@testable import DNSWire
@testable import Integrity

struct DesignationTests {
    private static func binding(
        _ protocols: [String],
        priority: UInt16 = 1,
        target: String = "dns.example",
        port: UInt16? = nil,
        addresses: [[UInt8]] = [[192, 0, 2, 7]],
        path: String? = nil
    ) -> ServiceBinding {
        var binding = ServiceBinding(priority: priority, target: target)
        binding.protocols = protocols
        binding.port = port
        binding.addresses = addresses
        binding.path = path
        return binding
    }

    @Test func `each protocol becomes a resolver, in the order of preference`() {
        let found = Designation.all(of: [
            Self.binding(["h2", "h3"], priority: 2, path: "/dns-query{?dns}"),
            Self.binding(["dot", "doq", "http/1.1"], target: "DNS.example"),
        ])
        #expect(
            found.map(\.notation) == [
                "tls://192.0.2.7#dns.example", "quic://192.0.2.7#dns.example",
                "https://192.0.2.7#dns.example", "h3://192.0.2.7#dns.example",
            ]
        )
    }

    @Test(arguments: [
        (
            binding(
                ["dot"],
                port: 8853,
                addresses: [[UInt8](repeating: 1, count: 16), [192, 0, 2, 9]]
            ),
            "tls://192.0.2.9:8853#dns.example"
        ),
        (
            binding(
                ["dot"],
                addresses: [[0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]]
            ),
            "tls://[2001:db8::1]#dns.example"
        ),
        (binding(["doq"], addresses: []), "quic://dns.example"),
        (binding(["h2"], port: 8443, path: "/q{?dns}"), "https://192.0.2.7:8443/q#dns.example"),
        (binding(["h2"], addresses: [], path: "/q{?dns}"), "https://dns.example/q"),
    ])
    func `a designation is written as a resolver`(binding: ServiceBinding, notation: String) {
        #expect(Designation.all(of: [binding]).map(\.notation) == [notation])
    }

    @Test(arguments: [
        binding(["dot"], priority: 0), binding(["dot"], target: ""), binding([]),
        binding(["http/1.1"]),
        binding(["h2"]), binding(["h2"], path: "q{?dns}"), binding(["h2"], path: "/q"),
        binding(["h2"], path: "/a#b{?dns}"), binding(["dot"], target: "a b"),
        binding(["dot"], target: "\\027"), binding(["dot"], target: "a`b`"),
    ])
    func `designations that cannot be queried are skipped`(binding: ServiceBinding) {
        #expect(Designation.all(of: [binding]).isEmpty)
    }

    @Test(
        arguments: [
            // A resolver at a public address may designate only public addresses.
            ("9.9.9.9", "9.9.9.10", nil), ("9.9.9.9", "2620:fe::fe", nil),
            ("2620:fe::fe", "9.9.9.9", nil),
            ("9.9.9.9", "127.0.0.1", "at an address of this machine"),
            ("9.9.9.9", "::1", "at an address of this machine"),
            ("9.9.9.9", "::ffff:127.0.0.1", "at an address of this machine"),
            ("9.9.9.9", "10.0.0.1", "at a private address"),
            ("9.9.9.9", "fd00::1", "at a private address"),
            ("9.9.9.9", "172.31.0.1", "at a private address"),
            ("9.9.9.9", "172.32.0.1", nil),
            ("9.9.9.9", "192.168.1.1", "at a private address"),
            ("9.9.9.9", "100.64.0.1", "at a private address"),
            ("9.9.9.9", "64:ff9b::a00:1", "at a private address"),
            ("9.9.9.9", "2002:c0a8:101::1", "at a private address"),
            ("9.9.9.9", "64:ff9b::909:909", nil),
            ("9.9.9.9", "169.254.169.254", "at a link-local address"),
            ("9.9.9.9", "fe80::1", "at a link-local address"),
            ("2620:fe::fe", "192.168.1.1", "at a private address"),
            // No resolver may designate these addresses.
            ("9.9.9.9", "0.0.0.0", "no server has such an address"),
            ("127.0.0.1", "::", "no server has such an address"),
            ("127.0.0.1", "192.0.2.7", "no server has such an address"),
            ("9.9.9.9", "198.51.100.7", "no server has such an address"),
            ("9.9.9.9", "203.0.113.7", "no server has such an address"),
            ("9.9.9.9", "2001:db8::7", "no server has such an address"),
            ("9.9.9.9", "224.0.0.251", "no server has such an address"),
            ("9.9.9.9", "ff02::fb", "no server has such an address"),
            ("9.9.9.9", "255.255.255.255", "no server has such an address"),
            ("9.9.9.9", "::9.9.9.9", "no server has such an address"),
            // The user's router and the machine's stub resolver may designate farther addresses, and
            // themselves.
            ("192.168.1.1", "192.168.1.1", nil), ("192.168.1.1", "9.9.9.9", nil),
            ("192.168.1.1", "fd00::1", nil),
            ("192.168.1.1", "127.0.0.1", "at an address of this machine"),
            ("127.0.0.53", "127.0.0.1", nil), ("127.0.0.53", "192.168.1.1", nil),
            ("127.0.0.53", "9.9.9.9", nil), ("fe80::1%eth0", "fe80::1", nil),
            // A resolver at a documentation address (RFC 5737) has the limits of a public address.
            (
                "192.0.2.1", "127.0.0.1",
                "a resolver at a public address has no service at an address"
            ),
        ] as [(String, String, String?)]
    )
    func `a resolver cannot designate an address closer than itself`(
        plain: String,
        designated: String,
        objection: String?
    ) throws {
        let plain = try #require(IPAddress(plain))
        // A record cannot contain the zone of an address, so this address has none.
        let address = try #require(IPAddress(designated))
        let found = Designation.objection(to: address, by: plain)
        #expect((found == nil) == (objection == nil), "\(found ?? "none")")
        #expect(found?.contains(objection ?? "") ?? true, "\(found ?? "none")")
    }

    @Test func `designations with unknown mandatory keys are skipped`() {
        var binding = Self.binding(["dot"])
        binding.isUnusable = true
        #expect(Designation.all(of: [binding]).isEmpty)
    }
}
