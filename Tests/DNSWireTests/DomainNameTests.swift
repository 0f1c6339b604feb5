import DNSWire
import Failures
import Fixtures
import Testing

struct DomainNameTests {
    @Test(arguments: [
        (text: "example.org", description: "example.org", wire: "076578616d706c65036f726700"),
        (text: "Example.ORG.", description: "Example.ORG", wire: "074578616d706c65034f524700"),
        (text: ".", description: ".", wire: "00"),
        (text: "org", description: "org", wire: "036f726700"),
        (text: "_dns.*.x", description: "_dns.*.x", wire: "045f646e73012a017800"),
        (text: "a\\046b", description: "a\\046b", wire: "03612e6200"),
        (text: "a\\032b", description: "a\\032b", wire: "0361206200"),
        (text: "a\\058//b", description: "a\\058//b", wire: "05613a2f2f6200"),
        (text: "a:b", description: "a\\058b", wire: "03613a6200"),
        (text: "\\097\\092", description: "a\\092", wire: "02615c00"),
        (text: "a\\.b", description: "a\\046b", wire: "03612e6200"),
        (text: "q\\\"x", description: "q\"x", wire: "0371227800"),
        (text: "a\\\\b", description: "a\\092b", wire: "03615c6200"),
        (text: "a\\ b", description: "a\\032b", wire: "0361206200"),
        (text: "\\000\\255", description: "\\000\\255", wire: "0200ff00"),
    ])
    func `a valid name keeps its spelling`(text: String, description: String, wire: String) throws {
        let name = try DomainName(text)
        #expect(name.description == description)
        #expect(name.wire.hex == wire)
        #expect(try DomainName(name.description) == name)
    }

    @Test(arguments: [
        (text: "", reason: "is empty"),
        (text: "..", reason: "has an empty label"),
        (text: ".a", reason: "has an empty label"),
        (text: "a..b", reason: "has an empty label"),
        (text: "a..", reason: "has an empty label"),
        (text: "https://example.com/a?b", reason: "is a URL: did you mean 'example.com'?"),
        (text: "a b", reason: "contains a space: remove it, or write '\\032'"),
        (text: " a", reason: "contains a space"),
        (text: "a\tb", reason: "contains a control character: remove it, or write '\\009'"),
        (text: "a\u{0}", reason: "contains a control character"),
        (text: "a\u{7f}", reason: "contains a control character"),
        (text: "bücher.example", reason: "contains 'ü', which is not ASCII: write the A-label"),
        (text: "bu\u{308}cher", reason: "contains 'u\u{308}', which is not ASCII"),
        (text: "例え.jp", reason: "contains '例', which is not ASCII"),
        (text: "a。b", reason: "contains '。', which is not ASCII"),
        (text: "a\u{200d}b", reason: "contains 'a\\u{200d}', which is not ASCII"),
        (text: "a\\", reason: "has a backslash without three digits up to 255"),
        (text: "a\\12", reason: "has a backslash without three digits up to 255"),
        (text: "a\\256", reason: "has a backslash without three digits up to 255"),
        (text: "a\\\t", reason: "has a backslash without three digits up to 255"),
    ])
    func `an invalid name is rejected with a reason`(text: String, reason: String) {
        let error = #expect(throws: Failure.self) { try DomainName(text) }
        #expect(error?.description.contains("' \(reason)") == true)
    }

    @Test(arguments: 1...70)
    func `a label has at most 63 bytes`(length: Int) {
        let text = String(repeating: "a", count: length) + ".org"
        #expect((try? DomainName(text)).map(\.wire.count) == (length <= 63 ? length + 6 : nil))
    }

    @Test(arguments: 245...260)
    func `a name has at most 255 bytes on the wire`(size: Int) {
        // Four labels and the root. The wire form has two more bytes than the text has characters.
        var text = String(repeating: String(repeating: "a", count: 61) + ".", count: 4)
        text.removeLast()
        while text.utf8.count + 2 > size { text.removeFirst() }
        while text.utf8.count + 2 < size { text = "b." + text }
        if text.utf8.count + 2 != size { text.removeFirst(); text.removeFirst(); text = "b" + text }
        #expect((try? DomainName(text)).map(\.wire.count) == (size <= 255 ? size : nil))
    }

    @Test(arguments: [
        ("www.example.com", "WWW.Example.COM", true), ("a\\066.test", "AB.TEST", true),
        ("a[.test", "a{.test", false), ("a@.test", "a`.test", false),
        ("a\\192.test", "a\\224.test", false), ("a.b.test", "a\\046b.test", false),
    ])
    func `equal names may differ in ASCII case`(one: String, other: String, areEqual: Bool) throws {
        let (one, other) = (try DomainName(one), try DomainName(other))
        #expect((one == other) == areEqual)
        #expect(Set([one, other]).count == (areEqual ? 1 : 2))
        // Each name is sent as it is spelled.
        #expect(one.wire != other.wire)
    }

    @Test func `an escape counts as one byte`() throws {
        let label = String(repeating: "\\255", count: 63)
        #expect(try DomainName(label).wire.count == 65)
        #expect(throws: Failure.self) { try DomainName(label + "a") }
    }

    @Test func `the presentation form of any bytes is read back`() throws {
        var generator = SplitMix64(seed: 0x3c)
        for _ in 0..<1_000 {
            let labels = (1...4).map { _ in
                (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                    let octet = Int.random(in: 0...255, using: &generator)
                    return "\\" + String(String(1000 + octet).dropFirst())
                }.joined()
            }
            let name = try DomainName(labels.joined(separator: "."))
            #expect(try DomainName(name.description) == name)
        }
    }

    @Test func `an error contains no control sequences`() throws {
        let error = #expect(throws: Failure.self) { try DomainName("a\u{1b}[31m\u{202e}é b") }
        #expect(try #require(error).description.hasPrefix("'a\\u{1b}[31m\\u{202e}é b' contains"))
    }
}
