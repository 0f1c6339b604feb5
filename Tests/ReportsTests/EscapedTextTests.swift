import Foundation
import Samples
import Testing

@testable import Reports

struct EscapedTextTests {
    @Test(arguments: [
        ("meadow", "meadow"), ("Zürich 東京", "Zürich 東京"),
        ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\r\nb\tc", "a\\u{D}\\u{A}b\\u{9}c"),
        ("\u{9B}31m", "\\u{9B}31m"), ("abc\u{202E}fdp", "abc\\u{202E}fdp"),
        ("a\u{2066}\u{200B}\u{FEFF}\u{2028}", "a\\u{2066}\\u{200B}\\u{FEFF}\\u{2028}"),
        ("\u{7F}\u{0}", "\\u{7F}\\u{0}"), ("\u{301}e\u{301}", "\\u{301}e\u{301}"),
        ("|\u{338}", "|\\u{338}"), ("a\u{3164}\u{34F}b", "a\\u{3164}\\u{34F}b"),
        (
            "a" + String(repeating: "\u{301}", count: 6),
            "a\u{301}\u{301}\u{301}\u{301}\\u{301}\\u{301}"
        ),
    ])
    func `terminal control characters are escaped`(text: String, escaped: String) {
        #expect(EscapedText.terminal(text) == escaped)
    }

    @Test(arguments: [
        ("meadow", "meadow"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""), ("a\nb", "a\\u{A}b"), ("", ""),
        ("=\u{301}1", "'=\\u{301}1"), ("a,\u{301}b", "\"a,\\u{301}b\""),
        ("\"\u{301}", "\"\"\"\\u{301}\""),
    ])
    func `a CSV cell remains one cell, and never becomes a formula`(text: String, cell: String) {
        #expect(EscapedText.csv(text) == cell)
    }

    @Test(arguments: [
        ("dns-sb", "dns-sb"), ("a|b", "a\\|b"), ("a\\|b", "a\\\\\\|b"), ("- x", "\\- x"),
        ("<b>&", "\\<b\\>\\&"), ("[a](b)", "\\[a\\](b)"), ("`*_~", "\\`\\*\\_\\~"),
        ("a\nb", "a\\\\u{A}b"), ("|\u{338}", "\\|\\\\u{338}"), ("1. x", "1.&#32;x"),
        ("2) x", "2)&#32;x"),
        ("http://x.test", "http:\\//x.test"), ("www.x.test", "www\\.x.test"), ("@team", "\\@team"),
        ("    x", "&#32;   x"), ("127.0.0.1:53", "127.0.0.1:53"),
    ])
    func `text never becomes Markdown markup`(text: String, escaped: String) {
        // An escape code such as \u{A} contains a backslash. Markdown would remove a backslash that is not
        // escaped.
        #expect(EscapedText.markdown(text) == escaped)
    }

    @Test(arguments: [
        ("<b>\"&'", "&lt;b&gt;&quot;&amp;&#39;"), ("\"\u{301} x=", "&quot;\\u{301} x="),
        ("<\u{338}img", "&lt;\\u{338}img"),
    ])
    func `text never becomes an HTML tag or ends an attribute`(text: String, escaped: String) {
        #expect(EscapedText.html(text) == escaped)
    }

    @Test(arguments: ["a\"b\\c/\u{0}\u{1F}\u{7F}\n\r\t", "\u{202E}abc\u{2028}", "\u{E0001}x 😀 é"])
    func `a JSON string is decoded unchanged, without invisible characters`(text: String) throws {
        let json = "[\"\(EscapedText.json(text))\"]"
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
        #expect(EscapedText.terminal(json) == json)
    }
}
