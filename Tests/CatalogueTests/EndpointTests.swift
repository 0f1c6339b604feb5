import Failures
import Testing

@testable import Catalogue

struct EndpointTests {
    @Test(arguments: [
        ("192.0.2.53", "192.0.2.53:53", "192.0.2.53"),
        ("127.0.0.1:5311", "127.0.0.1:5311", "127.0.0.1:5311"),
        ("::1", "[::1]:53", "::1"), ("[::1]", "[::1]:53", "::1"),
        ("[2001:db8::1]:5353", "[2001:db8::1]:5353", "[2001:db8::1]:5353"),
        ("fe80::1%eth0", "[fe80::1%eth0]:53", "fe80::1%eth0"),
        ("udp://192.0.2.1", "192.0.2.1:53", "192.0.2.1"),
        ("tcp://192.0.2.1", "192.0.2.1:53", "tcp://192.0.2.1"),
        ("TCP://[::1]", "[::1]:53", "tcp://[::1]"),
        ("tcp://[::1]:5311", "[::1]:5311", "tcp://[::1]:5311"),
        ("[::ffff:192.0.2.1]:99", "192.0.2.1:99", "192.0.2.1:99"),
    ])
    func `an endpoint is read and printed`(text: String, full: String, short: String) throws {
        let endpoint = try Endpoint(parsing: text)
        #expect(endpoint.description == full)
        #expect(endpoint.shortText == short)
        #expect(try Endpoint(parsing: short) == endpoint)
    }

    private static let six =
        "is not an IPv6 address; write one such as 2001:db8::1, with a port [2001:db8::1]:53"

    @Test(arguments: [
        ("1.1.1", "'1.1.1' is not an IPv4 address; write four numbers from 0 to 255"),
        ("1.1.1.999", "'1.1.1.999' is not an IPv4 address; write four numbers from 0 to 255"),
        (
            "1.1.1:53",
            "'1.1.1' in '1.1.1:53' is not an IPv4 address; write four numbers from 0 to 255"
        ),
        ("192.0.2.1:0", "'192.0.2.1:0' has no usable port; write a number from 1 to 65535"),
        ("192.0.2.1:", "'192.0.2.1:' has no usable port; write a number from 1 to 65535"),
        ("192.0.2.1:65536", "'192.0.2.1:65536' has no usable port; write a number from 1 to 65535"),
        ("192.0.2.1:+53", "'192.0.2.1:+53' has no usable port; write a number from 1 to 65535"),
        ("[::1", "'[::1' \(six)"), ("[::1]53", "'[::1]53' \(six)"), ("::1::2", "'::1::2' \(six)"),
        (
            "dns.example:53",
            "'dns.example' in 'dns.example:53' is a host name, and no name is looked up here;"
                + " give an address"
        ),
        (
            "udp://dns.example",
            "'dns.example' in 'udp://dns.example' is a host name, and no name is looked up here;"
                + " give an address"
        ),
        (
            "udp://192.0.2.1/dns-query",
            "'udp://192.0.2.1/dns-query': plain DNS has neither path nor certificate;"
                + " leave out '/dns-query'"
        ),
        (
            "tcp://192.0.2.1#dns.example",
            "'tcp://192.0.2.1#dns.example': plain DNS has neither path nor certificate;"
                + " leave out '#dns.example'"
        ),
        (
            "dot://192.0.2.1",
            "'dot://192.0.2.1': unknown transport 'dot'; did you mean 'tls://'?"
        ),
        (
            "gopher://192.0.2.1",
            "'gopher://192.0.2.1': unknown transport 'gopher';"
                + " write one of \(TransportKind.carried) before ://"
        ),
        (
            "tls://192.0.2.1",
            "'tls://192.0.2.1': only plain DNS is allowed here;"
                + " give an address, udp:// or tcp://"
        ),
        (
            "224.0.0.251",
            "'224.0.0.251': no resolver can have the address 224.0.0.251;"
                + " give the address of one machine"
        ),
        ("::", "'::': no resolver can have the address ::; give the address of one machine"),
        (
            "udp://", "'' in 'udp://' is not an IPv4 address; write four numbers from 0 to 255"
        ),
    ])
    func `a malformed endpoint is rejected`(text: String, line: String) {
        #expect(throws: CatalogueError(.usage, line)) { try Endpoint(parsing: text) }
    }

    @Test func `a list of transports keeps its order`() throws {
        #expect(try TransportChoice(parsing: "tcp, udp,tcp") == .listed([.tcp, .udp]))
    }

    @Test(arguments: [
        ("dot", "tls"), ("tls,DoH", "https"), ("htps", "https"), ("do53", "udp"), ("tpc", "tcp"),
    ])
    func `a misnamed transport gives a suggestion`(text: String, meant: String) {
        let name = text.split(separator: ",").last ?? ""
        let line = "unknown transport '\(name)'; did you mean '\(meant)'?"
        #expect(throws: CatalogueError(.usage, line)) { try TransportChoice(parsing: text) }
    }

    @Test(arguments: ["udp,", "pigeon"])
    func `an unknown transport is rejected`(text: String) {
        let name = text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        let line =
            "unknown transport '\(name)'; write \(TransportKind.carried), several as udp,tls, or all"
        #expect(throws: CatalogueError(.usage, line)) { try TransportChoice(parsing: text) }
    }

    #if !QUIC
    @Test func `a transport that this build lacks is rejected`() {
        let line =
            "the transport 'h3': this build has no QUIC;"
            + " write udp, tcp, tls, https, several as udp,tls, or all"
        #expect(throws: CatalogueError(.usage, line)) { try TransportChoice(parsing: "h3") }
    }
    #endif

    @Test func `control characters in an error are made visible`() {
        let error = #expect(throws: CatalogueError.self) {
            try Endpoint(parsing: "1.2\n\u{1b}[31m")
        }
        #expect(error?.description.contains(#"'1.2\u{a}\u{1b}[31m' is not an IPv6"#) == true)
    }
}
