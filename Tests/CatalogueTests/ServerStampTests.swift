import Failures
import Foundation
import Testing

@testable import Catalogue

/// A stamp that is built field by field.
struct StampBuilder {
    var octets: [UInt8]

    init(_ code: UInt8, properties: UInt64 = 0) {
        octets = [code] + (0..<8).map { UInt8(truncatingIfNeeded: properties >> ($0 * 8)) }
    }

    func field(_ text: String) -> StampBuilder { set([Array(text.utf8)]) }

    func set(_ entries: [[UInt8]]) -> StampBuilder {
        var copy = self
        for (index, entry) in entries.enumerated() {
            let more: UInt8 = index == entries.count - 1 ? 0 : 0x80
            copy.octets += [UInt8(entry.count) | more] + entry
        }
        return copy
    }

    var text: String {
        let base64 = Data(octets).base64EncodedString()
        return "sdns://"
            + base64.replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

private let hash = (0..<32).map { UInt8($0) }
private let otherHash = [UInt8](repeating: 9, count: 32)

func stamp(
    _ code: UInt8,
    _ address: String,
    _ host: String,
    hashes: [[UInt8]] = [[]],
    path: String? = nil
) -> StampBuilder {
    let stamp = StampBuilder(code).field(address).set(hashes).field(host)
    return path.map(stamp.field) ?? stamp
}

@Suite struct ServerStampTests {
    @Test(arguments: [
        ("sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ", "127.0.0.1"),
        ("sdns://AAEAAAAAAAAABzguOC44Ljg", "8.8.8.8"),
        ("sdns://AAEAAAAAAAAAFlsyMDAxOjQ4NjA6NDg2MDo6ODg4OF0", "2001:4860:4860::8888"),
        (
            "sdns://AgMAAAAAAAAABzkuOS45LjkgKhX11qy258CQGt5Ou8dDsszUiQMrRuFkLwaTaDABJYoSZG5zOS5xd"
                + "WFkOS5uZXQ6NDQzCi9kbnMtcXVlcnk",
            "https://9.9.9.9#dns9.quad9.net"
        ),
        (StampBuilder(0x00).field("127.0.0.1:5311").text, "127.0.0.1:5311"),
        (StampBuilder(0x00).field("[2001:db8::1]:5311").text, "[2001:db8::1]:5311"),
        (stamp(0x03, "192.0.2.1", "dns.example").text, "tls://192.0.2.1#dns.example"),
        (stamp(0x03, "192.0.2.1:8853", "DNS.example").text, "tls://192.0.2.1:8853#dns.example"),
        (stamp(0x03, "192.0.2.1", "dns.example:8853").text, "tls://192.0.2.1:8853#dns.example"),
        (
            stamp(0x03, "[2001:db8::1]:853", "dns.example:853").text,
            "tls://[2001:db8::1]#dns.example"
        ),
        (stamp(0x03, "", "dns.example").text, "tls://dns.example"),
        (stamp(0x03, ":8853", "dns.example").text, "tls://dns.example:8853"),
        (
            stamp(0x02, "192.0.2.1", "doh.example", path: "/q").text,
            "https://192.0.2.1/q#doh.example"
        ),
        (stamp(0x02, "", "doh.example:8443", path: "/q").text, "https://doh.example:8443/q"),
        (
            stamp(0x02, "", "doh.example", path: "/dns-query").set([[0x31], [0x32]]).text,
            "https://doh.example"
        ),
        (
            stamp(0x02, "", "[2001:DB8::1]:8443", path: "/q").text,
            "https://[2001:db8::1]:8443/q"
        ),
        (stamp(0x03, "", "[2001:db8::1]").text, "tls://[2001:db8::1]"),
        (stamp(0x04, "192.0.2.1", "doq.example").text, "quic://192.0.2.1#doq.example"),
    ])
    func `a stamp is read like an address`(text: String, notation: String) throws {
        #expect(try ServerStamp(parsing: text).notation == notation)
    }

    @Test func `hashes and properties are read`() throws {
        let text = StampBuilder(0x03, properties: 0b101)
            .field("192.0.2.1").set([hash, otherHash]).field("dns.example").text
        let stamp = try ServerStamp(parsing: text)
        #expect(stamp.hashes == [hash, otherHash])
        #expect(stamp.properties == [.dnssec, .noFilter])
        let resolver = try #require(
            try ResolverCatalogue.bundled()
                .resolvers(named: ["mine=\(text)", text], system: Fixture.system("plain")).first
        )
        #expect(resolver.certificateHashes == [hash, otherHash])
        #expect(resolver.serverName == "dns.example")
        #expect(resolver.endpoint.description == "192.0.2.1:853")
        #expect(resolver.label == "mine")
    }

    @Test func `the address is the label of a stamp without a label`() throws {
        let text = stamp(0x03, "192.0.2.1", "dns.example").text
        let resolvers = try ResolverCatalogue.bundled()
            .resolvers(named: [text], system: Fixture.system("plain"))
        #expect(resolvers.map(\.label) == ["tls://192.0.2.1#dns.example"])
    }

    @Test(arguments: [
        ("sdns://", "ends inside its protocol; copy all of it"),
        ("sdns://AAEAAA", "ends inside its properties; copy all of it"),
        ("sdns://AAEA+AAA", "is not valid: copy all of it, without spaces or '='"),
        ("sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ==", "is not valid: copy all of it, without"),
        ("sdns://AAEAAAAAAAAACTEyNy4wLjAuMR", "is not valid: copy all of it, without"),
        (StampBuilder(0x00).field("").text, "has no address"),
        (StampBuilder(0x00).field(":53").text, "has no address"),
        (StampBuilder(0x00).field("dns.example").text, "has 'dns.example' for an address"),
        (StampBuilder(0x00).field("192.0.2.1:0").text, "has no usable port in '192.0.2.1:0'"),
        (StampBuilder(0x00).field("192.0.2.1").field("x").text, "has 2 bytes after its end"),
        (StampBuilder(0x00).set([[0xff]]).text, "has an address that is no text; copy it again"),
        (stamp(0x03, "192.0.2.1", "a b").text, "has 'a b' for a host name"),
        (stamp(0x03, "192.0.2.1:1", "dns.example:2").text, "names two ports, 1 and 2"),
        (
            stamp(0x03, "192.0.2.1", "dns.example", hashes: [[1, 2]]).text,
            "has a certificate hash of 2 bytes instead of 32"
        ),
        (
            stamp(0x02, "192.0.2.1", "dns.example", path: "q").text,
            "has the path 'q', which does not begin with '/'"
        ),
        (stamp(0x02, "192.0.2.1", "dns.example").text, "ends inside its path; copy all of it"),
        (
            "sdns://AQcAAAAAAAAADjIxMi40Ny4yMjguMTM2IOgBuE6mBr-wusDOQ0RbsV66ZLAvo8SqMa4QY2oHkDJN"
                + "HzIuZG5zY3J5cHQtY2VydC5mci5kbnNjcnlwdC5vcmc",
            "is for DNSCrypt, which is not supported; give a stamp for plain DNS, DoT, DoH or DoQ"
        ),
        (
            StampBuilder(0x05).field("odoh.example").field("/q").text,
            "is for a target of Oblivious DoH, which is not supported;"
        ),
        ("sdns://gQkxMjcuMC4wLjE", "is for a relay of DNSCrypt, which is not supported;"),
        (
            stamp(0x85, "", "relay.example", path: "/p").text,
            "is for a relay of Oblivious DoH, which is not supported;"
        ),
        (StampBuilder(0x42).text, "is for protocol 66, which is unknown; copy it again"),
    ])
    func `an unusable address is rejected in one line`(text: String, words: String) {
        let error = #expect(throws: CatalogueError.self) { try ServerStamp(parsing: text) }
        #expect(error?.status == .usage)
        #expect(error?.description.hasPrefix("the DNS stamp 'sdns://") == true)
        #expect(error?.description.contains("' \(words)") == true, "\(error?.description ?? "")")
    }

    @Test func `truncated and damaged stamps are rejected without a crash`() {
        let whole = stamp(0x02, "[2001:db8::1]:443", "doh.example", hashes: [hash], path: "/q")
        for count in whole.octets.indices {
            var cut = whole
            cut.octets.removeLast(whole.octets.count - count)
            #expect(throws: CatalogueError.self) { try ServerStamp(parsing: cut.text) }
            var damaged = whole
            damaged.octets[count] ^= 0xff
            // The result may be a stamp or an error, but the test must not crash.
            _ = try? ServerStamp(parsing: damaged.text)
        }
    }
}
