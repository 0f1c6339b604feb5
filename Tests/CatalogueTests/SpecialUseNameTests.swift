import Foundation
import Testing

@testable import Catalogue

struct SpecialUseNameTests {
    @Test(arguments: [
        ("a.onion", "onion", true), ("A.B.ONION.", "onion", true), ("a.alt", "alt", true),
        ("invalid", "invalid", true), ("printer.local", "local", false),
        ("a.internal", "internal", false), ("nas.home.arpa", "home.arpa", false),
        ("home.arpa", "home.arpa", false), ("a.service.arpa", "service.arpa", false),
        ("dns.test", "test", false), ("localhost", "localhost", false),
        ("a.localhost", "localhost", false),
    ])
    func `special-use names ignore case`(host: String, suffix: String, isOutsideDNS: Bool) throws {
        let name = try #require(SpecialUseName(host))
        #expect(name.suffix == suffix && name.isOutsideDNS == isOutsideDNS)
        #expect(name.needsTor == (suffix == "onion"))
        #expect(name.reason.contains(name.needsTor ? "Tor" : ".\(suffix) name"))
    }

    @Test(arguments: [
        "", ".", "dns.google", "onion.example", "local.example.org", "notlocal", "a.notonion",
        "dns.example", "arpa", "7.2.0.192.in-addr.arpa", "myhome.arpa", "192.0.2.1",
    ])
    func `other names are not special-use names`(host: String) {
        #expect(SpecialUseName(host) == nil)
    }

    @Test func `the table of hosts is read without its comments`() throws {
        let file = URL(filePath: NSTemporaryDirectory())
            .appending(path: "dnstempo-\(UUID().uuidString).hosts")
        let text = """
            127.0.0.1 localhost
            # 192.0.2.1 no.test
            192.0.2.2\tNAS.test nas # old.test

            ::1
            """
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let path = file.path(percentEncoded: false)
        #expect(HostsFile.names(in: path) == ["localhost", "nas.test", "nas"])
        #expect(HostsFile.names(in: "/no/such/hosts") == [])
    }
}
