import Testing

@testable import Transports

/// The names in certificates, which may contain any text.
@Suite struct CertificateNamesTests {
    private func names(_ texts: [String]) -> CertificateNames {
        texts.reduce(into: CertificateNames()) { $0.add(Array($1.utf8)) }
    }

    @Test func `the first three names and the number of others are printed`() {
        #expect(names([]).text == "no name")
        #expect(names(["a.test", "b.test", "c.test"]).text == "a.test, b.test, c.test")
        let many = names((1...64).map { "n\($0).test" })
        #expect(many.text == "n1.test, n2.test, n3.test and 61 more")
    }

    @Test func `addresses are written as addresses`() {
        var names = CertificateNames()
        names.add([192, 0, 2, 1], isAddress: true)
        names.add([1, 2, 3], isAddress: true)
        #expect(names.text == "192.0.2.1, \\001\\002\\003")
        #expect(names.host == nil)
    }

    @Test(arguments: ["\u{1b}[2Jdns.test", "dns.test\nYes, switch", "dns.test\u{0}", "\u{202e}"])
    func `control sequences are escaped, and are never proposed as host`(name: String) {
        let names = names([name])
        #expect(names.text.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        #expect(names.text.contains("\\"))
        #expect(names.host == nil)
    }

    @Test func `a long name is cut`() {
        let text = names([String(repeating: "a", count: 1_000)]).text
        #expect(text == String(repeating: "a", count: 64) + "…")
    }

    @Test func `a single host is proposed`() {
        #expect(names(["*.dns.test", "dns", "a b.test", "dns.test"]).host == "dns.test")
    }
}
