import Reports
import Testing

struct PagePolicyTests {
    /// The hashes are computed with hashlib of Python 3.11.
    @Test(arguments: [
        (length: 1, hash: "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="),
        (length: 3, hash: "mDSHbc+wXLFnpcJJU+uljErImxrfV/KPL50JrxB+6PA="),
        (length: 55, hash: "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg="),
        (length: 56, hash: "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o="),
        (length: 63, hash: "fT50oF19sVvOStnsBljqmOPwbu7PFrTG//LaRX3cLzQ="),
        (length: 64, hash: "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs="),
        (length: 119, hash: "MeulHDE6XAgiat8Y1KNZz9/Y0ugWsT9K+VL36mWE3Ps="),
        (length: 120, hash: "Lz0zVDLHC1gK8Ojhs2dKfAINaDql9zqq7f3FWvkEwhw="),
        (length: 1000, hash: "Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM="),
    ])
    func `a script is allowed by its SHA-256`(length: Int, hash: String) {
        let script = TrustedMarkup(String(repeating: "a", count: length))
        var page = HTMLPage(title: "t", content: [])
        page.scripts = [script]
        #expect(page.policy.contains("script-src 'sha256-\(hash)';"))
    }

    @Test func `a page does not load or send anything`() {
        let policy = HTMLPage(title: "t", content: []).policy
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("connect-src"))
    }

    @Test func `a page of the server may query its server`() {
        var page = HTMLPage(title: "t", content: [])
        page.allowsServer = true
        #expect(page.policy.contains("connect-src 'self'"))
    }

    @Test func `the policy comes before the scripts and styles`() throws {
        let text = HTMLPage(title: "a <b>", content: [HTML(.p, "text")]).text
        let policy = try #require(text.firstRange(of: "Content-Security-Policy"))
        let style = try #require(text.firstRange(of: "<style>"))
        let script = try #require(text.firstRange(of: "<script>"))
        #expect(policy.upperBound < style.lowerBound)
        #expect(style.upperBound < script.lowerBound)
        #expect(text.contains("<title>a &lt;b&gt;</title>"))
    }
}
