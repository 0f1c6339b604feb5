import Catalogue
import Testing

struct IPAddressTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::A", "2001:db8::a"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:0:2:0:0:3:0:4", "1:0:2::3:0:4"),
        ("2001:0db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::ffff:c000:201", "::ffff:192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("fe80::1%eth0", "fe80::1%eth0"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ])
    func `an address is printed in its canonical form`(text: String, canonical: String) {
        #expect(IPAddress(text)?.description == canonical)
    }

    @Test(arguments: [
        "", " ", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "010.0.0.1", "1.2.3.-4", "1.2.3.+4",
        "0x7f.0.0.1", "1.2.3.4 ", "1.2.3.4%eth0", ":", ":::", "1::2::3", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::", ":1", "1:",
        "::+1", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "fe80::1%", "fe80::1%a b", "[::1]",
        "١.1.1.1",
    ])
    func `an invalid address is rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("128.0.0.1", false), ("::2", false), ("::ffff:8.8.8.8", false),
    ])
    func `loopback is recognised in every form`(text: String, isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("127.0.0.1", .machine), ("::1", .machine), ("169.254.1.1", .link), ("fe80::1", .link),
            ("10.1.1.1", .site), ("172.31.0.1", .site), ("192.168.1.1", .site), ("fd00::1", .site),
            ("100.127.0.1", .site), ("::ffff:10.0.0.1", .site), ("64:ff9b::a00:1", .site),
            ("8.8.8.8", .internet), ("100.128.0.1", .internet), ("2606:4700::1111", .internet),
            ("2002:808:808::1", .internet), ("0.0.0.0", nil), ("192.0.2.1", nil),
            ("198.19.0.1", nil), ("192.88.99.1", nil), ("224.0.0.1", nil), ("240.0.0.1", nil),
            ("255.255.255.255", nil), ("::", nil), ("ff02::1", nil), ("2001:db8::1", nil),
            ("2001::1", nil), ("3fff::1", nil), ("64:ff9b::c000:201", nil),
        ] as [(String, IPAddress.Scope?)]
    )
    func `an address has the distance of its network`(text: String, scope: IPAddress.Scope?)
        throws
    {
        #expect(try #require(IPAddress(text)).scope == scope)
    }

    @Test func `four or sixteen bytes are an address`() {
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
        #expect(IPAddress(bytes: [1, 2, 3, 4])?.description == "1.2.3.4")
        #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 16))?.description == "::")
    }
}
