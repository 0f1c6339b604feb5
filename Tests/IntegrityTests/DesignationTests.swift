import Catalogue
import DNSWire
import Testing

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

    @Test func `each protocol is a resolver that can be asked, the preferred first`() {
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
    func `what cannot be asked is left out`(binding: ServiceBinding) {
        #expect(Designation.all(of: [binding]).isEmpty)
    }

    @Test func `what asks for something unknown is left out`() {
        var binding = Self.binding(["dot"])
        binding.isUnusable = true
        #expect(Designation.all(of: [binding]).isEmpty)
    }
}
