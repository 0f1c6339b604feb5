import DNSWire
import Testing

/// Compared with Python's idna 3.11 (`uts46=True, transitional=False`), which refuses the emoji.
struct InternationalNameTests {
    @Test(arguments: [
        (text: "bücher.example", ascii: "xn--bcher-kva.example"),
        (text: "BÜCHER.Example.", ascii: "xn--bcher-kva.example"),
        (text: "bu\u{308}cher.example", ascii: "xn--bcher-kva.example"),
        (text: "例え.jp", ascii: "xn--r8jz45g.jp"),
        (text: "straße.de", ascii: "xn--strae-oqa.de"),
        (text: "faß.de", ascii: "xn--fa-hia.de"),
        (text: "ς.gr", ascii: "xn--3xa.gr"),
        (text: "раураl.com", ascii: "xn--l-7sba6dbr.com"),
        (text: "עברית.com", ascii: "xn--5dbqzzl.com"),
        (text: "ＡＢＣü.com", ascii: "xn--abc-joa.com"),
        (text: "a。b.ü", ascii: "a.b.xn--tda"),
        (text: "İstanbul.com", ascii: "xn--istanbul-o0e.com"),
        (text: "نامه\u{200c}ای.com", ascii: "xn--mgba3gch31f060k.com"),
        (text: "क्\u{200d}ष.example", ascii: "xn--11b2ezcw70k.example"),
        (text: "𠮷.jp", ascii: "xn--7l3i.jp"),
        (text: "xn--bcher-kva.ü.x", ascii: "xn--bcher-kva.xn--tda.x"),
        (text: "_sip.bücher.example", ascii: "_sip.xn--bcher-kva.example"),
        (text: "🍕.ws", ascii: "xn--vi8h.ws"),
    ])
    func `a Unicode name becomes A-labels`(text: String, ascii: String) throws {
        #expect(try DomainName(text).description == ascii)
    }

    @Test(arguments: [
        (text: "example.ü-", reason: "cannot be converted at 'ü'"),
        (text: "é.-ß.example", reason: "cannot be converted at 'ß'"),
        (text: "a\u{200d}b.example", reason: "cannot be converted at"),
        (text: "٠١ü.example", reason: "cannot be converted at '٠'"),
        (text: String(repeating: "ü", count: 64), reason: "cannot be converted at 'ü'"),
        (text: "ü..example", reason: "has an empty label"),
        (text: ".ü", reason: "has an empty label"),
        (text: "ü b.example", reason: "mixes ' '"),
        (text: "ü\\046.example", reason: "mixes '\\'"),
        (text: "ü%41.example", reason: "mixes '%'"),
        (text: "[ü]", reason: "mixes '['"),
        (text: "ü:53", reason: "mixes ':'"),
        (text: "ü\u{0}", reason: "mixes '\\u{0}'"),
        (text: "\u{ad}", reason: "cannot be converted at"),
        (text: "。", reason: "cannot be converted at"),
    ])
    func `what has no A-label is refused`(text: String, reason: String) throws {
        let error = #expect(throws: NameError.self) { try DomainName(text) }
        let given = try #require(error)
        #expect(given.reason.hasPrefix(reason), "\(given)")
        #expect(given.reason.contains("write its A-label") || reason == "has an empty label")
    }
}
