import Testing

@testable import BrowserHistory

/// The part of a web address that may become a query.
@Suite struct VisitedHostTests {
    @Test(arguments: [
        (address: "https://www.example.co.uk/secret?q=1#x", host: "www.example.co.uk"),
        ("http://Example.ORG", "example.org"),
        ("HTTPS://user:pass@example.org:8443/", "example.org"),
        ("https://example.org./", "example.org"),
        ("https://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"),
        ("https://a_b.example.org?x@evil.example/", "a_b.example.org"),
        ("https://example.org\\@evil.com/", "example.org"),
    ])
    func `only the public host of a URL is read`(address: String, host: String) {
        #expect(WebHost.name(of: address) == host)
    }

    @Test(arguments: [
        "", "example.org", "file:///home/me/x.example.org", "about:blank", "moz-extension://a.b/",
        "ftp://example.org/", "javascript:https://example.org", "https:/example.org",
        "http://localhost/", "http://router/", "http://192.0.2.7/", "http://192.0.2.7./",
        "http://0x7f.1/", "http://1.2.3/", "http://[2001:db8::1]/", "http://printer.local/",
        "http://a.internal/", "http://nas.home.arpa/", "http://7.2.0.192.in-addr.arpa/",
        "http://a.test/", "http://a.invalid/", "http://a.alt/", "http://A.LOCAL./",
        "http://abcdef.onion/", "http://a.localhost:8080/", "https://a..org/", "https://.org/",
        "https://a b.org/", "https://münchen.de/",
        "https://\(String(repeating: "a", count: 64)).org",
    ])
    func `names that are not public are excluded`(address: String) {
        #expect(WebHost.name(of: address) == nil)
    }

    @Test(arguments: [
        (host: "www.example.com", name: "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("example.org", "example.org"),
        ("me.github.io", "me.github.io"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp"),
    ])
    func `a host belongs to its registered name`(host: String, name: String) {
        #expect(PublicSuffixes().registeredName(of: host) == name)
    }

    @Test(arguments: ["co.uk", "com", "wiki.corp", "nas.lan", "a.b.test", "github.io"])
    func `a public suffix and a name of a private network are excluded`(host: String) {
        #expect(PublicSuffixes().registeredName(of: host) == nil)
    }
}
